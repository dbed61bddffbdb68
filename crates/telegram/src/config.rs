//! What the bot is told by the settings.
//!
//! **Invariant:** a token is printed by nothing.

use std::fmt;
use std::path::PathBuf;

use reqwest::Url;
use thiserror::Error;

/// Telegram's own server.
pub const OFFICIAL_API: &str = "https://api.telegram.org";
/// The largest file that Telegram's own server hands out: 20 MB, as it counts them.
const OFFICIAL_FILE_BYTES: u64 = 20 * 1024 * 1024;

/// What proves to Telegram that we are the bot.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Reads a token: a number, a colon, and a secret.
    pub fn parse(text: &str) -> Option<Self> {
        let (number, secret) = text.split_once(':')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        let is_secret = (20..=100).contains(&secret.len()) && secret.bytes().all(part);
        (is_number && number.len() <= 20 && is_secret).then(|| Self(text.to_owned()))
    }

    pub(crate) fn secret(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// What is set, checked.
#[derive(Clone, Debug)]
pub struct Config {
    pub(crate) token: Token,
    pub(crate) api: String,
    /// Users and chats that may use the bot.
    pub(crate) allow: Vec<i64>,
    /// Users who see everything.
    pub(crate) admins: Vec<i64>,
    /// Where a server on this machine puts files.
    pub(crate) files: Option<PathBuf>,
    /// Where people reach the panel.
    pub(crate) public_url: Option<String>,
    /// The same, where it can be in a button.
    pub(crate) panel: Option<String>,
    /// The largest file that is taken in.
    pub(crate) largest_bytes: u64,
}

/// What is wrong with a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    /// The token.
    #[error("`telegram_token` is not a token as @BotFather gives it")]
    Token,
    /// The address of the server.
    #[error("`telegram_api_url` is not an address of http or https")]
    Api,
    /// A list of users or chats.
    #[error(
        "`telegram_allow` and `telegram_admins` are numbers of users and chats, separated by commas"
    )]
    Numbers,
    /// The directory of files.
    #[error("`telegram_files` is not an absolute path")]
    Files,
}

impl Config {
    /// Checks what is typed. Lists are separated by commas or spaces; empty values are not set.
    pub fn new(
        token: &str,
        api: &str,
        allow: &str,
        admins: &str,
        files: &str,
    ) -> Result<Self, ConfigError> {
        let token = Token::parse(token.trim()).ok_or(ConfigError::Token)?;
        let url = Url::parse(api).map_err(|_| ConfigError::Api)?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() || url.query().is_some() {
            return Err(ConfigError::Api);
        }
        let files = (!files.is_empty()).then(|| PathBuf::from(files));
        if files.as_ref().is_some_and(|path| !path.is_absolute()) {
            return Err(ConfigError::Files);
        }
        Ok(Self {
            token,
            api: api.trim_end_matches('/').to_owned(),
            allow: numbers(allow)?,
            admins: numbers(admins)?,
            files,
            public_url: None,
            panel: None,
            largest_bytes: OFFICIAL_FILE_BYTES,
        })
    }

    /// The same, with what other settings say: where people reach the panel, and the largest file.
    #[must_use]
    pub fn within(mut self, public_url: Option<String>, largest_bytes: u64) -> Self {
        let official = self.api == OFFICIAL_API;
        self.public_url = public_url.map(|url| url.trim_end_matches('/').to_owned());
        // With another address in a button, Telegram refuses the whole message.
        let host =
            |url: &String| Url::parse(url).ok().and_then(|it| it.host_str().map(str::to_owned));
        let fits = |url: &String| host(url).is_some_and(|host| host.contains('.'));
        self.panel = self.public_url.clone().filter(fits);
        self.largest_bytes =
            if official { largest_bytes.min(OFFICIAL_FILE_BYTES) } else { largest_bytes };
        self
    }
}

fn numbers(typed: &str) -> Result<Vec<i64>, ConfigError> {
    let parts = typed.split([',', ' ']).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().map_err(|_| ConfigError::Numbers)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "123456:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc";

    fn of(token: &str, api: &str, allow: &str, files: &str) -> Result<Config, ConfigError> {
        Config::new(token, api, allow, "", files)
    }

    #[test]
    fn what_is_typed_is_checked() {
        let config = of(TOKEN, "http://bot-api:8081/", "7, -100123 9", "/files").unwrap();
        assert_eq!(config.api, "http://bot-api:8081");
        assert_eq!(config.allow, [7, -100_123, 9]);
        assert_eq!(config.files, Some(PathBuf::from("/files")));
        for wrong in ["", "123456", ":AAEhBOweik6ad9r_QXMENQjcrGbqCr4K", "1:short", "1:a/b?c"] {
            assert_eq!(of(wrong, OFFICIAL_API, "", "").err(), Some(ConfigError::Token), "{wrong}");
        }
        for wrong in ["", "api.telegram.org", "ftp://a", "http://a/?b"] {
            assert_eq!(of(TOKEN, wrong, "", "").err(), Some(ConfigError::Api), "{wrong}");
        }
        assert_eq!(of(TOKEN, OFFICIAL_API, "@anna", "").err(), Some(ConfigError::Numbers));
        assert_eq!(of(TOKEN, OFFICIAL_API, "", "files").err(), Some(ConfigError::Files));
    }

    #[test]
    fn the_official_server_has_a_limit_of_its_own() {
        let limit = |api, ours| of(TOKEN, api, "", "").unwrap().within(None, ours).largest_bytes;
        assert_eq!(limit(OFFICIAL_API, 1 << 32), 20 << 20);
        assert_eq!(limit(OFFICIAL_API, 1 << 20), 1 << 20);
        assert_eq!(limit("http://127.0.0.1:8081", 1 << 32), 1 << 32);
    }

    #[test]
    fn a_button_leads_only_where_telegram_lets_it() {
        let panel = |url: &str| {
            let config = of(TOKEN, OFFICIAL_API, "", "").unwrap();
            config.within(Some(url.to_owned()), 1).panel
        };
        assert_eq!(panel("https://a.test/verst/").as_deref(), Some("https://a.test/verst"));
        assert_eq!(panel("http://192.168.1.5:8377").as_deref(), Some("http://192.168.1.5:8377"));
        assert_eq!([panel("http://localhost:8377"), panel("http://nas/")], [None, None]);
    }

    #[test]
    fn a_token_is_not_printed() {
        let config = of(TOKEN, OFFICIAL_API, "", "").unwrap();
        assert!(!format!("{config:?}").contains("AAEhBO"));
    }
}
