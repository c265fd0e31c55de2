//! What fixes changed, as a unified diff; of a ZIP also what became of its entries.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read, Write};

use evalcheck_archive::{Archive, Contents};
use evalcheck_wire::report::EntryEdit;
use similar::TextDiff;

/// What became of the entries of a ZIP, by their names before; nothing of those that were left out.
#[derive(Default)]
pub(crate) struct EntryNames(BTreeMap<String, Option<String>>);

impl EntryNames {
    /// Notes what a round changes.
    pub(crate) fn follow<'a>(&mut self, edits: impl Iterator<Item = &'a EntryEdit>) {
        let edits: Vec<_> =
            edits.map(|edit| (self.before(&edit.entry).to_owned(), edit.rename.clone())).collect();
        self.0.extend(edits);
    }

    /// The name of an entry before.
    fn before<'a>(&'a self, now: &'a str) -> &'a str {
        let before = self.0.iter().find(|(_, name)| name.as_deref() == Some(now));
        before.map_or(now, |(before, _)| before)
    }
}

/// The file as it was, and what became of its entries.
pub(crate) struct Before {
    pub(crate) bytes: Vec<u8>,
    pub(crate) names: EntryNames,
}

/// Writes what changed in a file of this name, whose dataset is now this entry of a ZIP. Both are held in memory.
pub(crate) fn write(before: &Before, after: &[u8], entry: Option<&str>, file: &str) -> io::Result<()> {
    let file = file.trim_start_matches('/');
    let mut out = io::stdout().lock();
    for (name, now) in &before.names.0 {
        match now {
            Some(now) if now == name => {}
            Some(now) => writeln!(out, "rename from {file}/{name}\nrename to {file}/{now}")?,
            None => writeln!(out, "deleted file {file}/{name}")?,
        }
    }
    let Some(entry) = entry else {
        if before.names.0.is_empty() {
            unified(&before.bytes, after, [file, file], &mut out)?;
        }
        return out.flush();
    };
    let old_entry = before.names.before(entry);
    let names = [old_entry, entry].map(|entry| format!("{file}/{entry}"));
    let contents = [contents(&before.bytes, old_entry)?, contents(after, entry)?];
    unified(&contents[0], &contents[1], [&names[0], &names[1]], &mut out)?;
    out.flush()
}

fn contents(zip: &[u8], entry: &str) -> io::Result<Vec<u8>> {
    let mut source = Cursor::new(zip);
    let archive = Archive::of(&mut source)?;
    let mut bytes = Vec::new();
    Contents::new(archive.last_named(entry)?, &mut source)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn unified(before: &[u8], after: &[u8], [old, new]: [&str; 2], out: &mut impl Write) -> io::Result<()> {
    let diff = TextDiff::from_lines(before, after);
    diff.unified_diff().context_radius(0).header(&format!("a/{old}"), &format!("b/{new}")).to_writer(out)
}
