//! The way to a server, which a test shuts behind a request of its choice: that one is answered by
//! the server and the answer is kept, and nothing comes through any more until it is opened.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

/// What its connections share.
struct Gate {
    /// What the request begins with.
    mark: &'static [u8],
    /// The address that requests are sent to, and that of the server, which wants its own.
    called: [String; 2],
    /// Whether it shuts behind the next such request.
    armed: AtomicBool,
    /// Such requests so far.
    count: AtomicUsize,
    shut: Mutex<bool>,
    moved: Condvar,
}

pub(super) struct Sluice {
    gate: Arc<Gate>,
    at: SocketAddr,
}

impl Sluice {
    /// A way to this address, open until a request comes that begins so.
    pub(super) fn before(server: SocketAddr, mark: &'static [u8]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let at = listener.local_addr().unwrap();
        let gate = Arc::new(Gate {
            mark,
            called: [at, server].map(|address| address.to_string()),
            armed: AtomicBool::new(true),
            count: AtomicUsize::new(0),
            shut: Mutex::default(),
            moved: Condvar::new(),
        });
        let every = gate.clone();
        thread::spawn(move || {
            for here in listener.incoming().map_while(Result::ok) {
                let there = TcpStream::connect(server).unwrap();
                every.join(&here, &there);
            }
        });
        Self { gate, at }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.at)
    }

    /// Such requests so far.
    pub(super) fn count(&self) -> usize {
        self.gate.count.load(Ordering::SeqCst)
    }

    /// Waits until it is shut.
    pub(super) fn wait_until_shut(&self) {
        let shut = self.gate.shut.lock().unwrap();
        drop(self.gate.moved.wait_while(shut, |shut| !*shut).unwrap());
    }

    /// Opens it for good.
    pub(super) fn open(&self) {
        *self.gate.shut.lock().unwrap() = false;
        self.gate.moved.notify_all();
    }
}

impl Gate {
    /// Carries what comes to the other side, both ways.
    fn join(self: &Arc<Self>, here: &TcpStream, there: &TcpStream) {
        let ways = [(here, there, true), (there, here, false)];
        for (from, to, asks) in ways {
            let (gate, mut from, mut to) =
                (self.clone(), from.try_clone().unwrap(), to.try_clone().unwrap());
            thread::spawn(move || {
                let mut some = vec![0; 64 << 10];
                while let Ok(read @ 1..) = from.read(&mut some) {
                    gate.pass(&some[..read], asks);
                    let sent = if asks {
                        to.write_all(&gate.readdressed(&some[..read]))
                    } else {
                        to.write_all(&some[..read])
                    };
                    if sent.is_err() {
                        break;
                    }
                }
                let _ = to.shutdown(Shutdown::Both);
            });
        }
    }

    /// Returns when these bytes may go on. The request that it shuts behind goes on with its body.
    fn pass(&self, some: &[u8], asks: bool) {
        let mut shut = self.shut.lock().unwrap();
        if asks && some.starts_with(self.mark) {
            self.count.fetch_add(1, Ordering::SeqCst);
            if self.armed.swap(false, Ordering::SeqCst) {
                *shut = true;
                self.moved.notify_all();
                return;
            }
        }
        let body = asks && !some.starts_with(b"GET ") && !some.starts_with(b"POST ");
        if !body {
            drop(self.moved.wait_while(shut, |shut| *shut).unwrap());
        }
    }

    /// With the server's own address instead of this one.
    fn readdressed(&self, some: &[u8]) -> Vec<u8> {
        let [ours, theirs] = &self.called;
        assert_eq!(ours.len(), theirs.len(), "ports that systems choose have five digits");
        let mut some = some.to_vec();
        let found = some.windows(ours.len()).position(|it| it == ours.as_bytes());
        if let Some(at) = found {
            some[at..at + ours.len()].copy_from_slice(theirs.as_bytes());
        }
        some
    }
}
