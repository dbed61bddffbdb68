//! The panel in a real browser: Debian's Chromium without a window, driven over WebDriver.
//!
//! Tests do what a person does, by what a person sees: labels, buttons, texts. They wait for what the
//! page shows, never for time to pass.

mod chromium;
mod story;
