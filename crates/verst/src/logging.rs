//! Log records on standard error, pretty or JSON. A command that a person watches says the same
//! things in sentences.

use tracing_subscriber::EnvFilter;

use crate::cli::LogFormat;

pub(crate) fn start(filter: &str, format: LogFormat) {
    let filter = EnvFilter::try_new(filter).unwrap_or_else(|_| "warn".into());
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match format {
        LogFormat::Pretty => builder.compact().init(),
        LogFormat::Json => builder.json().flatten_event(true).init(),
    }
}
