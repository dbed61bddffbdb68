## verst models list
models-head-name = name
models-head-state = state
models-head-size = size
models-head-memory = memory
models-head-fits = fits now
models-head-languages = languages
models-head-errors = errors
models-head-licence = licence
models-used = in use
models-used-for = in use for { $languages }
models-here = here
models-begun = begun
models-absent = –
models-fits = yes
models-too-large = no
models-languages = { $count ->
        [one] one language
       *[other] { $count } languages
    }
models-size = { $mb } MB
models-note-estimates = Memory is what the recogniser needs with the model; ~ marks an estimate.
models-note-errors = Errors are the published part of words that are wrong (for speakers: of time), from { $sources }; figures of different sets cannot be compared.
models-note-hashes = Nobody has told this version of Verst what the files of { $names } must hash to. “verst models pull” takes that from the server, keeps it beside the file and checks against it from then on.

## Advice
models-first-try = { $model }: made for a first try; larger models make far fewer mistakes.
models-better = For { $language } there is { $title }: verst models pull { $name }, then verst models use { $name } --for { $code }.
models-better-here = For { $language } { $title } is here already: verst models use { $name } --for { $code }.
models-for-ru = Russian
models-for-en = English

## verst models pull
models-unknown = There is no model “{ $name }”. Those that are known: { $known }.
models-bundled = { $name } comes with Verst; there is nothing to fetch.
models-hash-unusable = --sha256 takes 64 hexadecimal digits, and one model at a time.
models-directory-unusable = The directory for models, { $path }, cannot be made: { $cause }. Check its permissions and its disk.
models-here-already = { $name } is here already: { $path }
models-pulling = { $name }: fetching about { $size }.
models-pulled = { $name } is here, { $size }, checked: { $path }
models-pulled-unknown = { $name } is here, { $size }, and is what the server said it would be: { $path }. Its hash, should you want to compare it with somebody's: { $hash }
models-pull-busy = { $name } is being fetched by another process. Wait for it, or end it.
models-pull-address = { $name } cannot be fetched: the setting “models_mirror” is not an address such as https://huggingface.co.
models-pull-missing = { $name } is not on the server. Check the setting “models_mirror”; if it is right, the file was moved, and a newer version of Verst may know where to.
models-pull-refused = The server does not give { $name } to us ({ $cause }). Check the setting “models_mirror”, or fetch the file with a browser and put it into the directory of models.
models-pull-broken = { $name } did not come whole: { $cause }. What came is kept; run the same command again to go on. Behind a proxy, set HTTPS_PROXY.
models-pull-redirected = { $name } cannot be fetched: the server sends us round in circles or to an unprotected address. Check the setting “models_mirror”.
models-pull-no-hash = { $name } was not fetched: neither this version of Verst nor the server knows what it must hash to. If you know it, give it with --sha256.
models-pull-wrong-hash = { $name } is not what it should be: its SHA-256 is { $found } and has to be { $expected }. Nothing of it was kept. Try again, or another server.
models-pull-too-large = { $name } is larger on the server than it may be ({ $limit } MB). Nothing of it is used. Check the setting “models_mirror”.
models-pull-no-room = The disk has no room for { $name }: { $needed } MB are needed, { $free } MB are free. Free some space and run the command again.
models-pull-unwritable = { $name } could not be written: { $cause }. Check permissions and disk, and run the command again.

## verst models remove
models-remove-bundled = { $name } comes with Verst and was left alone. To remove it all the same, add --force.
models-remove-used = { $name } is in use and was left alone. Use another model first, or add --force.
models-remove-absent = { $name } is not here; there is nothing to remove.
models-remove-failed = { $path } cannot be removed: { $cause }.
models-removed = { $name } was removed.

## verst models use
models-use-absent = { $name } is not here yet. Fetch it first: verst models pull { $name }
models-use-by-itself = { $name } does not turn speech into text. It is used by itself as soon as it is here.
models-use-wrong-language = { $name } does not know the language { $language }.
models-use-unsayable = The setting cannot say “{ $name }”: a name or path in it has no comma. Rename the file.
models-use-variable = The variable { $variable } holds over the settings file, so nothing was changed. Set it to “{ $value }”, or remove it.
models-use-unwritable = The settings file { $file } cannot be written: { $cause }. Nothing was changed.
models-use-done = { $name } will be used; { $file } says so. If Verst is running, restart it.
models-use-done-for = { $name } will be used for recordings in { $language }; { $file } says so. If Verst is running, restart it.

## verst doctor
doctor-speakers = Speakers

## Failures and warnings
failure-model-too-large = The speech model { $model } needs about { $need_mb } MB of memory, and { $free_mb } MB can be had, so recordings wait. Free some memory, raise the limit, or use a smaller model: verst models list. Work goes on by itself.
warning-speakers-unknown = Speakers could not be told apart; the text is all there, without their names.
