//! Somebody who signs in as a browser does.

use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};
use verst_service::accounts::{AccountId, Role};

use crate::support::{Site, json};

pub(crate) const PASSWORD: &str = "верный пароль";

/// A browser with a session.
pub(crate) struct Browser<'a> {
    site: &'a Site,
    /// As it is sent back.
    pub(crate) cookie: String,
    pub(crate) csrf: String,
}

/// The cookie of an answer, as a browser sends it back.
pub(crate) fn cookie(answer: &Response) -> String {
    let set = answer.headers()["set-cookie"].to_str().unwrap();
    set.split(';').next().unwrap().to_owned()
}

impl Site {
    /// Makes an account with the usual password.
    pub(crate) async fn account(&self, name: &str, role: Role) -> AccountId {
        self.world.service.add_account(name, PASSWORD, role).await.unwrap()
    }

    /// Tries to sign in.
    pub(crate) async fn try_to_sign_in(
        &self,
        name: &str,
        password: &str,
        cookie: Option<&str>,
    ) -> Response {
        let mut request = self.bare(Method::POST, "/api/v1/sessions");
        if let Some(cookie) = cookie {
            request = request.header("cookie", cookie);
        }
        request.json(&json!({ "name": name, "password": password })).send().await.unwrap()
    }

    /// Signs in with the usual password.
    pub(crate) async fn browser(&self, name: &str) -> Browser<'_> {
        let answer = self.try_to_sign_in(name, PASSWORD, None).await;
        Browser::of(self, answer).await
    }
}

impl<'a> Browser<'a> {
    /// Whoever was answered so.
    pub(crate) async fn of(site: &'a Site, answer: Response) -> Self {
        let cookie = cookie(&answer);
        let body = json(answer, 201).await;
        Self { site, cookie, csrf: body["csrf"].as_str().unwrap().to_owned() }
    }

    /// A request that does not vouch for itself.
    pub(crate) fn bare(&self, method: Method, path: &str) -> RequestBuilder {
        self.site.bare(method, path).header("cookie", &self.cookie)
    }

    /// A request.
    pub(crate) fn ask(&self, method: Method, path: &str) -> RequestBuilder {
        self.bare(method, path).header("x-csrf-token", &self.csrf)
    }

    /// Whether the session still lasts.
    pub(crate) async fn lasts(&self) -> bool {
        let answer = self.ask(Method::GET, "/api/v1/me").send().await.unwrap();
        assert!([200, 401].contains(&answer.status().as_u16()), "{}", answer.status());
        answer.status() == 200
    }

    /// What is answered to a request that has to succeed.
    pub(crate) async fn get(&self, path: &str) -> Value {
        json(self.ask(Method::GET, path).send().await.unwrap(), 200).await
    }
}
