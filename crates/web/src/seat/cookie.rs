//! The cookie of a session.
//!
//! **Invariant:** no script reads it, no other site's form sends it along, and behind https no other
//! host can set it and no connection carries it in the clear.

use std::time::Duration;

use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};

use crate::config::Config;

/// Browsers take a name that begins so from this host alone, over https alone:
/// <https://www.rfc-editor.org/rfc/rfc6265#section-4.1.2>, and its successor's section 4.1.3.
const SECURE: &str = "__Host-verst";
const PLAIN: &str = "verst";
/// Longer than any secret.
const LONGEST: usize = 64;

fn name(config: &Config) -> &'static str {
    if config.is_secure() { SECURE } else { PLAIN }
}

/// The secret that a browser shows. Of two it is not known which is ours, so there is none.
pub(super) fn secret<'a>(config: &Config, headers: &'a HeaderMap) -> Option<&'a str> {
    let name = name(config);
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.split_once('='));
    let mut ours = pairs.filter(|(key, _)| key.trim() == name).map(|(_, value)| value.trim());
    let one = ours.next().filter(|secret| (1..=LONGEST).contains(&secret.len()))?;
    if ours.next().is_some() { None } else { Some(one) }
}

/// Gives a browser a secret for so long.
pub(super) fn given(config: &Config, secret: &str, age: Duration) -> HeaderValue {
    let end = if config.is_secure() { "; Secure" } else { "" };
    let (name, age) = (name(config), age.as_secs());
    let cookie = format!("{name}={secret}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{end}");
    // Secrets are letters and digits.
    HeaderValue::try_from(cookie).unwrap_or_else(|_| taken(config))
}

/// Takes it away.
pub(super) fn taken(config: &Config) -> HeaderValue {
    HeaderValue::from_static(if config.is_secure() {
        "__Host-verst=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure"
    } else {
        "verst=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Typed;

    fn config(public_url: &str) -> Config {
        let typed = Typed { public_url, ..Typed::default() };
        Config::new(&typed, "127.0.0.1:8377".parse().unwrap()).unwrap()
    }

    #[test]
    fn one_cookie_of_ours_is_read() {
        let plain = config("");
        for (sent, read) in [
            (&["verst=abc"][..], Some("abc")),
            (&["theme=dark; verst=abc; x=y"], Some("abc")),
            (&["theme=dark", "verst=abc"], Some("abc")),
            (&["verst=abc; verst=def"], None),
            (&["verst=abc", "verst=abc"], None),
            (&["__Host-verst=abc"], None),
            (&["verst="], None),
            (&["xverst=abc"], None),
            (&[], None),
        ] {
            let mut headers = HeaderMap::new();
            for line in sent {
                headers.append(COOKIE, HeaderValue::from_static(line));
            }
            assert_eq!(secret(&plain, &headers), read, "{sent:?}");
        }
    }

    #[test]
    fn behind_https_a_cookie_is_for_https_and_this_host_alone() {
        let (plain, secure) =
            (config("http://verst.example.org"), config("https://verst.example.org"));
        let hour = Duration::from_hours(1);
        assert_eq!(
            given(&plain, "abc", hour),
            "verst=abc; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax"
        );
        assert_eq!(
            given(&secure, "abc", hour),
            "__Host-verst=abc; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure"
        );
    }
}
