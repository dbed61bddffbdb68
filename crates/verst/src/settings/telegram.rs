//! What is set about the bot.

use verst_telegram::Config;

use super::Settings;

impl Settings {
    /// The bot, if there is one. The error is a sentence with the key, and never the token.
    pub(crate) fn telegram(&self) -> Result<Option<Config>, String> {
        let token = &self.telegram_token.0;
        if token.is_empty() {
            return Ok(None);
        }
        let (allow, admins) = (&self.telegram_allow, &self.telegram_admins);
        let (api, files) = (&self.telegram_api_url, &self.telegram_files);
        let config = Config::new(token, api, allow, admins, files).map_err(|it| it.to_string())?;
        let public_url = (!self.public_url.is_empty()).then(|| self.public_url.clone());
        Ok(Some(config.within(public_url, self.largest_bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Secret;
    use super::*;

    #[test]
    fn without_a_token_there_is_no_bot_and_a_wrong_one_is_not_repeated() {
        assert!(Settings::default().telegram().unwrap().is_none());
        let of = |token: &str| {
            let telegram_token = Secret(token.to_owned());
            Settings { telegram_token, ..Settings::default() }.telegram()
        };
        assert!(of("123456:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc").unwrap().is_some());
        let error = of("123456:AAEhBOweik").err().unwrap();
        assert!(error.contains("`telegram_token`") && !error.contains("AAEhBO"), "{error}");
    }
}
