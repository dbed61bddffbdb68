//! What the settings say of a recogniser with OpenAI's interface.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use verst_adapters::openai::OpenAiConfig;

use super::Settings;

pub(super) const URL: &str = "https://api.openai.com/v1";
pub(super) const MODEL: &str = "whisper-1";
/// OpenAI's limit is a little higher.
pub(super) const MAX_BYTES: u64 = 25_000_000;
/// Less than this holds no minute of speech.
const LEAST_BYTES: u64 = 500_000;
/// A call has to be over before the lease of its step is.
const LONGEST_CALL: Duration = Duration::from_mins(30);

/// Who hears new recordings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Chosen {
    Engine,
    OpenAi,
}

impl Settings {
    /// Who hears new recordings.
    pub(crate) fn recogniser(&self) -> Chosen {
        self.recogniser
    }

    /// The server; files in the making lie in `scratch`.
    pub(crate) fn openai(&self, scratch: PathBuf) -> OpenAiConfig {
        let set = (self.openai_max_seconds > 0).then(|| self.openai_max_seconds.max(60));
        OpenAiConfig {
            url: self.openai_url.clone(),
            key: self.openai_key.0.clone(),
            model: self.openai_model.clone(),
            paid: self.openai_paid,
            max_bytes: self.openai_max_bytes,
            longest: set.map(Duration::from_secs),
            timeout: Duration::from_secs(self.openai_timeout_s).min(LONGEST_CALL),
            scratch,
        }
    }

    /// Whether what was begun before may be with a recogniser that charges: the chosen one, or one
    /// that was chosen once and still has its key.
    pub(crate) fn may_pay(&self) -> bool {
        let reached = self.recogniser == Chosen::OpenAi || !self.openai_key.0.is_empty();
        self.openai_paid && reached
    }

    /// Values that are of the right kind and make no sense.
    pub(super) fn check_openai(&self) -> Result<(), String> {
        let url = &self.openai_url;
        let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
        let host = host.and_then(|rest| rest.split('/').next()).unwrap_or_default();
        let plain = url.bytes().all(|byte| byte.is_ascii_graphic()) && !url.contains(['?', '#']);
        if host.is_empty() || host.starts_with(':') || host.contains('@') || !plain {
            // It is not repeated: somebody may have put a password into it.
            let like = "is not an address of a server; it looks like `https://host/v1`, and a key \
                        goes to `openai_key`";
            return Err(format!("`openai_url` {like}"));
        }
        if !self.openai_key.0.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("`openai_key` has characters that no key has".to_owned());
        }
        if self.openai_model.is_empty() {
            return Err("`openai_model` is empty; name a model of the server".to_owned());
        }
        if self.openai_max_bytes < LEAST_BYTES {
            return Err(format!("`openai_max_bytes` is below {LEAST_BYTES}"));
        }
        if self.openai_timeout_s == 0 {
            return Err("`openai_timeout_s` is 0; a call takes some seconds at least".to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<(), String> {
        let settings: Settings = toml::from_str(text).unwrap();
        settings.check_openai()
    }

    #[test]
    fn what_makes_no_sense_is_named_by_its_key() {
        for good in [
            "",
            "openai_url = \"http://127.0.0.1:8000/v1\"",
            "openai_url = \"https://[::1]/v1/\"",
            "openai_key = \"sk-1\"\nopenai_max_bytes = 1000000",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for (bad, key) in [
            ("openai_url = \"\"", "openai_url"),
            ("openai_url = \"api.openai.com\"", "openai_url"),
            ("openai_url = \"https://\"", "openai_url"),
            ("openai_url = \"https://me:geheim@host/v1\"", "openai_url"),
            ("openai_url = \"https://host/v1?key=geheim\"", "openai_url"),
            ("openai_key = \"geheim \\n\"", "openai_key"),
            ("openai_model = \"\"", "openai_model"),
            ("openai_max_bytes = 1000", "openai_max_bytes"),
            ("openai_timeout_s = 0", "openai_timeout_s"),
        ] {
            let error = check(bad).err().unwrap_or_else(|| panic!("{bad}"));
            assert!(error.contains(key) && !error.contains("geheim"), "{error}");
        }
    }

    #[test]
    fn limits_keep_within_those_of_the_road() {
        let typed = "openai_max_seconds = 5\nopenai_timeout_s = 86400";
        let settings: Settings = toml::from_str(typed).unwrap();
        let config = settings.openai(PathBuf::new());
        assert_eq!(config.longest, Some(Duration::from_mins(1)));
        assert_eq!(config.timeout, Duration::from_mins(30));
        assert_eq!(Settings::default().openai(PathBuf::new()).longest, None);
        assert_eq!(Settings::default().recogniser(), Chosen::Engine);
        let chosen: Settings = toml::from_str("recogniser = \"openai\"").unwrap();
        assert_eq!(chosen.recogniser(), Chosen::OpenAi);
    }
}
