//! The port that knows which speech models are installed.

use async_trait::async_trait;

/// Speech models by their names, which are never paths.
#[async_trait]
pub trait Models: Send + Sync {
    /// Those that a recording may ask for, in order of their names.
    async fn installed(&self) -> Vec<String>;
}
