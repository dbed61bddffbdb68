//! Many large uploads at once: they go to the disk and not into memory.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Barrier;

use rustix::process::Pid;

use super::support::Place;
use super::web;

const AT_ONCE: usize = 64;
const EACH: usize = 20 << 20;
/// What the service may take beyond what it has when it is idle, in KiB.
const MORE_KIB: u64 = 60 << 10;

fn status(pid: Pid, field: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero())).unwrap();
    let line = status.lines().find(|line| line.starts_with(field)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Uploads a sound of this size and gives the answer's status.
fn upload(at: &str, token: &str, size: usize, ready: &Barrier) -> u16 {
    let mut stream = TcpStream::connect(at).unwrap();
    let head = format!(
        "POST /api/v1/recordings HTTP/1.1\r\nHost: {at}\r\nConnection: close\r\n{token}\
         Content-Type: audio/wav\r\nContent-Length: {size}\r\n\r\n"
    );
    let chunk = vec![1; 1 << 16];
    ready.wait();
    stream.write_all(head.as_bytes()).unwrap();
    let beginning = b"RIFF\xff\xff\xff\x7fWAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3e\0\0\0\x7d\0\0\
        \x02\0\x10\0data\xff\xff\xff\x7f";
    stream.write_all(beginning).unwrap();
    let mut left = size - beginning.len();
    while left > 0 {
        let now = left.min(chunk.len());
        stream.write_all(&chunk[..now]).unwrap();
        left -= now;
    }
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split(' ').nth(1).unwrap().parse().unwrap()
}

#[test]
fn process_takes_64_uploads_at_once_in_flat_memory() {
    let place = Place::with_settings("workers = 0\n");
    let web = web::start(&place);
    let token = web.token();
    // What is made once, a first upload has made.
    assert_eq!(upload(&web.at, &token, EACH, &Barrier::new(1)), 201);
    let pid = web.service.pid();
    let idle = status(pid, "VmRSS:");
    // Forgets the highest so far: https://docs.kernel.org/filesystems/proc.html
    std::fs::write(format!("/proc/{}/clear_refs", pid.as_raw_nonzero()), "5").unwrap();
    let (ready, at) = (Barrier::new(AT_ONCE), web.at.as_str());
    let answers: Vec<u16> = std::thread::scope(|scope| {
        let uploads: Vec<_> =
            (0..AT_ONCE).map(|_| scope.spawn(|| upload(at, &token, EACH, &ready))).collect();
        uploads.into_iter().map(|upload| upload.join().unwrap()).collect()
    });
    assert!(answers.iter().all(|status| *status == 201), "{answers:?}");
    let peak = status(pid, "VmHWM:");
    assert!(peak <= idle + MORE_KIB, "{idle} KiB idle, {peak} KiB at the highest");
    let list = web.json("/api/v1/recordings?limit=200", &token);
    assert_eq!(list["recordings"].as_array().unwrap().len(), AT_ONCE + 1);
    let (code, ..) = web.service.terminate();
    assert_eq!(code, Some(0));
}
