//! `verst add`: hands links and files in. Whoever serves does the rest.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use verst_downloads::source::TORRENT_BYTES;
use verst_kernel::WorkId;
use verst_service::{DownloadService, Offer, Sender, Source, TakeError, Taken};
use verst_words::Arg;

use super::args::Add;
use super::{name, service};
use crate::acts::house;
use crate::refusal::Refusal;
use crate::tongue::Tongue;

pub(crate) async fn add(args: Add, tongue: &Tongue) -> Result<u8, Refusal> {
    let house = house(&args.place).await?;
    let service = service(&house)?;
    let mut code = 0;
    for what in &args.what {
        let taken = match offer(what) {
            Ok(offer) => service.take_in(offer, sender()).await,
            Err(cause) => {
                tongue.err(&format!("{what}: {cause}"));
                code = Refusal::SOME_FAILED;
                continue;
            }
        };
        match taken {
            Ok(Taken::Downloads { accepted, broken }) => {
                for one in accepted {
                    say(service, one.id, one.fresh, tongue).await?;
                }
                if broken > 0 {
                    let count = Arg::Int(i64::try_from(broken).unwrap_or(i64::MAX));
                    tongue.err(&tongue.say("cli-added-broken", &[("count", count)]));
                }
            }
            Ok(Taken::Recording { url }) => {
                tongue.err(&tongue.say("cli-add-recording", &[("url", Arg::Text(&url))]));
                code = Refusal::SOME_FAILED;
            }
            Err(TakeError::Catch(error)) => {
                tongue.err(&tongue.failure(&error.failure()));
                code = Refusal::SOME_FAILED;
            }
            Err(TakeError::Store(error)) => return Err(error.into()),
        }
    }
    Ok(code)
}

/// A file if there is one of that name, else a link.
fn offer(what: &str) -> std::io::Result<Offer> {
    let path = Path::new(what);
    if !path.is_file() {
        return Ok(Offer::Text(what.to_owned()));
    }
    // One byte more than is read tells that there are more.
    let limit = u64::try_from(TORRENT_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(Offer::Torrent(bytes))
}

fn sender() -> Sender {
    // Whoever types it looks by themselves, as those do who come over HTTP.
    Sender { source: Source::Http, reply_to: None, owner: None }
}

async fn say(
    service: &DownloadService,
    id: WorkId,
    fresh: bool,
    tongue: &Tongue,
) -> Result<(), Refusal> {
    let view = service.views.download_view(id).await?;
    let (id, name) = (id.to_string(), view.as_ref().map(name).unwrap_or_default());
    let args = [("id", Arg::Text(&id)), ("name", Arg::Text(&name))];
    if fresh {
        tongue.print(&(tongue.say("cli-added", &args) + "\n"))?;
    } else {
        tongue.err(&tongue.say("cli-added-before", &args));
    }
    Ok(())
}
