//! The tokio shell around the kernel: workers, wake, shutdown, metrics.
