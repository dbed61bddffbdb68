//! An S3 server of a test's own, on a free port of this machine: `s3s-fs`, which keeps objects as
//! files.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use verst_adapters::objects::Credentials;

/// Its one key.
const KEY: (&str, &str) = ("VERSTTESTKEY", "verst-test-secret");

/// A server with one bucket, gone with the value. Its objects are gone with their directory.
pub struct S3 {
    address: SocketAddr,
    root: tempfile::TempDir,
    stop: Arc<Notify>,
    thread: Option<JoinHandle<()>>,
}

impl S3 {
    /// The bucket that is there.
    pub const BUCKET: &'static str = "verst";

    /// Starts one.
    pub fn start() -> Self {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join(Self::BUCKET)).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let stop = Arc::new(Notify::new());
        let mut server = Self { address, root, stop, thread: None };
        server.serve(listener);
        server
    }

    fn serve(&mut self, listener: TcpListener) {
        let (root, stop) = (self.root.path().to_owned(), Arc::clone(&self.stop));
        self.thread = Some(thread::spawn(move || serve(listener, &root, &stop)));
    }

    /// Where it is.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What a client needs to know.
    pub fn credentials(&self) -> Credentials {
        Credentials {
            endpoint: self.endpoint(),
            region: "us-east-1".to_owned(),
            access_key_id: KEY.0.to_owned(),
            secret_access_key: KEY.1.to_owned(),
        }
    }

    /// The lines of a settings file that lead here.
    pub fn settings(&self) -> String {
        format!(
            "objects = \"s3://{}/audio\"\ns3_endpoint = \"{}\"\ns3_region = \"us-east-1\"\n\
             s3_access_key_id = \"{}\"\ns3_secret_access_key = \"{}\"\n",
            Self::BUCKET,
            self.endpoint(),
            KEY.0,
            KEY.1
        )
    }

    /// Where its objects are files.
    pub fn bucket(&self) -> std::path::PathBuf {
        self.root.path().join(Self::BUCKET)
    }

    /// Ends it; nobody answers at its address.
    pub fn stop(&mut self) {
        self.stop.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }

    /// Starts it again at the same address with the same objects.
    pub fn start_again(&mut self) {
        let listener = TcpListener::bind(self.address).unwrap();
        self.serve(listener);
    }
}

impl Drop for S3 {
    fn drop(&mut self) {
        self.stop();
    }
}

fn serve(listener: TcpListener, root: &Path, stop: &Notify) {
    let mut service = S3ServiceBuilder::new(FileSystem::new(root).unwrap());
    service.set_auth(SimpleAuth::from_single(KEY.0, KEY.1));
    let service = service.build();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        listener.set_nonblocking(true).unwrap();
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        let mut connections = JoinSet::new();
        let http = Builder::new(TokioExecutor::new());
        loop {
            let socket = tokio::select! {
                () = stop.notified() => break,
                accepted = listener.accept() => accepted.unwrap().0,
            };
            let connection =
                http.serve_connection(TokioIo::new(socket), service.clone()).into_owned();
            connections.spawn(async move {
                let _ = connection.await;
            });
        }
    });
}
