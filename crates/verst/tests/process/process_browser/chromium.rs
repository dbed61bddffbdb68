//! A browser of a test's own, and what is looked at on every page.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use thirtyfour::prelude::*;

/// Longer than any page takes on a machine that also recognises.
const PATIENCE: Duration = Duration::from_mins(4);
const AXE: &str = include_str!("../vendor/axe.min.js");
/// As an installation without a window, without root's sandbox and without calls home has it.
const FLAGS: [&str; 9] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--autoplay-policy=no-user-gesture-required",
];

/// A browser with its driver.
pub(super) struct Browser {
    pub(super) page: WebDriver,
    at: String,
    driver: Child,
    _profile: tempfile::TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It ends the browser as well.
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

impl Browser {
    /// Opens a browser for the service at this address.
    pub(super) async fn open(at: &str, language: &str) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed: scripts/bootstrap --tests");
        let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        let profile = tempfile::tempdir().unwrap();
        let mut wanted = DesiredCapabilities::chrome();
        for flag in FLAGS {
            wanted.add_arg(flag).unwrap();
        }
        wanted.add_arg(&format!("--user-data-dir={}", profile.path().display())).unwrap();
        wanted.add_arg(&format!("--accept-lang={language}")).unwrap();
        wanted.set_browser_log_level(thirtyfour::LoggingPrefsLogLevel::All).unwrap();
        let url = format!("http://127.0.0.1:{}", port.expect("the driver says its port"));
        let page = WebDriver::new(url, wanted).await.expect("a browser opens");
        Self { page, at: at.to_owned(), driver, _profile: profile }
    }

    pub(super) async fn go(&self, path: &str) {
        self.page.goto(format!("http://{}{path}", self.at)).await.unwrap();
    }

    /// An element, once it is there and seen.
    pub(super) async fn find(&self, css: &str) -> WebElement {
        let query = self.page.query(By::Css(css)).wait(PATIENCE, Duration::from_millis(50));
        query.and_displayed().first().await.unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    pub(super) async fn click(&self, css: &str) {
        self.find(css).await.click().await.unwrap_or_else(|error| panic!("{css}: {error}"));
    }

    pub(super) async fn type_in(&self, css: &str, text: &str) {
        let field = self.find(css).await;
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    /// Waits until an element has this text somewhere in it.
    pub(super) async fn sees(&self, css: &str, text: &str) {
        let has = format!(
            "return [...document.querySelectorAll({})].some((it) => it.innerText.includes({}))",
            json!(css),
            json!(text)
        );
        self.until(&has).await;
    }

    /// Waits until something is so.
    pub(super) async fn until(&self, script: &str) {
        let waits = async {
            while !self.is(script).await {
                tokio::task::yield_now().await;
            }
        };
        if tokio::time::timeout(PATIENCE, waits).await.is_err() {
            let seen = self.page.find(By::Tag("body")).await.unwrap().text().await.unwrap();
            panic!("never so: {script}\n{seen}");
        }
    }

    /// Whether something is so; not while a page goes and another comes.
    async fn is(&self, script: &str) -> bool {
        let answer = self.page.execute(script, Vec::new()).await;
        answer.is_ok_and(|answer| answer.json().as_bool().unwrap_or(false))
    }

    pub(super) async fn ask(&self, script: &str) -> Value {
        self.page.execute(script, Vec::new()).await.unwrap().json().clone()
    }

    /// The width of a phone, or of a desk.
    pub(super) async fn wide(&self, width: u32) {
        // A window has a least width; what a page sees has not.
        let size =
            json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.devtools("Emulation.setDeviceMetricsOverride", size).await;
    }

    pub(super) async fn theme(&self, theme: &str) {
        // What changes slowly is neither seen nor judged half-way.
        let features = json!({ "features": [
            { "name": "prefers-color-scheme", "value": theme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ] });
        self.devtools("Emulation.setEmulatedMedia", features).await;
    }

    async fn devtools(&self, command: &str, with: Value) {
        self.page.cdp().send_raw(command, with).await.unwrap();
    }

    /// What must be so of every page: nothing wider than a phone, nothing that keeps people out, in
    /// either theme, and nothing that the browser refused to do.
    pub(super) async fn looks_well(&self, name: &str) {
        for width in [360, 800, 1600] {
            self.wide(width).await;
            let over = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
            assert_eq!(self.ask(over).await, 0, "{name} at {width}");
            for theme in ["light", "dark"] {
                self.theme(theme).await;
                self.picture(&format!("{name}-{width}-{theme}")).await;
                if width == 360 || (width == 1600 && theme == "light") {
                    self.keeps_nobody_out(&format!("{name} at {width}, {theme}")).await;
                }
            }
        }
        self.wide(1200).await;
        self.theme("light").await;
    }

    async fn keeps_nobody_out(&self, name: &str) {
        self.page.execute(AXE, Vec::new()).await.unwrap();
        let run = "const done = arguments[arguments.length - 1];
            axe.run().then((found) => done(found.violations
                .filter((it) => ['serious', 'critical'].includes(it.impact))
                .map((it) => it.id + ': ' + it.nodes.map((node) => node.html + ' ' + node.failureSummary).join('; '))),
                (error) => done([String(error)]));";
        let found = self.page.execute_async(run, Vec::new()).await.unwrap();
        assert_eq!(found.json(), &json!([]), "{name}");
    }

    /// Keeps a picture where `VERST_PICTURES` says, for people to look at.
    async fn picture(&self, name: &str) {
        if let Some(dir) = std::env::var_os("VERST_PICTURES") {
            let file = Path::new(&dir).join(format!("{name}.png"));
            self.page.screenshot(&file).await.unwrap();
        }
    }
}
