//! A host in a network of its own that is cut off from the database: it stops working and comes back
//! by itself. Making networks takes root, which the continuous integration is.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::thread;

use verst_testkit::{S3, Schema};

use super::support::{Place, clip, models};

/// A network of one host and its way here, gone with the value.
struct Network {
    name: String,
    here: String,
}

fn ip(args: &str) {
    let done = Command::new("ip").args(args.split(' ')).output().unwrap();
    assert!(done.status.success(), "ip {args}: {}", String::from_utf8_lossy(&done.stderr));
}

impl Network {
    fn new() -> Self {
        let number = std::process::id() % 60_000;
        let (name, here) = (format!("verst{number}"), format!("vh{number}"));
        // Of the addresses for benchmarks, which nobody else uses: RFC 2544.
        let of = |host| format!("198.18.{}.{host}", number % 250);
        ip(&format!("netns add {name}"));
        let network = Self { name, here };
        let (name, here) = (&network.name, &network.here);
        ip(&format!("link add {here} type veth peer name eth0 netns {name}"));
        ip(&format!("addr add {}/24 dev {here}", of(1)));
        ip(&format!("link set {here} up"));
        ip(&format!("-n {name} addr add {}/24 dev eth0", of(2)));
        ip(&format!("-n {name} link set eth0 up"));
        ip(&format!("-n {name} link set lo up"));
        network
    }

    /// Where this machine is, seen from there.
    fn gate(&self) -> String {
        format!("198.18.{}.1", self.name["verst".len()..].parse::<u32>().unwrap() % 250)
    }

    fn cut(&self) {
        ip(&format!("link set {} down", self.here));
    }

    fn mend(&self) {
        ip(&format!("link set {} up", self.here));
    }

    /// A port at the gate that leads to a server of this machine.
    fn lead_to(&self, server: SocketAddr) -> SocketAddr {
        let listener = TcpListener::bind((self.gate().as_str(), 0)).unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            for there in listener.incoming().map_while(Result::ok) {
                let here = TcpStream::connect(server).unwrap();
                for (mut from, mut to) in
                    [(there.try_clone().unwrap(), here.try_clone().unwrap()), (here, there)]
                {
                    thread::spawn(move || {
                        let _ = std::io::copy(&mut from, &mut to);
                        let _ = to.shutdown(std::net::Shutdown::Both);
                    });
                }
            }
        });
        address
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        let _ = Command::new("ip").args(["netns", "del", &self.name]).status();
    }
}

fn server_of(address: &str) -> SocketAddr {
    let host = address.split('@').nth(1).unwrap().split('/').next().unwrap();
    host.trim_start_matches("http://").parse().unwrap()
}

#[test]
fn process_that_is_cut_off_stops_working_and_comes_back() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("not run: making a network takes root");
        return;
    }
    let (schema, s3, network) = (Schema::create(), S3::start(), Network::new());
    let database = server_of(schema.address());
    let at_gate = network.lead_to(database);
    let bucket: SocketAddr = s3.endpoint().trim_start_matches("http://").parse().unwrap();
    let bucket_at_gate = network.lead_to(bucket);
    let settings = |database: &str, s3: &str| {
        Place::with_settings(&format!(
            "database = \"{database}\"\nmodels = \"{}\"\npause_base_s = 1\n{s3}",
            models().display()
        ))
    };
    let here = settings(schema.address(), &s3.settings());
    let there = settings(
        // Its certificate is for "localhost"; what is tried here is the network.
        &format!("{}&sslmode=disable", schema.address())
            .replace(&database.to_string(), &at_gate.to_string()),
        &s3.settings().replace(&bucket.to_string(), &bucket_at_gate.to_string()),
    );
    let mut command = Command::new("ip");
    let inner = there.command(&["serve"]);
    command.args(["netns", "exec", &network.name]).arg(inner.get_program()).args(inner.get_args());
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let mut cut_off = Place::spawn(command);
    cut_off.wait_for(&["Verst works in"]);
    assert!(here.run(&["submit", &clip(&here, 0)]).status.success());
    cut_off.wait_for(&["milestone reached", "\"reached\":\"done\""]);

    network.cut();
    cut_off.wait_for(&["the queue cannot be read"]);
    // Meanwhile another host works, and what was handed in goes its way.
    let mut other = here.serve();
    assert!(here.run(&["submit", &clip(&here, 4)]).status.success());
    other.wait_for(&["milestone reached", "\"reached\":\"done\""]);
    assert_eq!(other.terminate().0, Some(0));

    network.mend();
    cut_off.wait_for(&["the queue can be read again"]);
    assert!(here.run(&["submit", &clip(&here, 8)]).status.success());
    cut_off.wait_for(&["milestone reached", "\"reached\":\"done\""]);
    assert_eq!(cut_off.terminate().0, Some(0));
}
