# Sentences a person reads. A failure says what happened, what it means for their thing, what to do.

## Failures of any line
failure-panicked = A defect in Verst interrupted the work. It is tried again by itself; if it stops, please report it with the journal.
failure-abandoned = The process ended several times while it worked on this, and never had a result. Nothing is lost. Look for a lack of memory, then lift the stop.
failure-stuck =
    { $hours ->
        [0] It stood at one milestone for over { $minutes } minutes without getting on.
        [one] It stood at one milestone for over an hour without getting on.
       *[other] It stood at one milestone for over { $hours } hours without getting on.
    } Nothing is lost. Lift the stop to go on from there.
failure-stopped-by-person = A person stopped it. Lift the stop to go on from there.
failure-result-refused = A defect in Verst: the database refused the result of this run. It is tried again by itself; if it stops, please report it with the journal.
failure-unknown-milestone = This version of Verst does not know the milestone it stands at. Install the version that made it, then lift the stop.

## Failures of recordings
failure-empty-file = The file is empty, so there is nothing to transcribe. Send it again.
failure-no-audio-track = The file has no sound track, so there is nothing to transcribe.
failure-damaged-file = The file is damaged or its recording was never finished, so it cannot be decoded. The original is kept. Send a whole copy.
failure-unsupported-format = This is not an audio or video file that Verst takes. Convert it, for example to MP3 or M4A, and send it again.
failure-no-samples = The sound track is empty: decoding it gave no sound at all. Send a whole copy.
failure-too-long = The recording is longer than the limit of { $limit_s ->
        [one] one second
       *[other] { $limit_s } seconds
    }. Cut it into parts and send them one by one.
failure-too-large = The file is larger than the limit of { $limit_bytes } bytes. Nothing of it was kept. Compress or cut it, or raise the limit in the settings.
failure-file-changing = The file was still being written while it was taken in. Nothing of it was kept. Send it again once it is finished.
failure-no-progress = Decoding made no progress for { $seconds ->
        [one] one second
       *[other] { $seconds } seconds
    } and was ended. It is tried again by itself.
failure-ffmpeg-failed = FFmpeg could not decode the file this time. It is tried again by itself; if it stops, check memory and disk.
failure-ffmpeg-missing = FFmpeg is not installed or cannot be started, so recordings wait. Install FFmpeg (on Debian: apt install ffmpeg).
failure-confinement-missing = This kernel cannot wholly confine FFmpeg and the recogniser, and the settings require it, so recordings wait. “verst doctor” shows what is missing. Use a kernel with Landlock and seccomp, or set confine = "auto".
failure-disk-full = The disk is full, so nothing can be written. What was taken in is safe. Free some space; work goes on by itself.
failure-audio-missing = The audio of this recording is no longer in the data directory. Restore it from a backup or send the recording again.
failure-objects-failed = The audio could not be read or written. Check the data directory's disk and permissions; it is tried again by itself.
failure-objects-unreachable = The place where audio lies cannot be reached or refuses, so recordings wait. Check the setting “objects”, its keys and its server; work goes on by itself.
failure-store-failed = The database could not be used. It is tried again by itself; check the data directory's disk and permissions.
failure-interrupted = The work was interrupted. Nothing is lost; it goes on by itself.
failure-engine-died = The recogniser's process ended unexpectedly. It is tried again by itself, from the last finished part.
failure-engine-illegal-instruction = The recogniser uses instructions this processor does not have: it was built for another one. Build Verst on this machine for this machine: TRANSCRIBE_CMAKE_ARGS="-DGGML_NATIVE=ON" make run.
failure-engine-killed = The recogniser's process was killed, most likely because memory ran out. It is tried again by itself; free some memory or use a smaller model.
failure-engine-unavailable = The recogniser's process cannot be started, so recordings wait. Run “verst doctor” to see why.
failure-engine-silent = The recogniser did not answer for { $seconds ->
        [one] one second
       *[other] { $seconds } seconds
    } and was ended. It is tried again by itself.
failure-engine-failed = The recogniser could not work through this recording. It is tried again by itself.
failure-model-missing = The speech model is not where it should be, so recordings wait. Put it there or name another one; “verst doctor” shows the place.
failure-model-damaged = The speech model's file is damaged, so recordings wait. Get it again; “verst doctor” shows which one it is.
failure-own-model-unusable = The speech model this recording asked for, or was begun with, is missing or damaged. Put it back and lift the stop to keep waiting for it, or lift it with a new submission.
failure-language-unsupported = The speech model does not know the language { $language }. Choose another model or leave the language out.
failure-unknown-submission = { $of ->
        [part] Part { $part } was sent to the paid recogniser and no answer came back, so it is not known whether it was charged for. There is no way to ask. The finished parts are kept; lift the stop with “submit again” to send this part alone once more, which may cost a second time.
       *[recording] It is not known whether the paid recognition was begun. Lift the stop and choose: submit again (which may cost a second time) or keep waiting for the first.
    }
