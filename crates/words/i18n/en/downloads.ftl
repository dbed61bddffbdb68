## What was sent and cannot be downloaded
failure-not-a-torrent = This is neither a magnet link nor a torrent file, so there is nothing to download. Send the magnet link as text, the .torrent file itself, or an address that leads to one of them; many sites give the file only to those who are logged in.
failure-torrent-too-large = The torrent file is larger than { $limit_bytes } bytes, so it was not read. Send the magnet link of the same torrent instead.
failure-too-many-files = This torrent lists more than { $limit } files, so it was not taken. Look for the same thing as several torrents.
failure-too-many-magnets = There are more than { $limit } magnet links in this text, so none of them was taken. Send them in several messages.
failure-text-too-large = The text is longer than { $limit_bytes } bytes, so it was not looked through. Send only the links.
failure-url-private = This address leads into a private network, and from there nothing is fetched. Send the magnet link or the torrent file itself, or ask the owner to allow such addresses in the settings.
failure-url-wrong = This is not an address that can be fetched. It has to begin with http:// or https://, or be a magnet link.
failure-url-unreachable = The server behind this address cannot be reached, or it broke off. See whether the address opens in a browser, and try again later.
failure-url-refused = The server behind this address did not give the file and answered { $status }. If the site asks for a login, fetch the torrent file in a browser and send the file.
failure-url-redirects = This address leads on and on to others and never to a file. Open it in a browser, and send the magnet link or the torrent file that you find.
failure-url-slow = The server behind this address took too long. Try again later, or send the torrent file itself.

## Where a download stands, and why
milestone-caught = taken in
milestone-downloading = downloading
milestone-completed = downloaded
milestone-identified = identified
milestone-watch = watched
failure-magnet-timeout = Nobody gave the magnet's metadata for { $hours } hours, so it was given up. The torrent stays in qBittorrent; if somebody turns up, it goes on by itself. Retrying gives it as much time again.
failure-stalled = No data moved for { $hours } hours, so it was given up as stuck. The torrent stays in qBittorrent; if a seed turns up, it goes on by itself. Retrying gives it as much time again.
failure-client-error = qBittorrent cannot go on with the torrent ({ $state ->
        [missing_files] its files are gone: is the disk mounted?
       *[error] its disk is full or cannot be written
    }). See to that, then retry: the torrent is given to qBittorrent anew, and what is on the disk is kept.
failure-torrent-gone = The torrent is no longer in qBittorrent. If it was removed there by mistake, retry: it is added again.
failure-client-unreachable = qBittorrent does not answer. Nothing is lost: downloads go on when it does. Is it running, and is the setting “qbittorrent” its address?
failure-client-refuses = qBittorrent does not let Verst in. See to the settings “qbittorrent_user” and “qbittorrent_password”; Verst waits before it tries again, because qBittorrent shuts out those who keep trying.
failure-client-unexpected = qBittorrent answered with something that Verst does not understand; it is asked again. Versions from 4.5 to 5.2 are known.
failure-add-refused = qBittorrent did not take the torrent; it is tried again. Its log says why.
failure-no-room = There is not enough room on qBittorrent's disk for this download. It is added as soon as there is.
failure-watching = qBittorrent is being watched.
failure-needs-choice = Its names do not say for certain what it is, and a wrong name would be worse than none. Choose: verst choose NUMBER.
failure-nothing-to-file = There is no film or episode in it, so nothing was put into the library. The files stay where qBittorrent has them.
failure-dangerous-files = There are programs among its files, as in fake releases, so nothing was put into the library. Look at the files before you open any of them, and delete the download if it is a fake.
failure-needs-unpack = It is packed in archives, and Verst unpacks none. Unpack it by hand, or look for a release that is not packed.
failure-files-missing = A file is not where qBittorrent says that it is. Is the disk mounted, and do the settings “qbittorrent_paths” lead to it? Then lift the stop.
failure-name-taken = Something else is in the library under the name that a file should get, and nothing is overwritten. Move that away or choose another name, then lift the stop.
failure-cross-device = The library is on another file system than the download, so files cannot be linked. Put both on one, or let them be copied (setting “library_link”), then lift the stop.
failure-library-failed = The library could not be written; it is tried again. Whatever was begun was taken back.
failure-library-missing = There is no library, or it is not there now. Set “library” to its directory, see that its disk is mounted, then lift the stop.
failure-place-unknown = The directory that qBittorrent has the files in is not on this machine. Say where it lies here (setting “qbittorrent_paths”), then lift the stop.
failure-merged-into = This turned out to be the same torrent as download { $id }, which goes on.
failure-owned-by-other = Download { $id } has this torrent by now.

