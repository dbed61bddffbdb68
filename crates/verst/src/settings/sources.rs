//! Where each value comes from: the program, the file, the environment, in this order; the later one
//! holds. A secret may also lie in a file of its own, which `..._file` names in either place.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::keys::{KEYS, Key};
use super::small;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// Nobody set it.
    Default,
    /// The settings file.
    File,
    /// This variable.
    Variable(String),
    /// The file that this key or variable names.
    Named(String, PathBuf),
}

/// What the variables of this process say, by name.
pub(crate) type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The values that were set, and where.
pub(super) struct Gathered {
    pub(super) values: Table,
    pub(super) sources: BTreeMap<&'static str, Source>,
}

/// Lays what is set over one another. `usual` has every key with its default, which tells the kind
/// of value that a variable's text is read as.
///
/// # Errors
/// A sentence that names the key or the variable.
pub(super) fn gather(
    mut file: Table,
    usual: &Table,
    environment: Environment<'_>,
) -> Result<Gathered, String> {
    let mut gathered = Gathered { values: Table::new(), sources: BTreeMap::new() };
    for key in KEYS {
        let set = [in_file(key, &mut file)?, in_environment(key, usual, environment)?];
        let last = set.into_iter().flatten().next_back();
        let source = last.map_or(Source::Default, |(value, source)| {
            gathered.values.insert(key.name.to_owned(), value);
            source
        });
        gathered.sources.insert(key.name, source);
    }
    match file.keys().next() {
        Some(unknown) => Err(strange(unknown)),
        None => Ok(gathered),
    }
}

type Set = Option<(Value, Source)>;

/// Takes a key out of the file's table, so that what is left is unknown.
fn in_file(key: &Key, file: &mut Table) -> Result<Set, String> {
    let plain = file.remove(key.name).map(|value| (value, Source::File));
    let named = format!("{}_file", key.name);
    let path = if key.secret { file.remove(&named) } else { None };
    let Some(path) = path else { return Ok(plain) };
    if plain.is_some() {
        return Err(format!("`{}` and `{named}` are both set; remove one", key.name));
    }
    let path = path.as_str().ok_or(format!("`{named}` has to be the path of a file"))?.to_owned();
    read_secret(&named, Path::new(&path)).map(Some)
}

fn in_environment(key: &Key, usual: &Table, environment: Environment<'_>) -> Result<Set, String> {
    let name = variable(key.name);
    // An empty variable is how compose files and units write "not set".
    let is_set = |name: &str| environment(name).filter(|text| !text.is_empty());
    let named = format!("{name}_FILE");
    match (is_set(&name), is_set(&named).filter(|_| key.secret)) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => Err(format!("{name} and {named} are both set; remove one")),
        (None, Some(path)) => read_secret(&named, Path::new(&path)).map(Some),
        (Some(text), None) => {
            let value = parse(&text, usual.get(key.name)).map_err(|kind| {
                // A secret is not repeated, whatever is wrong with it.
                let shown =
                    if key.secret { "its value".to_owned() } else { format!("“{text}”") };
                format!("{name}: {shown} is not {kind}")
            })?;
            Ok(Some((value, Source::Variable(name))))
        }
    }
}

/// The variable that overrides a key.
fn variable(key: &str) -> String {
    format!("VERST_{}", key.to_uppercase())
}

fn parse(text: &str, like: Option<&Value>) -> Result<Value, &'static str> {
    Ok(match like {
        Some(Value::Integer(_)) => Value::Integer(text.parse().map_err(|_| "a whole number")?),
        Some(Value::Boolean(_)) => Value::Boolean(text.parse().map_err(|_| "true or false")?),
        _ => Value::String(text.to_owned()),
    })
}

fn read_secret(named: &str, path: &Path) -> Result<(Value, Source), String> {
    let text = small::read(path)
        .map_err(|error| format!("{named}: {} cannot be read: {error}", path.display()))?;
    let secret = text.trim_end_matches(['\r', '\n']).to_owned();
    Ok((Value::String(secret), Source::Named(named.to_owned(), path.to_owned())))
}