failure-recogniser-refused = { $of ->
        [part] The recogniser refused part { $part } of this recording. The finished parts are kept; lift the stop with “submit again” to send this part once more, or transcribe the recording with another recogniser.
       *[recording] The recogniser refused this recording. Lift the stop and choose: submit again or keep waiting.
    }
failure-provider-paused = { $reason ->
        [key] The recognition provider refuses our key, so recordings wait. Check “openai_key” and what the key may do.
        [quota] The account at the recognition provider is used up, so recordings wait. Top it up.
        [rate] The recognition provider asks us to wait, so recordings wait.
        [model] The recognition provider does not have the model that the settings name, so recordings wait. Check “openai_model”.
        [address] At the address of the recognition provider answers something else, so recordings wait. Check “openai_url”; it usually ends with /v1.
        [unreachable] The recognition provider cannot be reached, so recordings wait. Check “openai_url”, the network and the proxy.
       *[other] The recognition provider refuses our credentials or quota, so recordings wait. Check the account.
    } Work goes on by itself.
failure-provider-failed = The recognition provider could not be reached or answered with an error. It is tried again by itself.
failure-attempt-missing = The record of the recognition is gone. Lift the stop with a new submission.
failure-waiting-turn = Waiting for its turn: the recogniser works on other recordings.
failure-recognising = The recogniser is working on it.
failure-awaiting-ticket = Waiting for the answer to a submission, as you chose.
failure-unknown = Something went wrong that this version has no words for: { $code }.

## Warnings about a recording that was transcribed all the same
warning-cut-off = The file ends earlier than it says; it was transcribed as far as it goes.
warning-damaged-parts = Parts of the file could not be decoded and are missing from the text.
warning-track-chosen = The file has { $of } sound tracks; the loudest one, number { $track }, was used.

## Milestones
milestone-uploaded = taken in
milestone-normalized = decoded
milestone-submitted = being recognised
milestone-transcribed = recognised
milestone-done = done

## The command line
cli-done = { $name }: done, { $segments ->
        [one] one segment
       *[other] { $segments } segments
    }.
cli-no-speech = { $name }: no speech was found in it; the text is empty.
cli-stopped = { $name }: stopped. { $reason }
cli-refused = { $name }: not taken in. { $reason }
cli-unreadable = { $name }: the file cannot be read. Nothing was taken in. Check the name and the permissions.
cli-not-a-file = { $name }: not a regular file. Name an audio or video file.
cli-retry = { $name }: { $reason } (attempt { $failures })
cli-in-trouble = { $name } has to wait. { $reason }
cli-waiting-trouble = { $reason } The recordings are kept in { $data }; run the command again when it is mended.
cli-interrupted = Interrupted. Everything taken in is kept in { $data }; run the same command again to go on from there.
cli-ending = Ending; press Ctrl-C once more to end at once.
cli-held = Verst already works in { $data }: process { $holder }. Hand files in to it with “verst submit”, end it, or name another directory with --data.
cli-no-installation = There is nothing in { $data } yet. Hand something in with “verst submit FILE” or “verst transcribe FILE”.
cli-data-foreign = { $data } holds other files and no Verst installation, so it was left alone. Name another directory, or an empty one, with --data.
cli-data-unusable = The data directory { $data } cannot be used: { $cause }. Check its permissions and its disk.
cli-database-future = The database in { $data } was written by a newer version of Verst (its version is { $found }, this program knows up to { $known }). Nothing was changed. Install the newer version.
cli-database-broken = The database in { $data } cannot be opened: { $cause }. Nothing was changed. Restore it from a backup.
cli-server-future = The database on the server was written by a newer version of Verst: { $cause }. Nothing was changed. Install the newer version.
cli-server-broken = The database server cannot be used: { $cause }. Nothing was changed. Check the address under “database” in the settings, and that the server runs and lets this machine in.
cli-outdated = The database is of an earlier version, and was left so because Verst may be working with it. Stop Verst everywhere, run “verst migrate”, start it again.
cli-twin = Another process works on the database server under this installation's id: its data directory is a copy of this one, or this one of it. Start with a new data directory on one of the two hosts (--data).
cli-twin-waiting = The database server still counts this installation as running. Waiting for it to notice the end of the former process, 40 seconds at most.
cli-objects-unusable = The place for audio, { $objects }, cannot be used: { $cause }. Nothing was changed. Check the setting “objects” and the keys.
cli-objects-taken = The audio in { $objects } belongs to another database, so nothing was started: each would clear away what the other names. Set “objects” to a place of its own. If that other database is gone for good, delete the file “home” there.
cli-objects-elsewhere = The recordings in this database have their audio in another place than { $objects }, so nothing was started: it would be missed. Hosts that share a database share the audio: set “objects” to the same bucket or shared directory on all. If this is the right place and the audio was moved here, put the file “home” there too, with this one line: { $home }
cli-visiting = Another process does the work in { $data }; following it.
cli-settings-broken = The settings in { $file } cannot be used: { $cause }
cli-output-exists = { $file } is there already and was left alone. Name another place, or remove it.
cli-output-failed = { $file } could not be written: { $cause }. The text is kept; run the command again with another --output.
cli-output-no-directory = { $file } is not a directory. Several texts need one: name a directory, or end the name with / to have it made.
cli-stdout-failed = Standard output could not be written: { $cause }. Nothing is lost; run the command again.
cli-several-need-output = Several files in this format need a directory: --output DIR.
cli-language-unknown = “{ $language }” is not a language code. Use two letters as in ru, en, de.
cli-model-too-long = The name of the model is longer than any path. Name a file in the models directory, or a path.
cli-no-workers = Taken in. The settings say workers = 0, so nothing moves until that changes.
cli-set-aside = { $count ->
        [one] One recording's file is unknown to the database and was
       *[other] { $count } recordings' files are unknown to the database and were
    } set aside in { $objects }/unnamed. If the database was lost or restored from an older copy, hand them in again; else delete them.
