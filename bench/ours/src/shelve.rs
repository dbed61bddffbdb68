//! A plan for the files of a download, and its carrying out in a library on the same disk.

use std::path::Path;
use std::time::Instant;

use async_trait::async_trait;
use verst_downloads::filing::{Episode, Filing, Ids, Numbering, Role};
use verst_downloads::layout::{Roots, plan};
use verst_downloads::ports::{Library, Link, Preset, TorrentFile};
use verst_kernel::Supervisor;

use crate::library::Shelves;

/// Nobody who would interrupt.
struct Nobody;

#[async_trait]
impl Supervisor for Nobody {
    fn interrupted(&self) -> bool {
        false
    }

    async fn interruption(&self) {
        std::future::pending::<()>().await;
    }

    fn progress(&self, _fraction: f64) {}
}

/// The files that `driver/shelving.py` makes, a hundred in each season, as a client would list them.
fn listed(count: u32) -> (Filing, Vec<TorrentFile>) {
    let numbered = |index| (index / 100 + 1, index % 100 + 1);
    let files = (0..count).map(|index| {
        let (season, episode) = numbered(index);
        let release = format!("S{season:02}E{episode:02}.One.of.Many.1080p.WEB-DL.x264-GROUP");
        let path = format!("{season}/Очень.длинный.сериал.{release}.mkv");
        TorrentFile { index, path, size_bytes: 4, wanted: true, whole: true, progress: 1.0 }
    });
    let roles = (0..count).map(|index| {
        let (season, episode) = numbered(index);
        let role = Role::Episode(Episode {
            series: "Очень длинный сериал".to_owned(),
            year: Some(1999),
            number: Numbering::Season { season: season as u16, episodes: vec![episode as u16] },
            title: Some("One of Many".to_owned()),
            ids: Ids { tvdb: Some(71_663), ..Ids::default() },
        });
        (index, role)
    });
    (Filing { roles: roles.collect() }, files.collect())
}

pub async fn run(downloads: &str, library: &str, count: u32) {
    let (filing, files) = listed(count);
    let shelves = Shelves::new(library.into(), Roots::default(), Link::Fail);
    let began = Instant::now();
    let plan = plan(&filing, &files, Preset::Jellyfin, &Roots::default()).expect("a plan");
    let planned = began.elapsed();
    let began = Instant::now();
    let filed = shelves.place(Path::new(downloads).into(), &plan, &Nobody).await.expect("a place");
    let took = began.elapsed();
    assert_eq!(filed.linked, u64::from(count));
    let ms = |it: std::time::Duration| it.as_secs_f64() * 1000.0;
    println!(
        "{{\"mode\":\"shelve\",\"linked\":{},\"plan_ms\":{:.2},\"ms\":{:.2}}}",
        filed.linked,
        ms(planned),
        ms(took)
    );
}
