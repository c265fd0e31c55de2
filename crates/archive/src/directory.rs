//! Reads the directory: the records of the entries, one after the other.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use evalcheck_core::rule::AnyProblem;
use evalcheck_core::unicode;

use crate::entry::{ENCRYPTED, Entry, Listed, Method};
use crate::extra::{self, Unicode};
use crate::limits::MAX_ENTRIES;
use crate::names;
use crate::problem::DirectoryProblem;
use crate::source::{CENTRAL, LittleEndian};

/// The length of a record of the directory without its name, extra fields and comment.
pub(crate) const RECORD_LENGTH: usize = 46;
const SIGNATURE: &[u8] = b"PK\x05\x05";

/// Systems that wrote an entry.
const UNIX: u16 = 3;
const MACOS: u16 = 19;

/// A record of the directory.
struct Record<'a> {
    fields: &'a [u8],
    /// The range of the name in the directory.
    name: Range<usize>,
    raw_name: &'a [u8],
    extra: &'a [u8],
}

/// Reads a directory that should have `count` entries, and adds `base` to their offsets.
pub(crate) fn read(directory: &[u8], count: u64, base: u64) -> Result<Vec<Listed>, AnyProblem> {
    let records = split(directory)?;
    let found = records.len() as u64;
    if found != count {
        return Err(DirectoryProblem::EntryCount { declared: count, found }.into());
    }
    let mut listed = Vec::with_capacity(records.len());
    for record in records {
        let number = listed.len() + 1;
        let entry = entry(&record, base, number)?;
        let fields = record.fields;
        let marked_utf8 = entry.is_marked_utf8();
        let bad_utf8 = simdutf8::compat::from_utf8(record.raw_name).err().filter(|_| marked_utf8);
        listed.push(Listed {
            marked: marked(&entry, fields.u16_at(4) >> 8, fields.u32_at(38)),
            // The upper byte does not belong to the version.
            needs: fields.u16_at(6) & 0xFF,
            bad_utf8: bad_utf8.map(|error| error.valid_up_to()),
            plain_name: (record.raw_name != entry.raw_name()).then(|| record.raw_name.into()),
            entry,
            name: record.name,
            sound: true,
        });
    }
    Ok(listed)
}

fn entry(record: &Record<'_>, base: u64, number: usize) -> Result<Entry, AnyProblem> {
    let damaged =
        |what: &str| AnyProblem::from(DirectoryProblem::Damaged { why: format!("entry {number}: {what}") });
    let Record { fields, extra, .. } = record;
    let mut sizes = extra::Sizes {
        size: fields.u32_at(24).into(),
        compressed: fields.u32_at(20).into(),
        header: fields.u32_at(42).into(),
    };
    let mut unicode = None;
    let said = extra::read(extra, &mut sizes, &mut unicode);
    said.map_err(damaged)?;
    let (raw_name, name) = match unicode {
        Some(unicode) => unicode_name(record.raw_name, &unicode, number)?,
        None => (record.raw_name, decoded(record.raw_name)),
    };
    let name: Rc<str> = name.into();
    let nfc: Rc<str> = if name.is_ascii() { name.clone() } else { unicode::nfc(&name).into() };
    // If the host system is Unix, the upper half of the attributes is the mode.
    let symlink = fields.u16_at(4) >> 8 == UNIX && fields.u16_at(40) & 0o170_000 == 0o120_000;
    let flags = fields.u16_at(8);
    Ok(Entry {
        utf8: simdutf8::basic::from_utf8(raw_name).is_ok(),
        raw_name: (raw_name != name.as_bytes()).then(|| raw_name.into()),
        record: record.name.start - RECORD_LENGTH,
        stripped: 0,
        size: sizes.size,
        compressed_size: sizes.compressed,
        method: Method::from_number(fields.u16_at(10)),
        crc32: fields.u32_at(16),
        flags,
        header: sizes
            .header
            .checked_add(base)
            .ok_or_else(|| damaged("it lies beyond the end of any file"))?,
        data: None,
        is_dir: matches!(raw_name.last(), Some(b'/' | b'\\')),
        encrypted: flags & ENCRYPTED != 0,
        symlink,
        ignored: names::is_ignored(&nfc),
        system_file: names::is_system_file(&nfc),
        name,
        nfc,
    })
}

/// The kind of an entry by its attributes, if it has the name of a file but is not one.
fn marked(entry: &Entry, host: u16, attributes: u32) -> Option<&'static str> {
    if entry.is_dir || entry.symlink {
        return None;
    }
    let mode = if matches!(host, UNIX | MACOS) { attributes >> 16 & 0o170_000 } else { 0 };
    if attributes & 0x10 != 0 || mode == 0o040_000 {
        Some("a folder")
    } else if attributes & 0x08 != 0 && matches!(host, 0 | 6 | 11 | 14) {
        Some("the label of a disk")
    } else if mode & 0o040_000 != 0 {
        // This is also the bit of a folder. A pipe does not have it: programs that pack their standard input mark it as a pipe.
        Some("a device or a socket")
    } else {
        None
    }
}

