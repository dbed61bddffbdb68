# What the interface over HTTP says. A problem says what happened, what it means, what to do.

## At the start of the service
serve-listens = It answers at { $url }.
serve-setup =
    Nobody can come in yet. Open { $url }/setup and make the first account with this setup token: { $token }
    Or make a token for programs with it; it works once:
      curl { $url }/api/v1/setup --json '{"{"}"token": "{ $token }", "name": "me"{"}"}'
serve-cannot-listen = Verst cannot answer at { $listen }: { $cause }. Nothing was started. Set “listen” to a free address, or to "" for no HTTP at all.
serve-web-settings = The settings cannot be used: { $cause }. Nothing was started.

## Statuses, as titles of problems
status-400 = Not understood
status-401 = Not signed in
status-403 = Not allowed
status-404 = Not found
status-405 = Not possible here
status-408 = Too slow
status-409 = Not possible now
status-410 = Gone
status-413 = Too large
status-415 = Of a kind that is not taken
status-416 = Outside of the file
status-421 = Meant for another host
status-422 = Not usable
status-429 = Too often
status-500 = A defect
status-503 = Not available now
status-507 = No space left

## Problems
problem-bad-request = The request is not understood. Nothing was done. See the description of the interface at /api/v1/openapi.json.
problem-parameter-wrong = The value of “{ $parameter }” is not one that can be used here. Nothing was done. See the description of the interface for what can.
problem-query-wrong = This cannot be looked for. Give one to sixteen words, no more than 1000 bytes; before * there have to be at least three letters.
problem-body-not-json = The body is not JSON. Nothing was done.
problem-body-broken = The body ended early or is not in the form its header says. Nothing of it was kept. Send it again.
problem-body-wrong = The body is JSON, but has a field that is not known here, or lacks one, or has one of the wrong kind. Nothing was done.
problem-field-missing = The form has no field “{ $parameter }”. Nothing was kept. Send it with that field.
problem-token-missing = A token is needed. Send it in the header “Authorization: Bearer …”; the owner makes one with “verst token add”.
problem-token-invalid = This token opens nothing: it is unknown, has run out or was revoked. Ask the owner for another.
problem-admin-only = This is only for tokens that see everything. Use such a one.
problem-origin-foreign = The request comes from a page of another site and was refused. If that page is yours, reach Verst under the address that is set as “public_url”.
problem-setup-refused = This setup token makes nothing: it is wrong, an earlier one, or somebody can come in already. The current one is printed when Verst starts, as long as there is neither a token nor an administrator.
problem-no-such-route = There is nothing at this address. The description of the interface is at /api/v1/openapi.json.
problem-no-such-recording = There is no such recording.
problem-no-text-yet = There is no text yet. Ask again when the recording is done.
problem-model-unknown = No speech model of this name is installed. GET /v1/models lists those that are.
problem-method-not-allowed = This address does not know this method. The header Allow says which it knows.
problem-body-idle = Nothing came for too long, so the request was ended. Nothing of it was kept. Send it again.
problem-costs-money = This costs money. Nothing was begun. Send it again with “confirm_cost”: true if that is all right.
problem-choice-needed = Going on could cost money a second time or be in vain. Choose: “submit_again” or “keep_waiting”.
problem-nothing-to-choose = There is nothing to choose here: nothing was submitted. Lift the stop without a choice.
problem-only-again = The provider cannot be asked what became of its last call, so there is nothing to wait for. Lift the stop with the choice submit_again: only that part is sent again, which may cost a second time; the finished parts stay.
problem-not-stopped = It is not stopped, so there is no stop to lift.
problem-already-stopped = It is stopped already.
problem-already-done = It is done; there is nothing to stop.
problem-original-gone = The audio that was handed in is no longer there: it was not kept, or was removed. Send the recording again.
problem-body-too-large = The body is larger than such bodies may be. Nothing was done.
problem-media-type = A body of this kind is not taken here. Nothing was kept. The description of the interface says which kinds are.
problem-range-outside = There is nothing in that place: the file has { $size_bytes } bytes.
problem-host-unknown = The request names a host that this service does not answer for, so it was refused. The owner adds it under “allowed_hosts” or “public_url” in the settings.
problem-language-unknown = This is no code of a language. Two letters are needed, as in ru, en, de; or leave the language out.
problem-text-too-long = The text for “{ $parameter }” is longer than { $limit } characters. Nothing was changed. Shorten it.
problem-too-many-entries = There are more than { $limit } entries for “{ $parameter }”. Nothing was changed. Leave some out.
problem-url-private = This address leads into a private network, and from there nothing is fetched. Send the file itself, or ask the owner to allow it in the settings.
problem-url-wrong = This is not an address that can be fetched. It has to begin with http:// or https://.
problem-url-unreachable = The server behind this address did not give the file. Nothing was kept. See whether the address opens in a browser, or send the file itself.
problem-is-recording = Behind this address is a recording, not a torrent, so nothing was taken in. If it is to be transcribed, send the address to /api/v1/recordings, as {"{"}"url": "…"{"}"}.
problem-no-client = Nothing can be downloaded here: no torrent client is set. The owner puts the address of qBittorrent's web interface into the setting “qbittorrent” and starts Verst again.
problem-no-such-download = There is no such download.
problem-owned-by-other = Another download has the same torrent by now and goes on with it, so nothing was done.
problem-moved-meanwhile = Somebody else moved this download at the same moment, so nothing was done. Look how it stands now.
problem-not-asked = This download does not wait for anybody to say what it is. Stop it first if it is to become something else.
problem-no-such-candidate = There is no candidate of this number. GET …/candidates lists them, counted from 1; or say in your own words what it is.
problem-title-wrong = The title is empty or longer than 200 characters. Nothing was done.
problem-no-video = There is no video with the index { $file }. Nothing was done. GET …/files lists all files with their indexes.
problem-episodes-wrong = The episodes of the file { $file } are none, or do not grow from one to the next. Nothing was done.
problem-nothing-left = Of this choice nothing would get into the library: no name tells which episodes they are. Nothing was done. Say it in “files”.
problem-file-not-whole = The file { $file } is not whole yet, or is not where the torrent client says it is. Nothing was done. Wait until the download is complete.
problem-file-nameless = No name can be made for the file { $file }: its title has nothing that a name can be made of, or its numbers have gaps. Nothing was done. Say in “files” what it is.
problem-file-clashes = The file { $file } would get the name of another one, or belongs to none. Nothing was done. Say in “files” what it is, or leave it out there.
problem-too-many-to-place = These are more files than can be laid out at once. Nothing was done. Leave some out in “files”.
problem-not-identified = It is not known yet what this download is, so it cannot be laid out. Wait, or say what it is with …/choose.
problem-not-placed = Nothing of this download is in the library.
problem-on-its-way = This download is being laid out, or will go on at any moment. Stop it first.
problem-confirm-needed = This would delete for good what was downloaded. Nothing was done. If that is meant, send it again with torrent=with_data&confirm={ $download }. With torrent=leaves the data stays.
problem-too-many-attempts = Too many wrong tokens came from this address. Wait { $seconds ->
        [one] a second
       *[other] { $seconds } seconds
    } and try again.
problem-too-many-listeners = Too many listen already. Try again later, or ask for the recording now and then.
problem-ending = Verst is being stopped. What was taken in is safe. Try again when it is back.
problem-internal = A defect in Verst ended the request. Please report it with the log of the service.
