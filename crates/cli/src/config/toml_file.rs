//! Reads a configuration from TOML. Errors contain the position in the file.

use std::ops::Range;
use std::path::Path;

use evalcheck_engine::suggest::nearest;
use evalcheck_wire::options::{Declaration, OPTIONS, Options};
use ignore::gitignore::Gitignore;
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::{Config, Patterns};
use crate::known;
use crate::paths::{located, patterns};
use crate::settings::Settings;

/// The keys of [`Settings`] beside the declared options.
pub(super) const OF_RUN: [&str; 3] = ["severity", "fail-on", "baseline"];

/// The list of tables with options for some files.
const FILES: &str = "files";

/// The key for files and folders that are not read.
const EXCLUDE: &str = "exclude";

/// The key for the patterns of a table of [`FILES`].
const MATCH: &str = "match";

type Table<'t> = Spanned<DeTable<'t>>;

/// The problem of a configuration.
struct Wrong {
    message: String,
    /// The bytes of the file.
    span: Option<Range<usize>>,
}

impl From<toml::de::Error> for Wrong {
    fn from(error: toml::de::Error) -> Self {
        Self { message: error.message().to_owned(), span: error.span() }
    }
}

impl Wrong {
    const fn at(message: String, span: Range<usize>) -> Self {
        Self { message, span: Some(span) }
    }

    /// `FILE:LINE:COLUMN: MESSAGE`
    fn describe(&self, path: &Path, text: &str) -> String {
        let (path, message) = (path.display(), &self.message);
        let Some(before) = self.span.as_ref().and_then(|span| text.get(..span.start)) else {
            return format!("{path}: {message}");
        };
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{path}:{line}:{column}: {message}")
    }
}

/// The configuration in an `evalcheck.toml`.
pub(super) fn config(path: &Path, text: &str) -> Result<Config, String> {
    let read = || of_table(path, DeTable::parse(text)?);
    read().map_err(|wrong: Wrong| wrong.describe(path, text))
}

/// The configuration in a `pyproject.toml`; `None` if it has none.
pub(super) fn of_pyproject(path: &Path, text: &str) -> Result<Option<Config>, String> {
    let read = || {
        let mut table = DeTable::parse(text)?;
        for key in ["tool", "evalcheck"] {
            let Some(value) = table.get_mut().remove(key) else { return Ok(None) };
            table = as_table(value)?;
        }
        of_table(path, table).map(Some)
    };
    read().map_err(|wrong: Wrong| wrong.describe(path, text))
}

fn of_table(path: &Path, mut table: Table<'_>) -> Result<Config, Wrong> {
    let folder = located(path);
    let folder = folder.parent().unwrap_or(&folder);
    let (files, excluded) = (table.get_mut().remove(FILES), table.get_mut().remove(EXCLUDE));
    let excluded = excluded.map(|value| gitignore(folder, value)).transpose()?;
    let mut config = Config {
        excluded: excluded.unwrap_or_else(Gitignore::empty),
        settings: settings(folder, table, &[EXCLUDE, FILES])?,
        files: Vec::new(),
    };
    for section in files.map(as_list).transpose()?.unwrap_or_default() {
        let mut section = as_table(section)?;
        let Some(matched) = section.get_mut().remove(MATCH) else {
            return Err(Wrong::at(
                format!("the key \"{MATCH}\" is missing: it says which files are meant"),
                section.span(),
            ));
        };
        config.files.push((gitignore(folder, matched)?, settings(folder, section, &[MATCH])?));
    }
    Ok(config)
}

/// The options of a table. `others` are further keys that the table may have had.
fn settings(folder: &Path, table: Table<'_>, others: &[&str]) -> Result<Settings, Wrong> {
    let declared = || OPTIONS.iter().filter(|option| option.config.is_some());
    let flags: Vec<String> = declared().map(Declaration::flag).collect();
    let known = || flags.iter().map(String::as_str).chain(OF_RUN).chain(others.iter().copied());
    if let Some(key) =
        table.get_ref().keys().find(|key| !known().any(|known| known == key.get_ref().as_ref()))
    {
        let hint = nearest(key.get_ref(), known()).map(|near| format!(". Did you mean \"{near}\"?"));
        let hint = hint.unwrap_or_else(|| format!("; there are {}", known().collect::<Vec<_>>().join(", ")));
        return Err(Wrong::at(format!("unknown key \"{}\"{hint}", key.get_ref()), key.span()));
    }
    let (span, mut table, mut options) = (table.span(), table.into_inner(), Options::default());
    for (option, flag) in declared().zip(&flags) {
        let Some(given) = table.remove(flag.as_str()) else { continue };
        let span = given.span();
        known::set(&mut options, option, &value(given)?, folder).map_err(|why| Wrong::at(why, span))?;
    }
    let settings: Settings = value(Spanned::new(span, DeValue::Table(table)))?;
    let baseline = settings.baseline.map(|baseline| folder.join(baseline));
    Ok(Settings { options, baseline, ..settings })
}

fn value<T: DeserializeOwned>(value: Spanned<DeValue<'_>>) -> Result<T, Wrong> {
    Ok(T::deserialize(ValueDeserializer::from(value))?)
}

fn gitignore(folder: &Path, wanted: Spanned<DeValue<'_>>) -> Result<Gitignore, Wrong> {
    let span = wanted.span();
    let wanted = match value(wanted).map_err(|wrong| Wrong::at(wrong.message, span.clone()))? {
        Patterns::One(pattern) => vec![pattern],
        Patterns::Several(patterns) => patterns,
    };
    patterns(folder, &wanted).map_err(|why| Wrong::at(why, span))
}

fn as_table(value: Spanned<DeValue<'_>>) -> Result<Table<'_>, Wrong> {
    let span = value.span();
    match value.into_inner() {
        DeValue::Table(table) => Ok(Spanned::new(span, table)),
        _ => Err(Wrong::at("a table is wanted".to_owned(), span)),
    }
}

fn as_list(value: Spanned<DeValue<'_>>) -> Result<Vec<Spanned<DeValue<'_>>>, Wrong> {
    let span = value.span();
    match value.into_inner() {
        DeValue::Array(list) => Ok(list.into_iter().collect()),
        _ => Err(Wrong::at("a list of tables is wanted: write [[files]]".to_owned(), span)),
    }
}