/// The name of an entry with a field for its name in Unicode. Not all programs know that field, so the two names may differ only if the
/// plain one is not UTF-8.
fn unicode_name<'a>(
    raw_name: &'a [u8],
    unicode: &Unicode<'a>,
    number: usize,
) -> Result<(&'a [u8], Cow<'a, str>), AnyProblem> {
    let damaged =
        |what: &str| AnyProblem::from(DirectoryProblem::Damaged { why: format!("entry {number}: {what}") });
    let mut checksum = flate2::Crc::new();
    checksum.update(raw_name);
    if checksum.sum() != unicode.crc32 {
        return Err(damaged("its name in Unicode belongs to another name"));
    }
    let name = std::str::from_utf8(unicode.name).map_err(|_| damaged("its name in Unicode is not UTF-8"))?;
    if std::str::from_utf8(raw_name).is_ok_and(|plain| plain != name) {
        return Err(DirectoryProblem::Ambiguous { what: format!("entry {number} has two names") }.into());
    }
    Ok((unicode.name, name.into()))
}

/// The name as text: UTF-8 if it is valid, whatever the flag says; otherwise code page 437.
fn decoded(raw_name: &[u8]) -> Cow<'_, str> {
    match simdutf8::basic::from_utf8(raw_name) {
        Ok(name) => name.into(),
        Err(_) => raw_name.iter().map(|byte| code_page_437(*byte)).collect(),
    }
}

fn code_page_437(byte: u8) -> char {
    const UPPER: [char; 128] = [
        'Ç', 'ü', 'é', 'â', 'ä', 'à', 'å', 'ç', 'ê', 'ë', 'è', 'ï', 'î', 'ì', 'Ä', 'Å', //
        'É', 'æ', 'Æ', 'ô', 'ö', 'ò', 'û', 'ù', 'ÿ', 'Ö', 'Ü', '¢', '£', '¥', '₧', 'ƒ', //
        'á', 'í', 'ó', 'ú', 'ñ', 'Ñ', 'ª', 'º', '¿', '⌐', '¬', '½', '¼', '¡', '«', '»', //
        '░', '▒', '▓', '│', '┤', '╡', '╢', '╖', '╕', '╣', '║', '╗', '╝', '╜', '╛', '┐', //
        '└', '┴', '┬', '├', '─', '┼', '╞', '╟', '╚', '╔', '╩', '╦', '╠', '═', '╬', '╧', //
        '╨', '╤', '╥', '╙', '╘', '╒', '╓', '╫', '╪', '┘', '┌', '█', '▄', '▌', '▐', '▀', //
        'α', 'ß', 'Γ', 'π', 'Σ', 'σ', 'µ', 'τ', 'Φ', 'Θ', 'Ω', 'δ', '∞', 'φ', 'ε', '∩', //
        '≡', '±', '≥', '≤', '⌠', '⌡', '÷', '≈', '°', '∙', '·', '√', 'ⁿ', '²', '■', '\u{a0}',
    ];
    UPPER.get(usize::from(byte).wrapping_sub(128)).copied().unwrap_or(char::from(byte))
}

/// The records of the directory, one after the other. Its size decides their number, not the number of entries in the end record.
fn split(directory: &[u8]) -> Result<Vec<Record<'_>>, AnyProblem> {
    let damaged = |why: String| AnyProblem::from(DirectoryProblem::Damaged { why });
    let mut records = Vec::with_capacity(directory.len() / (RECORD_LENGTH + 16));
    let mut at = 0;
    while at < directory.len() {
        let rest = directory.get(at..).unwrap_or_default();
        if rest.starts_with(SIGNATURE) && rest.len() == 6 + usize::from(rest.u16_at(4)) {
            break;
        }
        if !rest.starts_with(CENTRAL) || rest.len() < RECORD_LENGTH {
            return Err(damaged(format!("it breaks off after {} entries", records.len())));
        }
        if !matches!(rest.u16_at(34), 0 | u16::MAX) {
            return Err(DirectoryProblem::MultiDisk.into());
        }
        let name_length = usize::from(rest.u16_at(28));
        let length =
            RECORD_LENGTH + name_length + usize::from(rest.u16_at(30)) + usize::from(rest.u16_at(32));
        if length > rest.len() {
            return Err(damaged(format!("it breaks off in entry {}", records.len() + 1)));
        }
        let (fields, rest) = rest.split_at(RECORD_LENGTH);
        let (raw_name, rest) = rest.split_at(name_length);
        let extra = rest.get(..usize::from(fields.u16_at(30))).unwrap_or_default();
        let name = at + RECORD_LENGTH..at + RECORD_LENGTH + name_length;
        records.push(Record { fields, name, raw_name, extra });
        if records.len() as u64 > MAX_ENTRIES {
            return Err(
                DirectoryProblem::TooManyEntries { found: records.len() as u64, limit: MAX_ENTRIES }.into()
            );
        }
        at += length;
    }
    Ok(records)
}
