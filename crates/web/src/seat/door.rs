//! Signing in and out, for pages and for programs.
//!
//! Nothing here is an answer yet: a page shows what happened in its own form. **Invariant:** an
//! attempt is counted before a password is looked at, so that many at once are as many.

use std::time::Duration;

use axum::http::header::USER_AGENT;
use axum::http::{HeaderMap, HeaderValue};
use verst_service::accounts::{AccountError, Name, NameError, Opened, PasswordError, SignInError};

use super::{Seat, cookie};
use crate::app::App;
use crate::auth::too_often;
use crate::kinds;
use crate::problem::{Answer, Problem};
use crate::trouble::{self, store};
use crate::visit::{Visit, neighbourhood};

/// After this, one of the passwords that are being looked at is done with.
const BREATH: Duration = Duration::from_secs(2);

/// Somebody who came in.
#[derive(Debug)]
pub(crate) struct SignedIn {
    /// For the header `Set-Cookie` of the answer.
    pub(crate) cookie: HeaderValue,
    /// The secret in it.
    secret: String,
}

impl SignedIn {
    fn new(app: &App, opened: Opened) -> Self {
        let age = app.service().session_limits.age;
        Self { cookie: cookie::given(&app.config, &opened.secret, age), secret: opened.secret }
    }

    /// The session itself.
    pub(crate) async fn seat(&self, app: &App) -> Answer<Seat> {
        let seated = app.service().seated(&self.secret).await.map_err(store)?;
        Ok(seated.map(Seat::from).ok_or(kinds::SESSION_NEEDED)?)
    }
}

/// Why somebody did not come in.
#[derive(Debug)]
pub(crate) enum NotIn {
    /// Name or password.
    Wrong,
    /// Too many attempts; the next is listened to after this.
    Throttled(Duration),
    /// The account is disabled.
    Disabled,
    /// The setup token is wrong, or no longer needed.
    SetupRefused,
    /// No name for an account.
    Name(NameError),
    /// No password for an account.
    Password(PasswordError),
    /// Something else.
    Trouble(Problem),
}

impl From<NotIn> for Problem {
    /// The same as a program is told it. Its failure has a sentence for people.
    fn from(not_in: NotIn) -> Self {
        match not_in {
            NotIn::Wrong => kinds::SIGN_IN_WRONG.into(),
            NotIn::Throttled(wait) => too_often(wait, kinds::TOO_MANY_SIGN_INS),
            NotIn::Disabled => kinds::ACCOUNT_DISABLED.into(),
            NotIn::SetupRefused => kinds::SETUP_REFUSED.into(),
            NotIn::Name(error) => trouble::name(error),
            NotIn::Password(error) => trouble::password(error),
            NotIn::Trouble(problem) => problem,
        }
    }
}

/// Opens a session for whoever knows the password, and ends the one that the browser had.
pub(crate) async fn sign_in(
    app: &App,
    visit: &Visit,
    headers: &HeaderMap,
    name: &str,
    password: &str,
) -> Result<SignedIn, NotIn> {
    let from = neighbourhood(visit.address);
    let called = Name::new(name).map_or_else(|_| String::new(), |name| name.folded().to_owned());
    if let Some(wait) = app.throttle.attempt(from, &called) {
        return Err(NotIn::Throttled(wait));
    }
    let earlier = cookie::secret(&app.config, headers);
    let opened = app.service().sign_in(name, password, agent(headers), earlier).await;
    let opened = opened.map_err(|error| match error {
        SignInError::Wrong => NotIn::Wrong,
        SignInError::Disabled => NotIn::Disabled,
        SignInError::Busy(_) => NotIn::Throttled(BREATH),
        SignInError::Store(error) => NotIn::Trouble(store(error)),
    })?;
    app.throttle.came_in(from, &called);
    Ok(SignedIn::new(app, opened))
}

/// Changes the password of somebody who knows it. Their other sessions end. It is guessed no oftener
/// than when signing in.
pub(crate) async fn change_password(
    app: &App,
    seat: &Seat,
    current: &str,
    password: &str,
) -> Answer<()> {
    if let Some(wait) = app.throttle.attempt_at_seat(&seat.account.name) {
        return Err(NotIn::Throttled(wait).into());
    }
    let (name, keep) = (&seat.account.name, Some(seat.session));
    let changed = app.service().change_password(name, current, password, keep).await;
    changed.map_err(trouble::account)
}

/// Ends the session. Answers what takes the cookie away, for the header `Set-Cookie`.
pub(crate) async fn sign_out(app: &App, seat: &Seat) -> Answer<HeaderValue> {
    let ended = app.service().sessions.end_session(seat.account.id, seat.session).await;
    ended.map_err(store)?;
    Ok(cookie::taken(&app.config))
}

/// Makes the first account, an admin, with the setup token of a first start, and signs it in.
pub(crate) async fn found_first_account(
    app: &App,
    visit: &Visit,
    headers: &HeaderMap,
    setup: &str,
    name: &str,
    password: &str,
) -> Result<SignedIn, NotIn> {
    let from = neighbourhood(visit.address);
    if let Some(wait) = app.throttle.wait(from, setup) {
        return Err(NotIn::Throttled(wait));
    }
    let made = app.service().found_account(setup.trim(), name, password).await;
    let account = made.map_err(|error| match error {
        AccountError::Name(error) => NotIn::Name(error),
        AccountError::Password(error) => NotIn::Password(error),
        AccountError::SetupRefused => {
            app.throttle.wrong(from, setup);
            NotIn::SetupRefused
        }
        AccountError::Busy(_) => NotIn::Throttled(BREATH),
        other => NotIn::Trouble(trouble::account(other)),
    })?;
    let earlier = cookie::secret(&app.config, headers);
    let opened = app.service().open_session(account, agent(headers), earlier).await;
    let opened = opened.map_err(|error| NotIn::Trouble(store(error)))?;
    opened.map(|opened| SignedIn::new(app, opened)).ok_or(NotIn::Disabled)
}

fn agent(headers: &HeaderMap) -> &str {
    headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default()
}
