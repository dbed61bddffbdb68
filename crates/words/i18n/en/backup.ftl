backup-reading = Reading
backup-done = { $recordings ->
        [one] { $recordings } recording
       *[other] { $recordings } recordings
    } and { $objects ->
        [one] { $objects } audio file
       *[other] { $objects } audio files
    } are in the backup ({ $mib } MiB), read back and compared.
backup-sound = { $file } is sound: made { $created }, with { $recordings ->
        [one] { $recordings } recording
       *[other] { $recordings } recordings
    } and { $objects ->
        [one] { $objects } audio file
       *[other] { $objects } audio files
    } ({ $mib } MiB).
backup-secrets = Keep it safe: it holds everything that was said, and the hashes of access tokens. Settings (verst.toml) and models are not in it; back up the settings by themselves.
backup-missing = { $count ->
        [one] { $count } audio file that the database names was not there and is not in the backup.
       *[other] { $count } audio files that the database names were not there and are not in the backup.
    }
backup-nothing = There is no database in { $data } yet, so there is nothing to back up.
backup-exists = { $file } is there already and was left alone. Name another file, or a directory.
backup-busy = Another backup is being written to { $file }. Wait for it or name another file.
backup-interrupted = Interrupted; nothing of it was kept.
backup-full = The disk is full ({ $cause }); nothing of it was kept. Make room or name another place.
backup-no-space = There is too little space for { $file }: { $needed } MiB are needed, { $free } MiB are free. Nothing was changed.
backup-file = { $file } could not be written or read: { $cause }.
backup-object = An audio file could not be read or put in its place ({ $cause }). Mend the cause and run the command again.
backup-database = The database could not be copied or is damaged ({ $cause }). { $file } is of no use.
backup-not-one = { $file } is no backup that Verst has made. Nothing was changed.
backup-future = { $file } was made by a newer version of Verst. Nothing was changed. Install that version.
backup-cut-off = { $file } ends too early: it was not copied to its end. Nothing was changed. Take another copy of it, or an older backup.
backup-damaged = { $file } is damaged: { $cause } is not what it has to be. Nothing was changed. Take another copy of it, or an older backup.

restore-visited = A command of Verst still works in { $data }, so nothing was changed. Wait for it or end it, and run this again.
restore-occupied = There are recordings in { $data } or in { $objects } already, so nothing was changed. Name another data directory, or set aside what is there with --replace.
restore-server-occupied = The database on the server is not empty, so nothing was changed. Make a new one, name it under “database” in the settings, and run this again.
restore-agree = What is in { $data } will be set aside in a directory of its own there, and the backup takes its place. Type yes to go on:
restore-yes = yes
restore-not-agreed = Nothing was changed. To replace what is there, run this again and agree, or add --yes.
restore-aside = What was there lies in { $aside } now. Remove it when you are content.
restore-writing = Writing
restore-done = Restored from the backup of { $created }: { $recordings ->
        [one] { $recordings } recording
       *[other] { $recordings } recordings
    } and { $objects ->
        [one] { $objects } audio file
       *[other] { $objects } audio files
    }.
restore-goes-on = Recordings that were under way go on from where they stood when Verst starts. If the old installation still runs, stop it first: what it does from now on is not known here.
restore-held = Recordings that were under way are stopped, because their recognition may have been paid for since the backup. Let one go on with “verst lift”.
restore-next = Look with “verst doctor”, then start “verst serve”. Access tokens are those of the backup: revoke what should no longer hold.

failure-restored = It was under way when the backup was made that this installation was restored from. Whether its recognition was begun and paid for since then is not known here, so it was stopped. If you are sure that it was not, lift the stop.

health-good = The service at { $address } is well.
health-off = The setting “listen” is empty, so nothing is answered over HTTP and there is nothing to ask.
health-bad = The service at { $address } does not answer as it should. See its log, and “verst doctor”.

serve-processor = The recogniser was built for processors that have { $lacking }; this one does not, so nothing can be recognised here. Recordings are taken in and wait. Use the build for any processor: for a container --build-arg PROCESSOR=any, else TRANSCRIBE_CMAKE_ARGS="-DTRANSCRIBE_X86_CONSERVATIVE=ON" for “cargo build”.
