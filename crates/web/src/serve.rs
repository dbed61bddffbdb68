//! The loop that accepts connections, with a limit on everything that a caller can make last or grow.
//!
//! **Invariant:** no caller holds a connection for longer than the idle time without sending or taking
//! anything, except who listens to events.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use axum::http::header::EXPECT;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;
use tower_http::timeout::TimeoutBody;
use tracing::{debug, warn};

use crate::app::{App, House, Inner};
use crate::config::Config;
use crate::linger::Lingering;
use crate::routes::routes;
use crate::visit::Peer;

/// Headers of a request, all together, with its first line.
const HEAD_BYTES: usize = 32 * 1024;
/// What is read ahead of a connection: many uploads at once must not add up.
const BUFFER_BYTES: usize = 64 * 1024;
/// Headers of a request.
const HEADERS: usize = 64;
/// How long a head may take; also how long a connection may do nothing between two requests.
const HEAD_TIME: Duration = Duration::from_secs(20);
/// What uploads that were cut off get to clear away what they left.
const CLEARING: Duration = Duration::from_secs(2);
/// After an accept that failed: descriptors have run out, and some may come back.
const BREATH: Duration = Duration::from_millis(100);

/// Answers until it is told to end. What is under way then gets the time that the settings name.
pub async fn serve(house: House, config: Config, listener: TcpListener, end: CancellationToken) {
    let app = Inner::new(house, config, end.clone());
    let router = routes(app.clone());
    let connections = GracefulShutdown::new();
    let seats = Arc::new(Semaphore::new(app.config.connections));
    loop {
        // Who finds no seat waits in the queue of the operating system.
        let seat = tokio::select! {
            () = end.cancelled() => break,
            seat = seats.clone().acquire_owned() => seat,
        };
        let accepted = tokio::select! {
            () = end.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, from)) => {
                let connection = connection(&app, router.clone(), stream, Peer(from));
                let connection = connections.watch(connection);
                tokio::spawn(async move {
                    if let Err(error) = connection.await {
                        debug!(%error, "a connection ended early");
                    }
                    drop(seat);
                });
            }
            Err(error) => {
                warn!(%error, "no connection could be accepted");
                sleep(BREATH).await;
            }
        }
    }
    drop(listener);
    app.tasks.close();
    let all = async {
        connections.shutdown().await;
        app.tasks.wait().await;
    };
    if timeout(app.config.grace, all).await.is_err() {
        app.cut.cancel();
        // What is left after that, the sweep finds.
        let _ = timeout(CLEARING, app.tasks.wait()).await;
    }
}

type Connection = http1::Connection<TokioIo<Pin<Box<TimeoutStream<TcpStream>>>>, Answers>;

fn connection(app: &App, router: Router, stream: TcpStream, peer: Peer) -> Connection {
    // Small answers must not wait for more to be said.
    let _ = stream.set_nodelay(true);
    let idle = app.config.idle;
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(idle));
    let answers = Answers { router, peer, idle };
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_headers(HEADERS)
        .max_header_size(HEAD_BYTES)
        .max_buf_size(BUFFER_BYTES)
        .serve_connection(TokioIo::new(Box::pin(stream)), answers)
}

/// The routes for one connection.
struct Answers {
    router: Router,
    peer: Peer,
    idle: Duration,
}

impl Service<Request<Incoming>> for Answers {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        // Who asks first whether to send anything is not listened to longer than to the answer.
        let asks = request.headers().contains_key(EXPECT);
        let mut request = request.map(|body| {
            let body = Body::new(TimeoutBody::new(self.idle, body));
            if asks { body } else { Body::new(Lingering::new(body)) }
        });
        request.extensions_mut().insert(self.peer);
        Box::pin(self.router.clone().oneshot(request))
    }
}
