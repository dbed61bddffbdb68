//! Which objects these are: an id that lies among them, so that a database whose rows name objects
//! elsewhere is noticed before any is missed.

use object_store::path::Path;
use object_store::{Error, ObjectStoreExt, PutMode};
use verst_recordings::ports::ObjectError;

use super::stored::Stored;

/// The object that holds the id. Whoever copies all objects copies it with them.
const HOME: &str = "home";
/// Longer than any id.
const LONGEST: u64 = 256;

impl Stored {
    /// Reads the id, and makes one where there is none yet: two that do so at once agree on one.
    pub(super) async fn home(&self) -> Result<String, ObjectError> {
        if let Some(id) = self.read_home().await? {
            self.known.get_or_init(|| id.clone());
            return Ok(id);
        }
        let id = format!("{:032x}\n", fastrand::u128(..));
        let made = self.store.put_opts(&Path::from(HOME), id.into(), PutMode::Create.into()).await;
        match made {
            Ok(_) | Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => {}
            Err(error) => return Err(self.trouble(error)),
        }
        let id = self.read_home().await?.ok_or(ObjectError::Missing)?;
        self.known.get_or_init(|| id.clone());
        Ok(id)
    }

    pub(super) async fn read_home(&self) -> Result<Option<String>, ObjectError> {
        let found = match self.store.get(&Path::from(HOME)).await {
            Err(Error::NotFound { .. }) => return Ok(None),
            found => found.map_err(|error| self.trouble(error))?,
        };
        if found.meta.size > LONGEST {
            return Ok(None);
        }
        let id = found.bytes().await.map_err(|error| self.trouble(error))?;
        let id = String::from_utf8_lossy(&id).trim().to_owned();
        Ok((!id.is_empty()).then_some(id))
    }
}
