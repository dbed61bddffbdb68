//! The sweep, and what a person is told of it.

use verst_words::Arg;

use crate::house::House;
use crate::tongue::Tongue;

/// Clears what crashes left. A person hears of originals that no row names: they were accepted
/// once, so this can mean that the database is not the one they were accepted into.
pub(crate) async fn sweep(house: &House, tongue: &Tongue) {
    if !house.works() {
        return;
    }
    match house.service.sweep().await {
        Ok(swept) if swept.set_aside > 0 => {
            let count = Arg::Int(i64::try_from(swept.set_aside).unwrap_or(i64::MAX));
            let args = [("count", count), ("objects", Arg::Text(house.audio_place()))];
            tongue.err(&tongue.say("cli-set-aside", &args));
        }
        Ok(_) => {}
        Err(failure) => {
            tracing::warn!(%failure, "objects could not be swept; the next start tries again");
        }
    }
}
