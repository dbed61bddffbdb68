//! What a person does with the panel, from the first start on.

use thirtyfour::prelude::*;

use super::chromium::Browser;
use crate::support::{Place, long_recording, sample};
use crate::web::{self, Web};

/// Makes the first account by the page that a first start leads to.
async fn founded(web: &Web, language: &str) -> Browser {
    let browser = Browser::open(&web.at, language).await;
    browser.go("/").await;
    browser.looks_well(&format!("login-{language}")).await;
    browser.click("a[href='/setup']").await;
    browser.looks_well(&format!("setup-{language}")).await;
    browser.type_in("#token", "setup_wrong").await;
    browser.type_in("#name", "anna").await;
    browser.type_in("#password", "correct horse battery").await;
    browser.click("form.card button").await;
    browser.find("[role=alert]").await;
    browser.type_in("#token", web.setup()).await;
    browser.type_in("#password", "correct horse battery").await;
    browser.click("form.card button").await;
    browser.find("#drop").await;
    browser
}

async fn hands_in(browser: &Browser, file: &str) {
    let files = browser.page.find(By::Id("files")).await.unwrap();
    // A browser takes no path with a way back in it.
    let file = std::fs::canonicalize(file).unwrap();
    files.send_keys(file.to_str().unwrap()).await.unwrap();
}

#[tokio::test]
async fn from_the_first_start_to_a_text_that_is_found_and_heard() {
    let place = Place::new();
    let web = web::start(&place);
    let browser = founded(&web, "en").await;
    browser.sees("#motion", "Nothing is on the road").await;
    browser.looks_well("inbox-empty-en").await;

    // It is handed in, moves along by itself, and is done.
    hands_in(&browser, &sample("two-cities-en.ogg")).await;
    browser.sees("#uploads", "taken in").await;
    browser.sees("#motion .badge.done", "done").await;
    browser.looks_well("inbox-en").await;

    // Its text stands beside its sound.
    browser.click("#motion .row-name a").await;
    browser.sees(".segment", "best of times").await;
    browser.looks_well("recording-en").await;
    browser.until("return document.querySelector('#sound').readyState > 0").await;
    browser.click(".segment:nth-child(2) .segment-text").await;
    browser
        .until(
            "return document.querySelector('.segment:nth-child(2)').classList.contains('spoken')",
        )
        .await;
    browser.until("return document.querySelector('#sound').currentTime > 0").await;

    // It is found by what was said, and the place is marked.
    browser.go("/recordings").await;
    browser.type_in("#q", "wisdom").await;
    browser.sees("#found mark", "wisdom").await;
    browser.looks_well("recordings-en").await;
    browser.type_in("#q", "elephant").await;
    browser.sees("#found", "Nothing found").await;

    // What somebody without a session asks for is theirs after signing in.
    browser.go("/recordings?state=done").await;
    browser.click("footer form[action='/logout'] button").await;
    browser.find("#password").await;
    browser.go("/recordings?state=done").await;
    browser.type_in("#name", "anna").await;
    browser.type_in("#password", "wrong horse battery").await;
    browser.click("form.card button").await;
    browser.find("[role=alert]").await;
    browser.type_in("#password", "correct horse battery").await;
    browser.click("form.card button").await;
    browser.sees("#found .row", "two-cities-en.ogg").await;
    browser.until("return location.search === '?state=done'").await;
    browser.go("/nowhere").await;
    browser.looks_well("nowhere-en").await;
}

#[tokio::test]
async fn p03_1_a_title_is_edited_while_a_step_runs_and_a_stop_is_lifted() {
    let place = Place::new();
    let web = web::start(&place);
    let browser = founded(&web, "ru").await;
    browser.looks_well("inbox-empty-ru").await;
    hands_in(&browser, &long_recording(&place, 3)).await;

    // It is edited while it is recognised, and stopped, and goes on.
    browser.sees("#motion .badge.moving", "распозна").await;
    browser.click("#motion .row-name a").await;
    browser.click("#edit-open").await;
    browser.type_in("#edit-name", "Две столицы").await;
    browser.type_in("#edit-topics", "книги, история").await;
    browser.click("#edit .primary").await;
    browser.sees("h1", "Две столицы").await;
    browser.click("#stands [id^='stop-']").await;
    browser.sees("#stands", "Снимите остановку").await;
    browser.looks_well("recording-stopped-ru").await;
    browser.click("#stands [id^='lift-']").await;
    browser.sees("#stands .road.done", "готова").await;
    browser.sees(".segment", "best of times").await;
    browser.sees("h1", "Две столицы").await;
    browser.looks_well("recording-ru").await;

    // Many at once, and for good.
    browser.go("/recordings").await;
    browser.sees("#found .row-name", "Две столицы").await;
    browser.click("#found .tick input").await;
    browser.looks_well("recordings-ru").await;
    browser.click("[data-opens='bulk-delete']").await;
    browser.click("#bulk-delete .danger").await;
    browser.sees("#toasts", "Удалена 1 запись.").await;
    browser.sees("#found", "Записей пока нет").await;
}
