//! The directory: the records of its entries, one after the other.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use super::end::{CENTRAL, End};
use super::extra::{self, Unicode};
use super::source::Properties;
use super::{Entry, MAX_ENTRIES, Method, names};
use crate::rules::Zip;
use evalcheck_core::unicode;

const RECORD_LENGTH: usize = 46;
const SIGNATURE: &[u8] = b"PK\x05\x05";

/// An entry while the archive is opened.
pub(super) struct Listed {
    pub(super) entry: Entry,
    /// Where the name stands in [`End::bytes`]: the bytes that the local header has to repeat.
    pub(super) name: Range<usize>,
    /// False when its data must not be read.
    pub(super) sound: bool,
}

impl Listed {
    pub(super) fn into_entry(mut self) -> Entry {
        if !self.sound {
            self.entry.data = None;
        }
        self.entry
    }
}

/// A record of the directory.
struct Record<'a> {
    fields: &'a [u8],
    /// Where the name stands in [`End::bytes`].
    name: Range<usize>,
    raw_name: &'a [u8],
    extra: &'a [u8],
}

pub(super) fn read(end: &End) -> Result<Vec<Listed>, Zip> {
    let records = walk(end)?;
    let found = records.len() as u64;
    if found != end.count {
        return Err(Zip::EntryCount { declared: end.count, found });
    }
    let mut listed = Vec::with_capacity(records.len());
    for record in records {
        let number = listed.len() + 1;
        let entry = entry(&record, end.base, number)?;
        listed.push(Listed { entry, name: record.name, sound: true });
    }
    Ok(listed)
}

fn entry(record: &Record<'_>, base: u64, number: usize) -> Result<Entry, Zip> {
    let damaged = |what: &str| Zip::Damaged { why: format!("entry {number}: {what}") };
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
    // The system in which the attributes are meant is Unix, whose mode stands in their upper half.
    let symlink = fields.u16_at(4) >> 8 == 3 && fields.u16_at(40) & 0o170_000 == 0o120_000;
    let flags = fields.u16_at(8);
    Ok(Entry {
        utf8: simdutf8::basic::from_utf8(raw_name).is_ok(),
        raw_name: (raw_name != name.as_bytes()).then(|| raw_name.into()),
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
        encrypted: flags & 1 != 0,
        symlink,
        ignored: names::is_ignored(&nfc),
        litter: names::is_litter(&nfc),
        name,
        nfc,
    })
}

/// The name of an entry that has another one in Unicode beside it. Some programs know that field and some do not, so it
/// may only spell out what the name itself cannot hold.
fn unicode_name<'a>(
    raw_name: &'a [u8],
    unicode: &Unicode<'a>,
    number: usize,
) -> Result<(&'a [u8], Cow<'a, str>), Zip> {
    let damaged = |what: &str| Zip::Damaged { why: format!("entry {number}: {what}") };
    let mut checksum = flate2::Crc::new();
    checksum.update(raw_name);
    if checksum.sum() != unicode.crc32 {
        return Err(damaged("its name in Unicode belongs to another name"));
    }
    let name = std::str::from_utf8(unicode.name).map_err(|_| damaged("its name in Unicode is not UTF-8"))?;
    if std::str::from_utf8(raw_name).is_ok_and(|plain| plain != name) {
        return Err(Zip::Ambiguous { what: format!("entry {number} has two names") });
    }
    Ok((unicode.name, name.into()))
}

/// The name as text: UTF-8, whatever the flag says, or else the code page of the first PCs.
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

/// The records of the directory one after the other, as far as its size says, whatever number of entries the end record
/// names.
fn walk(end: &End) -> Result<Vec<Record<'_>>, Zip> {
    let damaged = |why: String| Zip::Damaged { why };
    let directory = end.bytes.get(..end.directory_size).unwrap_or_default();
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
            return Err(Zip::MultiDisk);
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
            return Err(Zip::TooManyEntries { found: records.len() as u64, limit: MAX_ENTRIES });
        }
        at += length;
    }
    Ok(records)
}
