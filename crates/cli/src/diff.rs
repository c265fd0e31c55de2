//! The changes by fixes, as a unified diff; for a ZIP, also the changes of its entries.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};

use evalcheck_engine::diff::{Differ, State};
use evalcheck_report::EntryEdit;
use evalcheck_report::text::one_line;

use evalcheck_archive::read_dataset;

use crate::input::Input;
use crate::print_error;
use crate::shown::{Shown, is_written_to_file};

/// The changes of the entries of a ZIP, by their former names; `None` for removed ones.
#[derive(Default)]
pub(crate) struct EntryNames(BTreeMap<String, Option<String>>);

impl EntryNames {
    /// Records the changes of a round.
    pub(crate) fn follow<'a>(&mut self, edits: impl Iterator<Item = &'a EntryEdit>) {
        let edits: Vec<_> =
            edits.map(|edit| (self.before(&edit.entry).to_owned(), edit.rename.clone())).collect();
        self.0.extend(edits);
    }

    /// The former name of an entry.
    fn before<'a>(&'a self, now: &'a str) -> &'a str {
        let before = self.0.iter().find(|(_, name)| name.as_deref() == Some(now));
        before.map_or(now, |(before, _)| before)
    }
}

/// The file before the fixes, and the changes of its entries.
pub(crate) struct Before {
    pub(crate) input: Input,
    pub(crate) names: EntryNames,
}

/// Writes the changes of a file with this name. Its dataset is now this entry of a ZIP.
pub(crate) fn write(
    before: &mut Before,
    after: &mut Input,
    entry: Option<&str>,
    file: &str,
) -> io::Result<()> {
    let out = BufWriter::new(io::stdout().lock());
    if is_written_to_file() {
        let mut out = out;
        write_to(&mut out, before, after, entry, file)?;
        return out.flush();
    }
    let mut out = Shown::new(out);
    write_to(&mut out, before, after, entry, file)?;
    if out.finish()? {
        print_error(file, "some characters are shown as escapes: to apply the diff, write it to a file");
    }
    Ok(())
}

fn write_to(
    out: &mut impl Write,
    before: &mut Before,
    after: &mut Input,
    entry: Option<&str>,
    file: &str,
) -> io::Result<()> {
    let file = one_line(file.trim_start_matches('/'));
    let Before { input, names } = before;
    for (name, now) in &names.0 {
        let shown = one_line(name);
        match now {
            Some(now) if now == name => {}
            Some(now) => writeln!(out, "rename from {file}/{shown}\nrename to {file}/{}", one_line(now))?,
            None => writeln!(out, "deleted file {file}/{shown}")?,
        }
    }
    let old_entry = entry.map(|entry| names.before(entry));
    if entry.is_some() || names.0.is_empty() {
        let path = |entry: Option<&str>| {
            entry.map_or_else(|| file.clone(), |entry| format!("{file}/{}", one_line(entry)))
        };
        let headers = [format!("a/{}", path(old_entry)), format!("b/{}", path(entry))];
        read_dataset(input, old_entry, |old| {
            read_dataset(after, entry, |new| {
                let mut differ = Differ::new([&headers[0], &headers[1]]);
                while let Some(state) = differ.advance(out)? {
                    match state {
                        State::Old => differ.read(state, old)?,
                        State::New => differ.read(state, new)?,
                    }
                }
                Ok(())
            })
        })?;
    }
    Ok(())
}
