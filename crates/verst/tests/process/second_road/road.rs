//! In by magnet and by file, out as links.

use super::super::web;
use super::{Coast, bytes};

const DONE: [&str; 2] = ["milestone reached", "\"reached\":\"done\""];

/// A film with its subtitles by a magnet at the command line, a season by its file over HTTP, and
/// both once more, which changes nothing.
#[tokio::test]
async fn process_magnets_and_torrents_end_as_links_in_the_library() {
    let coast = Coast::new().await;
    let (film, words) = (bytes("a film, "), bytes("its words, "));
    let name = "Some.Film.2019.1080p.BluRay.x264-GROUP";
    let parts = [format!("{name}.mkv"), format!("{name}.ru.srt")];
    let files: [(&str, &[u8]); 2] = [(&parts[0], &film), (&parts[1], &words)];
    let (film, _) = coast.swarm.offer(name, &files).await;
    let episodes: Vec<(String, Vec<u8>)> = (1..=3)
        .map(|n| (format!("Some.Show.S01E0{n}.1080p.WEB-DL.mkv"), bytes(&format!("episode {n}, "))))
        .collect();
    let files: Vec<(&str, &[u8])> = episodes.iter().map(|(it, of)| (&**it, &**of)).collect();
    let (season, _) = coast.swarm.offer("Some.Show.S01.1080p.WEB-DL", &files).await;

    let mut web = web::start(&coast.place);
    let token = web.token();
    let magnet = coast.swarm.magnet(&film);
    let added = coast.place.run(&["add", &magnet]);
    assert_eq!(added.status.code(), Some(0), "{}", String::from_utf8_lossy(&added.stderr));
    let headers = format!("{token}Content-Type: application/x-bittorrent\r\n");
    let (status, head, _) = web.ask("POST", "/api/v1/downloads", &headers, &season.bytes);
    assert_eq!(status, 201, "{head}");
    for _ in 0..2 {
        web.service.wait_for(&DONE);
    }
    coast.is_filed(&[&film, &season]).await;
    let list = web.json("/api/v1/downloads", &token);
    let list = list["downloads"].as_array().unwrap();
    assert_eq!(list.len(), 2, "{list:?}");
    assert!(list.iter().all(|it| it["state"] == "done"), "{list:?}");

    // What is done can be had once more; its torrent and its files are there.
    let torrent = coast.place.path().join("season.torrent");
    std::fs::write(&torrent, &season.bytes).unwrap();
    let again = coast.place.run(&["add", torrent.to_str().unwrap()]);
    assert_eq!(again.status.code(), Some(0), "{}", String::from_utf8_lossy(&again.stderr));
    let headers = format!("{token}Content-Type: application/json\r\n");
    let body = format!("{{\"link\": \"{magnet}\"}}");
    let (status, head, _) = web.ask("POST", "/api/v1/downloads", &headers, body.as_bytes());
    assert_eq!(status, 201, "{head}");
    for _ in 0..2 {
        web.service.wait_for(&DONE);
    }
    coast.is_filed(&[&film, &season]).await;

    let (code, said, lines) = web.service.terminate();
    assert_eq!((code, said.as_str()), (Some(0), ""));
    let log = lines.iter().filter(|line| line.starts_with('{')).cloned().collect::<String>();
    for secret in ["Some.Film", "Some.Show", "btih", coast.client.config().password.as_str()] {
        assert!(!log.contains(secret), "{secret}");
    }
}
