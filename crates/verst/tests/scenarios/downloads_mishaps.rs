//! More of what may happen to a download: how it stands then, what is said, and what a retry does.

use std::os::unix::fs::symlink;

use verst_downloads::ports::{ClientError, ClientState, Onward};
use verst_downloads::retry::RetryError;
use verst_kernel::WorkId;
use verst_testkit::Backend;
use verst_testkit::torrents::{Dialect, Torrent};
use verst_words::{Language, Words};

use crate::common::HOUR;
use crate::shore::{FILM, Shore, hash};

on_every_store!(
    a_client_that_was_restarted_goes_on,
    while_the_client_shuts_us_out_a_retry_is_refused_and_changes_nothing,
    a_torrent_that_is_gone_says_so_and_is_added_again,
    files_that_are_gone_say_so_and_the_torrent_is_given_again,
    a_path_that_leads_out_is_put_nowhere,
    a_link_to_elsewhere_is_not_followed,
    a_full_disk_waits_for_room_and_then_for_a_person,
);

impl Shore {
    /// The sentence about the failure that it stands with, which names the way out.
    async fn said(&self, id: WorkId) -> String {
        let stop = self.harbour.stands(id).await.stop.expect("it is stopped");
        Words::new(Language::English).failure(&stop.failure)
    }

    /// Whole, as the client shows it with these files.
    async fn came(&self, torrent: &Torrent, change_path: impl Fn(&str) -> String) -> WorkId {
        let id = self.coming(torrent).await;
        self.complete(torrent);
        self.change(torrent, |held| {
            held.files.iter_mut().for_each(|file| file.path = change_path(&file.path));
        });
        self.harbour.tick().await;
        id
    }

    fn library_is_empty(&self) -> bool {
        std::fs::read_dir(self.harbour.library()).unwrap().next().is_none()
    }
}

async fn a_client_that_was_restarted_goes_on(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let torrent = shore.film(FILM);
        let id = shore.coming(&torrent).await;
        for _ in 0..3 {
            shore.client.stop();
            shore.harbour.tick().await;
            assert_eq!(shore.harbour.state(id).await, "downloading");
            shore.client.start_again();
            shore.harbour.tick().await;
        }
        let retried = shore.harbour.retry(id, "anna").await;
        assert!(matches!(retried, Err(RetryError::NotStopped)), "{retried:?}");
        shore.complete(&torrent);
        shore.harbour.reach(id, "done").await;
        assert_eq!(shore.told(id), ["done"]);
        assert_eq!(shore.additions(&torrent), 1);
    }
}

async fn while_the_client_shuts_us_out_a_retry_is_refused_and_changes_nothing(backend: Backend) {
    for dialect in Dialect::ALL {
        let shore = Shore::new(backend, dialect).await;
        let torrent = Torrent::sample(FILM);
        let id = shore.given_up_magnet(&torrent).await;
        let before = shore.story(id).await;
        shore.client.ban();
        for _ in 0..2 {
            let retried = shore.harbour.retry(id, "anna").await;
            let refused = matches!(retried, Err(RetryError::Client(ClientError::Refuses { .. })));
            assert!(refused, "{retried:?}");
        }
        assert_eq!(shore.harbour.state(id).await, "failed/magnet_timeout");
        assert!(shore.said(id).await.contains("Retrying gives it as much time again"));
        assert_eq!(shore.story(id).await, before);
        shore.client.pardon();
        shore.harbour.elapse(HOUR * 2).await;
        shore.harbour.retry(id, "anna").await.unwrap();
        assert_eq!(shore.harbour.state(id).await, "downloading");
        assert_eq!(shore.additions(&torrent), 1);
        assert_eq!(shore.told(id), ["magnet_timeout"]);
    }
}

async fn a_torrent_that_is_gone_says_so_and_is_added_again(backend: Backend) {
    let shore = Shore::new(backend, Dialect::V4_5_2).await;
    let torrent = shore.film(FILM);
    let id = shore.coming(&torrent).await;
    shore.client.lose(hash(&torrent));
    shore.harbour.reach(id, "failed/torrent_gone").await;
    assert!(shore.said(id).await.contains("retry: it is added again"));
    shore.harbour.retry(id, "anna").await.unwrap();
    shore.complete(&torrent);
    shore.harbour.reach(id, "done").await;
    assert_eq!(shore.told(id), ["torrent_gone", "done"]);
}