cli-nothing-left = Nothing is unfinished in { $data }. Name files to transcribe.
cli-others-left = { $count ->
        [one] One other recording is unfinished
       *[other] { $count } other recordings are unfinished
    } in { $data }. “verst transcribe” without files goes on with them.
cli-empty-list = No recordings yet. Hand something in with “verst transcribe FILE”. Downloads are listed by “verst downloads”.
cli-missing = There is neither a recording nor a download { $id }. “verst list” and “verst downloads” show what there is.
cli-is-download = { $id } is a download, and this is for recordings. “verst show { $id }” shows it.
cli-was-stopped = { $id }: stopped. It stays at “{ $milestone }” until the stop is lifted.
cli-was-lifted = { $id }: lifted. It goes on from “{ $milestone }” as soon as “verst serve” or “verst transcribe” runs.
cli-already-stopped = { $id }: was stopped already.
cli-already-done = { $id }: is done; there is nothing to stop.
cli-not-stopped = { $id }: is not stopped.
cli-choice-needed = { $id }: going on could cost twice or ask in vain. Choose --submit-again or --keep-waiting.
cli-nothing-to-choose = { $id }: there is no submission to choose about. Lift it without a choice.
cli-too-long = The text is longer than { $limit } characters. Nothing was changed; shorten it.
cli-renamed = { $id }: renamed.
cli-store-failed = The database could not be used: { $cause }. Nothing was changed.
cli-store-lost = The database could no longer be used: { $cause }. What was taken in is kept in { $data }; when the database answers again, run the same command to go on.
cli-no-text-yet = There is no text yet.
cli-text-empty = (no speech found)

list-id = id
list-state = state
list-length = length
list-name = name
list-more = More: verst list --before { $before }

state-stopped = stopped at “{ $milestone }”
state-waiting = { $milestone }
state-working = { $milestone }, working

show-state = State
show-taken = Taken in
show-size = Size
show-length = Length
show-language = Language
show-model = Model
show-warning = Note
show-reason = Reason
show-waits = Waits
show-journal = Journal
show-text = Text
show-bytes = { $count ->
        [one] one byte
       *[other] { $count } bytes
    }

unit-seconds = { $seconds } s

event-advanced = { $milestone } ({ $actor }, { $duration })
event-stopped = stopped at “{ $milestone }” by { $actor }
event-lifted = lifted at “{ $milestone }” by { $actor }
event-restarted = begun anew from “{ $milestone }” by { $actor }
actor-step = step { $name }
actor-person = { $name }

doctor-ok = ok
doctor-bad = BAD
doctor-ffmpeg = FFmpeg
doctor-engine = Recogniser
doctor-model = Speech model
doctor-vad = Voice activity
doctor-data = Data directory
doctor-space = Disk space
doctor-database = Database
doctor-clock = Clock
doctor-objects = Audio
doctor-version = answers; its tables are of version { $version }
doctor-clocks-agree = agrees with the database server's
doctor-clocks-apart = { $seconds } seconds apart from the database server's, which decides; set both by NTP, or times in lists and logs contradict each other
doctor-held = in use by process { $holder }, which is well
doctor-not-made = { $path }: made at the first use
doctor-writable = { $path }
doctor-free = { $free } GiB free
doctor-little-free = only { $free } GiB free; free some space, or recordings will wait
doctor-custom = { $model }
doctor-note = note
doctor-processor = Processor
doctor-processor-suits = { $name }, { $cores ->
        [one] one core
       *[other] { $cores } cores
    }; has { $here }