/// Says that a key is unknown, and which one may have been meant.
fn strange(unknown: &str) -> String {
    let likeness = |name: &str| strsim::damerau_levenshtein(unknown, name);
    let nearest = KEYS.iter().min_by_key(|key| likeness(key.name));
    match nearest.filter(|key| likeness(key.name) <= key.name.len() / 3) {
        Some(key) => format!("unknown key `{unknown}`; did you mean `{}`?", key.name),
        None => format!("unknown key `{unknown}`; docs/configure.md lists all"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usual() -> Table {
        toml::from_str("workers = 4\nkeep_originals = true\ndatabase = \"\"\nmodel = \"m\"")
            .unwrap()
    }

    fn check(file: &str, set: &[(&str, &str)]) -> Result<Gathered, String> {
        let variables: BTreeMap<&str, &str> = set.iter().copied().collect();
        let environment = |name: &str| variables.get(name).map(|&text| text.to_owned());
        gather(toml::from_str(file).unwrap(), &usual(), &environment)
    }

    fn value(file: &str, set: &[(&str, &str)], key: &str) -> (Option<Value>, Source) {
        let gathered = check(file, set).unwrap();
        (gathered.values.get(key).cloned(), gathered.sources[key].clone())
    }

    #[test]
    fn the_environment_holds_over_the_file_and_that_over_the_default() {
        let variable = Source::Variable("VERST_WORKERS".to_owned());
        assert_eq!(value("", &[], "workers"), (None, Source::Default));
        let file = "workers = 2";
        assert_eq!(value(file, &[], "workers"), (Some(Value::Integer(2)), Source::File));
        let set = [("VERST_WORKERS", "3")];
        assert_eq!(value(file, &set, "workers"), (Some(Value::Integer(3)), variable));
        let empty = [("VERST_WORKERS", "")];
        assert_eq!(value(file, &empty, "workers"), (Some(Value::Integer(2)), Source::File));
        let set = [("VERST_KEEP_ORIGINALS", "false")];
        assert_eq!(value("", &set, "keep_originals").0, Some(Value::Boolean(false)));
        let set = [("VERST_MODEL", "7")];
        assert_eq!(value("", &set, "model").0, Some(Value::String("7".to_owned())));
    }

    #[test]
    fn a_secret_may_lie_in_a_file_that_either_names() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("secret");
        std::fs::write(&path, "postgres://a:b@c/d\n").unwrap();
        let shown = path.display().to_string();
        let secret = Some(Value::String("postgres://a:b@c/d".to_owned()));
        let file = format!("database_file = {shown:?}");
        let named = |by: &str| Source::Named(by.to_owned(), path.clone());
        assert_eq!(value(&file, &[], "database"), (secret.clone(), named("database_file")));
        let set = [("VERST_DATABASE_FILE", shown.as_str())];
        assert_eq!(value("", &set, "database"), (secret, named("VERST_DATABASE_FILE")));
        for (file, set) in [
            (format!("{file}\ndatabase = \"x\""), &[][..]),
            (String::new(), &[("VERST_DATABASE", "x"), ("VERST_DATABASE_FILE", "y")]),
        ] {
            assert!(check(&file, set).err().unwrap().contains("both set"));
        }
        let missing = check("database_file = \"/nowhere\"", &[]).err().unwrap();
        assert!(missing.contains("database_file") && missing.contains("/nowhere"), "{missing}");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_name() {
        let unknown = check("workres = 1", &[]).err().unwrap();
        assert_eq!(unknown, "unknown key `workres`; did you mean `workers`?");
        let unknown = check("colour_of_the_panel = 1", &[]).err().unwrap();
        assert!(unknown.contains("docs/configure.md"), "{unknown}");
        // Only a secret may lie in a file of its own.
        assert!(check("workers_file = \"x\"", &[]).is_err());
        let number = check("", &[("VERST_WORKERS", "many")]).err().unwrap();
        assert_eq!(number, "VERST_WORKERS: “many” is not a whole number");
    }
}
