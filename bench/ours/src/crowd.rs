//! A client with many torrents in which nothing changes, as a process of its own: what it costs is not
//! ours. It answers `sync/maindata` in the form of qBittorrent 4.5.2 and nothing else.

use std::fmt::Write;
use std::process::Stdio;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};

/// When they were added, and when data last moved.
pub const SINCE_S: i64 = 1_790_000_000;

/// The hash of one, counted from 1.
pub fn hash(number: u32) -> String {
    format!("{number:040x}")
}

/// A name as releases have them, some of them Cyrillic.
pub fn name(number: u32) -> String {
    let title =
        if number.is_multiple_of(3) { "Длинный.сериал" } else { "Some.Long.Series" };
    format!(
        "{title}.S{:02}E{:02}.1080p.WEB-DL.x264-GROUP.{number}",
        number % 30 + 1,
        number % 24 + 1
    )
}

/// Bytes of each, and of them those that came.
pub const SIZE: u64 = 4_000_000_000;
pub const CAME: u64 = 1_000_000_000;

/// All of it, or that nothing changed.
fn told(rid: u64, count: u32, full: bool) -> String {
    let server = r#""server_state":{"alltime_dl":123456789012,"alltime_ul":98765432101,
        "average_time_queue":12,"connection_status":"connected","dht_nodes":312,"dl_info_data":0,
        "dl_info_speed":0,"dl_rate_limit":0,"free_space_on_disk":912345678901,"global_ratio":"0.80",
        "queued_io_jobs":0,"queueing":false,"read_cache_hits":"0","read_cache_overload":"0",
        "refresh_interval":1500,"total_buffers_size":0,"total_peer_connections":0,
        "total_queued_size":0,"total_wasted_session":0,"up_info_data":0,"up_info_speed":0,
        "up_rate_limit":0,"use_alt_speed_limits":false,"write_cache_overload":"0"}"#;
    if !full {
        return format!("{{\"rid\":{rid},{server}}}");
    }
    let mut all = format!("{{\"rid\":{rid},\"full_update\":true,{server},\"torrents\":{{");
    for number in 1..=count {
        let comma = if number > 1 { "," } else { "" };
        let (hash, name, left) = (hash(number), name(number), SIZE - CAME);
        let _ = write!(
            all,
            r#"{comma}"{hash}":{{"added_on":{SINCE_S},"amount_left":{left},"auto_tmm":false,
"availability":0.4,"category":"verst","completed":{CAME},"completion_on":-10800,
"content_path":"/downloads/{name}","dl_limit":-1,"dlspeed":0,"download_path":"",
"downloaded":{CAME},"downloaded_session":0,"eta":8640000,"f_l_piece_prio":false,
"force_start":false,"infohash_v1":"{hash}","infohash_v2":"","last_activity":{SINCE_S},
"magnet_uri":"magnet:?xt=urn:btih:{hash}&dn={name}&tr=http%3A%2F%2Ftracker.example%2Fannounce",
"max_ratio":-1,"max_seeding_time":-1,"name":"{name}","num_complete":4,"num_incomplete":9,
"num_leechs":0,"num_seeds":0,"priority":0,"progress":0.25,"ratio":0.1,"ratio_limit":-2,
"save_path":"/downloads","seeding_time":0,"seeding_time_limit":-2,"seen_complete":{SINCE_S},
"seq_dl":false,"size":{SIZE},"state":"stalledDL","super_seeding":false,"tags":"",
"time_active":86400,"total_size":{SIZE},"tracker":"http://tracker.example/announce",
"trackers_count":1,"up_limit":-1,"uploaded":100000000,"uploaded_session":0,"upspeed":0}}"#
        );
    }
    (all + "}}").replace('\n', "")
}

/// Answers until its standard input ends, after a line with its port.
pub async fn serve(count: u32) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("{}", listener.local_addr().expect("an address").port());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer(stream, count));
        }
    });
    let mut rest = Vec::new();
    let _ = tokio::io::stdin().read_to_end(&mut rest).await;
}

async fn answer(stream: TcpStream, count: u32) {
    let (mut stream, mut rid) = (BufReader::new(stream), 0);
    loop {
        let mut first = String::new();
        if stream.read_line(&mut first).await.unwrap_or(0) == 0 {
            return;
        }
        let mut line = String::new();
        while stream.read_line(&mut line).await.is_ok_and(|read| read > 2) {
            line.clear();
        }
        rid += 1;
        let body = told(rid, count, first.contains("rid=0"));
        let head = format!(
            "HTTP/1.1 200 OK\r\nDate: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            httpdate::fmt_http_date(std::time::SystemTime::now()),
            body.len()
        );
        if stream.write_all(&[head.as_bytes(), body.as_bytes()].concat()).await.is_err() {
            return;
        }
    }
}

/// Starts one. It ends with the value.
pub async fn start(count: u32) -> (Child, String) {
    let program = std::env::current_exe().expect("a program");
    let mut child = Command::new(program)
        .args(["crowd", &count.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let port = lines.next_line().await.expect("its output").expect("a port");
    (child, format!("http://127.0.0.1:{port}"))
}
