//! Log records on standard error, pretty or JSON. A command that a person watches says the same
//! things in sentences.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use crate::cli::LogFormat;

pub(crate) fn start(filter: &str, format: LogFormat) {
    let filter = EnvFilter::try_new(filter).unwrap_or_else(|_| "warn".into());
    // Colours in a file or a journal are rubbish between the words.
    let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(colours);
    let builder = builder.with_writer(std::io::stderr);
    match format {
        LogFormat::Pretty => builder.compact().init(),
        LogFormat::Json => builder.json().flatten_event(true).init(),
    }
}