## At the terminal
cli-no-client = Nothing can be downloaded: { $cause }. See to the setting “qbittorrent”.
cli-downloads-off = Nothing is downloaded here: no torrent client is set. Put qBittorrent's address under “qbittorrent” into the settings; docs/downloads.md says how.
cli-added = { $id }	{ $name }
cli-added-before = { $id }: is here already, { $name }. Whoever sent it now is told about it as well.
cli-added-broken = { $count ->
        [one] { $count } more link looked like a magnet and is none.
       *[other] { $count } more links looked like magnets and are none.
    }
cli-add-recording = { $url } is a recording and no torrent. Hand it in as one: fetch it and use “verst submit”, or POST it to /api/v1/recordings.
cli-download-missing = There is no download { $id }. “verst downloads” shows what there is.
cli-downloads-empty = Nothing has been downloaded yet. Begin: verst add “magnet:?…”
cli-downloads-more = More: verst downloads --before { $before }
download-list-id = id
download-list-state = state
download-list-size = size
download-list-name = name
download-state-failed = stopped at “{ $milestone }”
download-state-stuck = stuck
download-state-moving = { $milestone }
download-retried = { $id }: goes on.
download-was-stopped = { $id }: stopped. Its torrent rests in qBittorrent until the stop is lifted.
download-owned = { $id }: download { $other } has its torrent by now, so nothing was done.
download-lost = { $id }: moved on by itself meanwhile. “verst downloads” shows where it stands.
download-refused = { $id }: qBittorrent did not take the torrent. Its log says why; nothing was changed here.
download-no-room = { $id }: there is not enough room on qBittorrent's disk. Make some, then retry.
download-candidates = { $id } may be one of these. Choose: verst choose { $id } --candidate NUMBER, or say it yourself with --movie or --series.
download-candidate = { $number }  { $kind ->
        [movie] film
       *[series] series
    }: { $title } ({ $year })
download-candidate-yearless = { $number }  { $kind ->
        [movie] film
       *[series] series
    }: { $title }
download-no-candidates = { $id }: there is not even a guess. Say what it is: --movie TITLE or --series TITLE, with --year and --season.
download-chosen = { $id }: understood. It is laid out in the library next.
download-no-candidate = { $id }: there is no candidate { $number }.
download-nothing-to-choose = { $id }: does not wait for a choice.
download-choice-wrong = { $id }: that cannot be: { $cause }.
download-unplaced = { $count ->
        [one] { $id }: { $count } file was taken out of the library.
       *[other] { $id }: { $count } files were taken out of the library.
    } What was downloaded is still there.
download-not-placed = { $id }: nothing of it is in the library.
download-on-its-way = { $id }: is on its way. Stop it first.
download-nowhere = { $id }: what was downloaded is not on this machine, so nothing can be compared and nothing was removed.
download-unplace-failed = { $id }: the library could not be changed: { $cause }.
download-deleted = { $id }: deleted. The torrent and its data are still in qBittorrent; what is in the library stays there.
download-delete-unsure = { $id }: Verst would forget the download; its torrent, its data and what is in the library stay. To do so: verst delete { $id } --yes

show-client = In qBittorrent
show-client-none = no torrent of it
show-client-state = { $state ->
        [metadata] looks for its metadata
        [downloading] downloading
        [stalled] waits for data
        [seeding] whole, given to others
        [queued] queued
        [stopped] rests
        [checking] its data is being checked
        [moving] its files are being moved
        [error] cannot go on
        [missing_files] its files are gone
       *[unknown] in a state that Verst does not know
    }
show-client-down = { $rate } kB/s down
show-client-up = { $rate } kB/s up
show-client-others = { $seeds ->
        [one] one seed
       *[other] { $seeds } seeds
    }, { $peers ->
        [one] one peer
       *[other] { $peers } peers
    }
show-client-eta = { $time } left
show-hash = Hash
show-candidates = It may be
show-library = In the library
show-more = and { $count } more
show-merged = Goes on
show-merged-into = as download { $id }, which has the same torrent

## Whether downloads have what they need
failure-watch-failing = The look at qBittorrent has failed { $times } times in a row for a reason that is Verst's own, so downloads are not followed. It is tried again at least once a minute, and the next success mends it. See the log of “verst serve”, and please report a defect.
failure-watch-late = No worker has looked at qBittorrent for { $minutes } minutes, so downloads stand still. See that “verst serve” runs with workers (setting “workers”) and that not all of them are busy for hours.
doctor-qbittorrent = qBittorrent
doctor-library = Library
doctor-watch = Watch
doctor-category-there = category “{ $name }”
doctor-category-later = category “{ $name }” is made with the first download
doctor-category-none = without a category
doctor-library-takes = { $library } takes files from { $from }; one was tried and taken back
doctor-watch-well = qBittorrent is looked at while Verst works
doctor-watch-silent = This has been so since { $since }.
