//! The ports of the kernel, the lines and the service on SQLite.