async fn files_that_are_gone_say_so_and_the_torrent_is_given_again(backend: Backend) {
    let shore = Shore::new(backend, Dialect::V5_1).await;
    let torrent = shore.film(FILM);
    let id = shore.coming(&torrent).await;
    shore.change(&torrent, |held| held.state = ClientState::MissingFiles);
    shore.harbour.tick().await;
    let said = shore.said(id).await;
    assert!(said.contains("its files are gone") && said.contains("retry"), "{said}");
    shore.harbour.retry(id, "anna").await.unwrap();
    shore.complete(&torrent);
    shore.harbour.reach(id, "done").await;
    assert_eq!(shore.told(id), ["client_error", "done"]);
}

/// A client cleans such names itself; whatever it says, nothing is looked for above its directory.
async fn a_path_that_leads_out_is_put_nowhere(backend: Backend) {
    let shore = Shore::new(backend, Dialect::V4_5_2).await;
    let torrent = shore.film(FILM);
    // The file would be there.
    let outside = shore.harbour.dir().join(FILM);
    std::fs::copy(shore.downloads().join(FILM), outside).unwrap();
    let id = shore.came(&torrent, |path| format!("../{path}")).await;
    assert_eq!(shore.harbour.state(id).await, "failed/files_missing");
    assert!(shore.said(id).await.contains("Then lift the stop"));
    assert!(shore.library_is_empty());
    shore.harbour.retry(id, "anna").await.unwrap();
    shore.harbour.tick().await;
    assert_eq!(shore.harbour.state(id).await, "failed/files_missing", "it is no better");
    assert_eq!(shore.told(id), ["files_missing"; 2]);
    assert!(shore.library_is_empty());
    // Files of a torrent of such a name, under the name that a client gives it.
    shore.change(&torrent, |held| {
        "../../etc".clone_into(&mut held.name);
        for file in &mut held.files {
            FILM.clone_into(&mut file.path);
        }
    });
    let lifted = shore.harbour.store.go_on(id, "anna", None).await.unwrap();
    assert_eq!(lifted, Onward::Lifted);
    shore.harbour.work().await;
    assert_eq!(shore.harbour.state(id).await, "done");
    assert!(shore.harbour.library().join("Movies/Some Film (2019)").is_dir());
}

/// One to /etc, and one to a file that has the very size.
async fn a_link_to_elsewhere_is_not_followed(backend: Backend) {
    for to in ["/etc", "../secret"] {
        let shore = Shore::new(backend, Dialect::V5_2).await;
        let torrent = shore.film(FILM);
        let (film, secret) = (shore.downloads().join(FILM), shore.harbour.dir().join("secret"));
        std::fs::rename(&film, &secret).unwrap();
        symlink(to, &film).unwrap();
        assert!(film.exists(), "it leads somewhere");
        let id = shore.came(&torrent, str::to_owned).await;
        assert_eq!(shore.harbour.state(id).await, "failed/files_missing", "{to}");
        assert!(shore.said(id).await.contains("is not where qBittorrent says"));
        shore.harbour.retry(id, "anna").await.unwrap();
        shore.harbour.tick().await;
        assert_eq!(shore.harbour.state(id).await, "failed/files_missing", "it is no better");
        assert_eq!(shore.told(id), ["files_missing"; 2]);
        assert!(shore.library_is_empty());
        std::fs::rename(&secret, &film).unwrap();
        shore.harbour.retry(id, "anna").await.unwrap();
        shore.harbour.reach(id, "done").await;
    }
}

async fn a_full_disk_waits_for_room_and_then_for_a_person(backend: Backend) {
    let shore = Shore::new(backend, Dialect::V4_5_2).await;
    let torrent = shore.film(FILM);
    shore.harbour.fill_library();
    let id = shore.came(&torrent, str::to_owned).await;
    assert_eq!(shore.harbour.state(id).await, "identified", "it is tried again");
    assert!(shore.told(id).is_empty());
    shore.harbour.reach(id, "failed/disk_full").await;
    assert!(shore.library_is_empty());
    let said = shore.said(id).await;
    assert!(said.contains("disk"), "{said}");
    shore.harbour.clear_library();
    shore.harbour.retry(id, "anna").await.unwrap();
    shore.harbour.reach(id, "done").await;
    assert_eq!(shore.told(id), ["disk_full", "done"]);
    assert!(!shore.library_is_empty());
}