doctor-processor-native = { $name }, { $cores ->
        [one] one core
       *[other] { $cores } cores
    }; has { $here }. The recogniser was built for the machine that built it: on another kind of processor it may not run
doctor-processor-more = { $name }, { $cores ->
        [one] one core
       *[other] { $cores } cores
    }; has { $here }. The recogniser was built without AVX-512, to run on more machines; built for this one it may be faster: TRANSCRIBE_CMAKE_ARGS="-DGGML_NATIVE=ON" make run
doctor-processor-lacks = { $name } lacks { $lacks }, for which the recogniser was built: its process ends as soon as it works, and no recording gets its text. Build Verst on this machine for this machine: TRANSCRIBE_CMAKE_ARGS="-DGGML_NATIVE=ON" make run. In a virtual machine, let it have the processor of its host
doctor-confined = Confinement
doctor-confined-all = FFmpeg and the recogniser reach no other files, no network and no other programs; tried just now
doctor-confined-part = FFmpeg and the recogniser work, but this kernel does not confine them wholly; not prevented here: { $open }. A recording made to break into FFmpeg could do that in the name of this account. Use Linux 6.2 or later with Landlock turned on; in a container, a runtime that lets its calls through
doctor-confined-off = turned off by the setting “confine”. A recording made to break into FFmpeg could do all that this account can. Remove the setting, unless there is a reason for it
doctor-confined-untried = it could not be tried whether FFmpeg and the recogniser are confined. Check that /proc is mounted and that a file can be made in the directory for temporary files
doctor-open-reading = reading other files
doctor-open-writing = writing other files
doctor-open-network = reaching the network
doctor-open-starting = starting other programs
doctor-ffmpeg-unconfined = FFmpeg works only without confinement, so recordings wait. It may come from a package that needs more than decoding does, such as a snap. Install FFmpeg from the distribution (on Debian: apt install ffmpeg), or set confine = "off" and trust every recording
doctor-account = Account
doctor-root = runs as root, which nothing here needs; what breaks into Verst would have the machine. Give Verst an account of its own
doctor-access = Access
doctor-access-owner = { $path } belongs to another account, number { $owner }. Run Verst as that one, or give the directory to this one: chown -R.
doctor-access-written = Others may write in { $path }, so they could put in or replace what they like. Close it: chmod go-w { $path }.
doctor-access-open = { $path } is open to other accounts on this machine, and holds what was said in recordings. Close it: chmod -R go= { $path }.
doctor-writing = Writing
doctor-writing-works = files can be made where audio lies and where it is made
doctor-writing-fails = in { $path } no file can be made: { $cause }. Recordings would wait. Check the disk, how it is mounted, and whose the directory is
doctor-secrets = Secrets
doctor-secrets-open = everybody on this machine may read a password in { $files }. Close it: chmod 600 { $files }
doctor-few-files = the disk has room for only { $free } more files, whatever their size; remove some, or recordings will wait
doctor-all-well = Everything is well.
doctor-trouble = { $count ->
        [one] One thing needs attention.
       *[other] { $count } things need attention.
    }

serve-ready = Verst works in { $data } with { $workers ->
        [one] one worker
       *[other] { $workers } workers
    }. Ctrl-C ends it.
serve-ended = Ended. What was under way goes on at the next start.
serve-left-behind = The database on the server is empty, and the data directory still holds one with recordings. To bring them along, stop Verst and run “verst copy-database”.

migrate-nothing = The database is up to date: version { $now }.
migrate-done = The database was brought from version { $found } to version { $now }.

copy-no-server = There is nowhere to copy to. Name a PostgreSQL server under “database” in the settings first.
copy-no-file = There is no database in { $data } to copy from.
copy-visited = A command of Verst is still under way in { $data }, so nothing was copied: what it hands in would be left behind. Wait for it or end it, and run this again.
copy-occupied = The database on the server already has recordings, so nothing was copied. Name an empty one.
copy-differs = The copy was not the same as the original ({ $cause }), so nothing was kept. Please report this.
copy-failed = The database could not be copied: { $cause }. Nothing was kept on the server, and the file is as it was. Mend the cause and run it again.
copy-done = Every row was copied and compared. Start Verst: it works on the server now. The file verst.sqlite in { $data } was left as it is; keep it until you are content, then remove it.

config-good = The settings can be used: { $count ->
        [0] none is set
        [one] one is set
       *[other] { $count } are set
    } in { $file } and the environment, the others are the defaults.
config-key = key
config-value = value
config-source = from
config-default = default
