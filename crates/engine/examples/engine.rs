//! The engine as a process of its own: what `verst engine` is, for tests and experiments.

fn main() -> Result<(), verst_engine::ServeError> {
    verst_engine::serve(std::io::stdin(), std::io::stdout())
}
