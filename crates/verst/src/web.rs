//! The face over HTTP of a running service, and what is said of it at the start.

use std::net::SocketAddr;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use verst_web::Config;
use verst_words::Arg;

use crate::house::House;
use crate::refusal::Refusal;
use crate::tongue::Tongue;

/// A place to answer at, taken before any work begins: whoever starts a second service on it is
/// told at once.
pub(crate) struct Web {
    listener: TcpListener,
    at: SocketAddr,
    config: Config,
}

impl Web {
    /// Takes the place that the settings name, if they name one.
    pub(crate) async fn listen(house: &House) -> Result<Option<Self>, Refusal> {
        let Some(listen) = house.settings.listen() else { return Ok(None) };
        let taken = async {
            let listener = TcpListener::bind(listen).await?;
            let at = listener.local_addr()?;
            Ok::<_, std::io::Error>((listener, at))
        };
        let (listener, at) = taken.await.map_err(|error| {
            let args = vec![("listen", listen.to_owned()), ("cause", error.to_string())];
            Refusal::Setup("serve-cannot-listen", args)
        })?;
        let config = house.settings.web(at).map_err(|error| {
            Refusal::Setup("serve-web-settings", vec![("cause", error.to_string())])
        })?;
        Ok(Some(Self { listener, at, config }))
    }

    /// Answers from now on, and says where. While nobody has a token, says how to get the first.
    pub(crate) async fn start(
        self,
        house: &House,
        end: CancellationToken,
        tongue: &Tongue,
    ) -> Result<JoinHandle<()>, Refusal> {
        let url = house.settings.address(self.at);
        let args = [("url", Arg::Text(&url))];
        tongue.err(&tongue.say("serve-listens", &args));
        if let Some(token) = house.service.offer_setup().await? {
            let args = [("url", Arg::Text(&url)), ("token", Arg::Text(&token))];
            tongue.err(&tongue.say("serve-setup", &args));
        }
        let served = verst_web::serve(house.web(), self.config, self.listener, end);
        Ok(tokio::spawn(served))
    }
}
