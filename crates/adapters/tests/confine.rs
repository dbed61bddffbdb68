//! What `verst confine` is, for tests of this crate.

use std::process::ExitCode;

use verst_adapters::confine;

fn main() -> ExitCode {
    let args = std::env::args_os().skip(1);
    let mut args = args.skip_while(|arg| arg != confine::CALLED).skip(1);
    ExitCode::from(confine::run(&mut args))
}
