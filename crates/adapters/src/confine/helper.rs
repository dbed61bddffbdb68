//! What `verst confine` does: it reads its orders, limits itself, and becomes the program. It has no
//! voice of its own, because its streams are the program's; how it went its exit code says.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use super::bounds::{Bounds, Orders};
use super::{Mode, calls, files, means, program, trial};

/// The first argument of a process that is to call [`run`].
pub const CALLED: &str = "confine";

/// Exit code: this kernel cannot do all that is required.
pub(crate) const NOT_CONFINED: i32 = 125;
/// Exit code: the program cannot be started.
pub(crate) const NOT_STARTED: i32 = 126;
/// Exit code: the orders are not understood.
const MISUSED: u8 = 2;

/// Becomes what the arguments after [`CALLED`] say, or gives the exit code that says why not.
pub fn run(mut args: impl Iterator<Item = OsString>) -> u8 {
    let Some(orders) = Orders::read(&mut args) else { return MISUSED };
    let Some(wanted) = args.next() else { return MISUSED };
    let code = |code: i32| u8::try_from(code).unwrap_or(u8::MAX);
    if wanted == trial::WANTED {
        let held = hold(Path::new("/proc/self/exe"), orders.mode, &orders.bounds);
        return held.map_or(code(NOT_CONFINED), |()| trial::perform(args.next()));
    }
    let program = program::find(Path::new(&wanted));
    // What it is tied to is gone, and so is whoever would want the result.
    if means::tie(orders.parent).is_err() {
        return code(NOT_STARTED);
    }
    if hold(&program, orders.mode, &orders.bounds).is_none() {
        return code(NOT_CONFINED);
    }
    // It only returns with an error.
    let _ = Command::new(program).args(args).exec();
    code(NOT_STARTED)
}

/// Limits this process. `None` when not all that is required could be had.
fn hold(program: &Path, mode: Mode, bounds: &Bounds) -> Option<()> {
    let shut = means::shut().is_ok();
    if mode == Mode::Off {
        return means::limit(bounds).ok();
    }
    // Not a superuser, or one of a container that has none to give up.
    let _ = means::give_up();
    let files = files::hold(program, bounds).unwrap_or(false);
    let filters = calls::filters();
    means::limit(bounds).ok()?;
    let calls = filters.is_ok_and(|filters| {
        filters.iter().all(|filter| seccompiler::apply_filter(filter).is_ok())
    });
    (mode == Mode::Auto || (shut && files && calls)).then_some(())
}
