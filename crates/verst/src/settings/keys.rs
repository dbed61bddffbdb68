//! Every key of the settings, in the order of the reference page: what it means, and whether its
//! value is a secret.

/// A key.
pub(crate) struct Key {
    /// As it is typed in the file. In the environment it is `VERST_` and the name in capitals.
    pub(crate) name: &'static str,
    /// For the reference.
    pub(crate) meaning: &'static str,
    /// Whether its value is never shown, and may lie in a file of its own.
    pub(crate) secret: bool,
}

const fn key(name: &'static str, meaning: &'static str) -> Key {
    Key { name, meaning, secret: false }
}

const fn secret(name: &'static str, meaning: &'static str) -> Key {
    Key { name, meaning, secret: true }
}

/// Every key, in the order of the reference.
pub(crate) const KEYS: &[Key] = &[
    key(
        "workers",
        "How many pieces of work run at the same time. 0 takes work in and lets it wait.",
    ),
    key(
        "own_patience_s",
        "Seconds a recording may stand at a milestone that our own step leaves before it is stopped as stuck.",
    ),
    key("foreign_patience_s", "The same where a recogniser is waited for."),
    key("failures", "Attempts at a milestone before the recording is stopped."),
    key("pause_base_s", "Seconds before the first retry; doubles with each further one."),
    key("pause_cap_s", "The longest pause before a retry, in seconds."),
    key("largest_bytes", "The largest file that is taken in, in bytes."),
    key("keep_originals", "Whether the file that was handed in is kept once its text is there."),
    secret(
        "database",
        "Where the database is. Empty: a file in the data directory. `postgres://user:password@host/name`: a PostgreSQL server.",
    ),
    key(
        "objects",
        "Where audio lies. Empty: in the data directory. An absolute path: a directory that hosts share. `s3://bucket/prefix`: a bucket that hosts share.",
    ),
    key(
        "s3_endpoint",
        "Address of the S3 server, as in `https://s3.example.org`. Empty: Amazon's, or the variable `AWS_ENDPOINT`.",
    ),
    key("s3_region", "Region of the bucket. Empty: the variable `AWS_REGION`."),
    key("s3_access_key_id", "Access key. Empty: the variable `AWS_ACCESS_KEY_ID`."),
    secret(
        "s3_secret_access_key",
        "Secret access key. Empty: the variable `AWS_SECRET_ACCESS_KEY`.",
    ),
    key(
        "durability",
        "`full`: every commit survives a loss of power. `normal`: faster, the last commits may be lost.",
    ),
    key("models", "Directory of speech models. Empty: `models` beside the program or above it."),
    key(
        "model",
        "Speech model: a name that `verst models list` shows, a file's name in that directory or among those that were pulled, or a path.",
    ),
    key(
        "models_by_language",
        "Models for recordings in certain languages, as in `ru=gigaam-v3-e2e, en=parakeet-tdt-0.6b-v3`. The language is the one that was asked for, else the one that `model` detects.",
    ),
    key(
        "models_mirror",
        "Server that `verst models pull` fetches from: Hugging Face, or a copy of it.",
    ),
    key(
        "diarise",
        "`auto`: speakers are told apart where a model for it was pulled. `off`: they are not.",
    ),
    key("threads", "Threads of the recogniser. 0: one per core."),
    key(
        "engine_memory_bytes",
        "Address space the recogniser's process may use, in bytes. 0: no limit.",
    ),
    key(
        "engine_idle_s",
        "Seconds after which an idle recogniser's process ends and gives its memory back.",
    ),
    key(
        "recogniser",
        "Who hears new recordings. `engine`: Verst itself. `openai`: the server named by the keys below ([openai.md](openai.md)).",
    ),
    key("openai_url", "Address of a server with OpenAI's interface, up to and with its version."),
    secret("openai_key", "Key for that server. Empty: none is sent."),
    key("openai_model", "The model there, where a recording asks for no other."),
    key("openai_paid", "Whether calls there cost money: then none is repeated without a person."),
    key("openai_max_bytes", "The largest request it takes, in bytes. Longer recordings are cut."),
    key(
        "openai_max_seconds",
        "The longest recording it takes at once, in seconds. 0: no limit, or what is known of the model.",
    ),
    key("openai_timeout_s", "Seconds a call there may take in all, at most 1800."),
    key("shutdown_grace_s", "Seconds that running work gets to end when Verst is told to stop."),
    key(
        "confine",
        "How FFmpeg and the recogniser are kept from other files, from networks and from other programs. `auto`: as far as this kernel can. `required`: wholly, or recordings wait. `off`: not at all.",
    ),
    key(
        "allow_private_addresses",
        "Whether Verst may send requests to addresses of your own network and of this machine: recordings fetched by address, the webhook.",
    ),
    secret(
        "webhook_url",
        "Address that is told when a recording is done or stopped. Empty: none is.",
    ),
    secret(
        "webhook_secret",
        "What the webhook is signed with: `whsec_` and 24 to 64 random bytes in base64. A new and an old one, separated by a space, sign both.",
    ),
    key(
        "webhook_events",
        "Which events the webhook is told: `done`, `stopped`, or both, separated by a comma.",
    ),
    key("webhook_timeout_s", "Seconds that the webhook's answer is waited for."),
    key("webhook_text", "Whether the text of the recording is sent to the webhook."),
    key(
        "lang",
        "Language of what Verst writes unasked, into the watched folder and to the webhook: `en` or `ru`. Empty: that of messages.",
    ),
    key("listen", "Address and port where `verst serve` answers over HTTP. Empty: nowhere."),
    key(
        "public_url",
        "Address under which people reach it, as in `https://verst.example.org`, when a proxy stands before it. Empty: derived from `listen`.",
    ),
    key(
        "allowed_hosts",
        "Further names under which programs may address it, separated by commas, as in `verst:8377, 10.0.0.5:8377`. The host of `public_url`, the address of `listen` and, where it is this machine, `localhost` are always among them.",
    ),
    key(
        "trusted_proxies",
        "Addresses or networks of proxies whose `X-Forwarded-For`, `-Proto` and `-Host` are believed, separated by commas.",
    ),
    key(
        "metrics_open",
        "Whether anybody may read `/metrics`. Otherwise it needs an administrator's token, unless `listen` is this machine alone and `public_url` is empty.",
    ),
    key("http_connections", "Connections over HTTP at a time; further ones wait."),
    key(
        "http_idle_s",
        "Seconds after which a caller is cut off who sends, or takes, nothing in the middle of a request.",
    ),
    key("session_idle_days", "Days after which a browser that is not used has to sign in again."),
    key("session_days", "Days after which every browser has to sign in again."),
    key(
        "qbittorrent",
        "Address of qBittorrent's web interface, as in `http://127.0.0.1:8080` ([downloads.md](downloads.md)). Empty: nothing is downloaded.",
    ),
    key("qbittorrent_user", "Who logs in there. Empty where it lets this host in without a login."),
    secret("qbittorrent_password", "With which password."),
    secret("qbittorrent_api_key", "A key instead of both, from qBittorrent 5.2 on."),
    key("qbittorrent_category", "Category of what is added there. Empty: none."),
    key(
        "qbittorrent_paths",
        "What qBittorrent calls its directories and where they lie here, as in `/downloads=/srv/downloads`, separated by commas. Empty: they have the same names.",
    ),
    key(
        "library",
        "Absolute path of the media library. Empty: there is none, and downloads stop when they are identified.",
    ),
    key("library_preset", "How names are made there: `jellyfin` or `plex`."),
    key("library_movies", "Directory of films in the library."),
    key("library_shows", "Directory of series in the library."),
    key(
        "library_link",
        "Where the library is on another file system than the download: `fail`, `copy` or `reflink`. Otherwise files are always hard links.",
    ),
    key("magnet_timeout_h", "Hours that a magnet may be without metadata before it is given up."),
    key(
        "stuck_after_h",
        "Hours without data after which a download is given up as stuck. Either is taken up again by itself when its source comes alive.",
    ),
    secret(
        "telegram_token",
        "Token of a bot, as @BotFather gives it ([telegram.md](telegram.md)). Empty: there is no bot.",
    ),
    key(
        "telegram_api_url",
        "Address of the Bot API server: Telegram's, or one of your own, without which files of more than 20 MB cannot be fetched.",
    ),
    key(
        "telegram_allow",
        "Numbers of the users and chats that may use the bot, separated by commas. Everybody else is turned away.",
    ),
    key(
        "telegram_admins",
        "Numbers of users who may use the bot and, in a chat with it alone, see everything.",
    ),
    key(
        "telegram_files",
        "Absolute path under which a Bot API server of your own puts files. Nothing outside of it is read.",
    ),
    key(
        "watch",
        "Absolute path of a folder whose files are taken in by `verst serve`. Empty: none is watched.",
    ),
    key(
        "watch_after",
        "What becomes of a file that was taken in. `move`: it goes to `taken` in that folder. `keep`: it stays.",
    ),
    key(
        "watch_settle_s",
        "Seconds that a file in the watched folder has to stay unchanged before it is taken in.",
    ),
    key(
        "watch_text",
        "Texts that are written beside a file when it is done, as in `txt,srt`. Empty: none.",
    ),
    key(
        "watch_language",
        "Language spoken in the files of the watched folder, as a two-letter code. Empty: it is detected.",
    ),
];
