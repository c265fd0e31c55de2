//! Checks the layout of the entries in the file: local headers that contradict the directory, entries that overlap, and
//! bytes that belong to no entry.

use std::io::{Read, Seek};
use std::ops::Range;
use std::rc::Rc;

use evalcheck_core::finding::{Finding, Location};
use evalcheck_core::order::Order;
use evalcheck_core::rule::AnyProblem;
use evalcheck_report::text;
use memchr::memmem;

use crate::byte_count::ByteCount;
use crate::end::End;
use crate::entry::{ENCRYPTED, Entry, Listed, Method, UTF8};
use crate::limits::MAX_GAP_SCAN;
use crate::log::Log;
use crate::problem::EndProblem;
use crate::source::{END, LOCAL, LittleEndian, Source};

evalcheck_core::rules! {
    /// Problems of the layout of the entries in the file.
    LayoutProblem for Archive {
        DataBeforeStart { bytes: ByteCount, refused: &'static str } = "zip/data-before-start", Warning {
            summary: "Bytes before the first entry of the ZIP.",
            message: "the first entry comes after {bytes} that belong to no entry{refused}",
            hint: "Pack the files as a plain ZIP, not as a self-extracting program.",
            fix: Unsafe,
            meaning: "A self-extracting archive begins with a program. Most readers skip it; some refuse the file.",
            invalid: "a self-extracting dataset.exe renamed to dataset.zip",
            valid: "dataset.zip made as a plain ZIP",
        }
        HiddenData { bytes: ByteCount, offset: u64 } = "zip/hidden-data", Warning {
            summary: "Bytes between the entries belong to no entry.",
            message: "the ZIP holds {bytes} at byte {offset} that belong to no entry",
            hint: "Pack the files again; the new ZIP holds only what it lists.",
            fix: Unsafe,
            meaning: "Such bytes are left over from removed entries, or were added so that some programs read them and others do not.",
            invalid: "a ZIP from which an entry was deleted without packing it again",
            valid: "the same files packed again",
        }
        UnlistedEntry { offset: u64 } = "zip/unlisted-entry", Error {
            summary: "An entry of the ZIP is not in its directory.",
            message: "an entry at byte {offset} of the ZIP is missing from its directory",
            hint: "Pack the files again from their folder, so that the ZIP lists all that it holds. The fix leaves this entry out.",
            fix: Unsafe,
            meaning: "A program that reads the ZIP from its start sees this entry; one that uses the directory does not. The two load different datasets.",
            invalid: "a ZIP with a second dataset between two listed entries",
            valid: "a ZIP that lists all of its entries",
        }
        Overlap { other: String } = "zip/overlap", Error {
            summary: "Two entries share bytes of the ZIP.",
            message: "this entry shares bytes of the ZIP with \"{other}\" and was not read",
            hint: "Pack the files again.",
            meaning: "No ZIP program writes such an archive. It is a way to make a small file inflate to petabytes.",
            invalid: "a ZIP whose directory lists the same data a thousand times under different names",
            valid: "the same files packed again",
        }
        OutOfFile = "zip/out-of-file", Error {
            summary: "An entry is outside of the ZIP.",
            message: "the directory gives a position for this entry where the ZIP has none, so it cannot be read",
            hint: "The ZIP is incomplete or damaged: copy it again, or pack the files again.",
            meaning: "The directory states where each entry is. There is no entry at this place, or its data would overlap the directory.",
            invalid: "a ZIP that lost its middle part",
            valid: "the whole ZIP",
        }
        HeaderMismatch { what: String } = "zip/header-mismatch", Error {
            summary: "The directory and the entry's own header disagree.",
            message: "the directory and the entry's own header disagree about its {what}",
            hint: "Pack the files again.",
            fix: Safe,
            meaning: "A ZIP describes each entry twice. Programs use one description or the other, so they read different things.",
            invalid: "an entry listed as samples.jsonl with a header that says notes.txt",
            valid: "the same files packed again",
        }
    }
}

const LOCAL_LENGTH: usize = 30;
const DESCRIPTOR: &[u8] = b"PK\x07\x08";
/// The flag of an entry whose sizes follow the data.
pub(crate) const SIZES_FOLLOW: u16 = 1 << 3;
/// Headers closer than this are read together.
const NEAR: u64 = 64 << 10;
const READ_AHEAD: usize = 256 << 10;
/// The maximum number of unlisted entries that are reported one by one.
const MAX_UNLISTED: usize = 100;

pub(crate) fn check<R: Read + Seek>(
    source: &mut Source<'_, R>,
    end: &End,
    listed: &mut [Listed],
    log: &mut Log,
) -> Result<(), AnyProblem> {
    let mut order: Vec<usize> = (0..listed.len()).collect();
    order.order_by_key(|index| listed[*index].entry.header);
    let mut gaps = Gaps { budget: MAX_GAP_SCAN, unlisted: 0, offsets_shifted: end.base > 0 };
    let mut covered = 0;
    let mut owner: Option<usize> = None;
    let mut order = order.into_iter().peekable();
    while let Some(index) = order.next() {
        let next =
            order.peek().and_then(|next| listed.get(*next)).map_or(end.start, |next| next.entry.header);
        let Some(this) = listed.get_mut(index) else { continue };
        let header = this.entry.header;
        if header >= end.start {
            this.sound = false;
            log.entry(index, &this.entry, LayoutProblem::OutOfFile);
            continue;
        }
        if header > covered {
            gaps.examine(source, covered..header, owner.is_none(), log)?;
        }
        let ahead = if next.saturating_sub(header) < NEAR { READ_AHEAD } else { 2 << 10 };
        let name = end.bytes.get(this.name.clone()).unwrap_or_default();
        let Some(data) = local_header(source, end.start, index, this, name, ahead, log)? else {
            this.sound = false;
            log.entry(index, &this.entry, LayoutProblem::OutOfFile);
            continue;
        };
        this.entry.data = Some(data.clone());
        if header < covered {
            share(listed, index, owner, log);
        }
        let Some(this) = listed.get(index) else { continue };
        let limit = if next > data.end { next.min(end.start) } else { end.start };
        let taken = data.end + descriptor(source, &this.entry, index, data.end..limit, ahead, log)?;
        if taken > covered || owner.is_none() {
            covered = covered.max(taken);
            owner = Some(index);
        }
    }
    if end.start > covered {
        gaps.examine(source, covered..end.start, owner.is_none(), log)?;
    }
    Ok(())
}

/// Reports two entries that share bytes. Neither is read.
fn share(listed: &mut [Listed], index: usize, owner: Option<usize>, log: &mut Log) {
    let other = owner.and_then(|owner| listed.get_mut(owner)).map(|other| {
        other.sound = false;
        other.entry.name.to_string()
    });
    if let Some(this) = listed.get_mut(index) {
        this.sound = false;
        log.entry(index, &this.entry, LayoutProblem::Overlap { other: other.unwrap_or_default() });
    }
}

/// Reads the local header and compares it with the directory. Returns the range of the data; `None` if there is no local header, or the
/// data would extend into the directory.
fn local_header<R: Read + Seek>(
    source: &mut Source<'_, R>,
    directory: u64,
    index: usize,
    listed: &mut Listed,
    name: &[u8],
    ahead: usize,
    log: &mut Log,
) -> Result<Option<Range<u64>>, AnyProblem> {
    let at = listed.entry.header;
    let fixed = source.at(at, LOCAL_LENGTH, ahead)?;
    if !fixed.starts_with(LOCAL) || fixed.len() < LOCAL_LENGTH {
        return Ok(None);
    }
    let name_length = usize::from(fixed.u16_at(26));
    let length = LOCAL_LENGTH + name_length + usize::from(fixed.u16_at(28));
    let local = source.at(at, length, ahead)?;
    let start = at + length as u64;
    let Some(end) = start.checked_add(listed.entry.compressed_size).filter(|end| *end <= directory) else {
        return Ok(None);
    };
    let mut what = Vec::new();
    let local_name = local.get(LOCAL_LENGTH..LOCAL_LENGTH + name_length).unwrap_or_default();
    let flags = local.u16_at(6) ^ listed.entry.flags;
    if local_name != name {
        what.push("name");
    } else if flags & UTF8 != 0 && !name.is_ascii() {
        what.push("encoding of the name");
    }
    if local.u16_at(8) != method_number(&listed.entry) {
        what.push("compression method");
    }
    if flags & ENCRYPTED != 0 {
        what.push("encryption");
    }
    // With these differences, readers read another file or other bytes, so the data is not read here. Different sizes and checksums matter
    // less: every reader that seeks uses those of the directory, and inflating the data verifies them.
    listed.sound &= what.is_empty();
    what.extend(sizes_disagree(local, &listed.entry));
    if !what.is_empty() {
        log.entry(index, &listed.entry, LayoutProblem::HeaderMismatch { what: text::listed(&what) });
    }
    Ok(Some(start..end))
}

fn method_number(entry: &Entry) -> u16 {
    match entry.method {
        Method::Stored => 0,
        Method::Deflate => 8,
        Method::Other(number) => number,
    }
}

fn sizes_disagree(local: &[u8], entry: &Entry) -> Option<&'static str> {
    let follow = local.u16_at(6) & SIZES_FOLLOW != 0;
    let (size, compressed) = local_sizes(local);
    let differs = |said: u64, listed: u64| said != listed && !(follow && said == 0);
    if differs(u64::from(local.u32_at(14)), u64::from(entry.crc32)) {
        Some("checksum")
    } else if differs(size, entry.size) || differs(compressed, entry.compressed_size) {
        Some("size")
    } else {
        None
    }
}

/// The sizes in a local header, or in its 64-bit extra field if all bits of the fields are set.
fn local_sizes(local: &[u8]) -> (u64, u64) {
    let mut size = u64::from(local.u32_at(22));
    let mut compressed = u64::from(local.u32_at(18));
    let full = u64::from(u32::MAX);
    if size != full && compressed != full {
        return (size, compressed);
    }
    let mut extra = local.get(LOCAL_LENGTH + usize::from(local.u16_at(26))..).unwrap_or_default();
    while extra.len() >= 4 {
        let length = usize::from(extra.u16_at(2));
        let field = extra.get(4..4 + length).unwrap_or_default();
        if extra.u16_at(0) == 1 && field.len() >= 8 {
            let mut at = 0;
            if size == full {
                size = field.u64_at(0);
                at = 8;
            }
            if compressed == full && field.len() >= at + 8 {
                compressed = field.u64_at(at);
            }
            break;
        }
        extra = extra.get(4 + length..).unwrap_or_default();
    }
    (size, compressed)
}

/// The length of the data descriptor after the data of an entry, in any of its four forms; 0 without one.
fn descriptor<R: Read + Seek>(
    source: &mut Source<'_, R>,
    entry: &Entry,
    index: usize,
    room: Range<u64>,
    ahead: usize,
    log: &mut Log,
) -> Result<u64, AnyProblem> {
    let room_length = usize::try_from(room.end.saturating_sub(room.start)).unwrap_or(usize::MAX).min(24);
    if room_length < 12 {
        return Ok(0);
    }
    let bytes = source.at(room.start, room_length, ahead)?;
    let signed = bytes.starts_with(DESCRIPTOR);
    if entry.flags & SIZES_FOLLOW == 0 && !signed {
        return Ok(0);
    }
    for skip in [if signed { 4 } else { 0 }, 0] {
        let rest = bytes.get(skip..).unwrap_or_default();
        if rest.u32_at(0) != entry.crc32 {
            continue;
        }
        if rest.len() >= 20 && rest.u64_at(4) == entry.compressed_size && rest.u64_at(12) == entry.size {
            return Ok(skip as u64 + 20);
        }
        if rest.len() >= 12
            && u64::from(rest.u32_at(4)) == entry.compressed_size & u64::from(u32::MAX)
            && u64::from(rest.u32_at(8)) == entry.size & u64::from(u32::MAX)
        {
            return Ok(skip as u64 + 12);
        }
    }
    if signed && room_length >= 16 {
        log.entry(index, entry, LayoutProblem::HeaderMismatch { what: "size or checksum".to_owned() });
        return Ok(16);
    }
    Ok(0)
}

/// Bytes that belong to no entry.
struct Gaps {
    budget: u64,
    unlisted: usize,
    /// Whether the offsets in the directory exclude the bytes before the first entry.
    offsets_shifted: bool,
}

impl Gaps {
    fn examine<R: Read + Seek>(
        &mut self,
        source: &mut Source<'_, R>,
        gap: Range<u64>,
        first: bool,
        log: &mut Log,
    ) -> Result<(), AnyProblem> {
        let bytes = ByteCount(gap.end - gap.start);
        let found = self.scan(source, gap.clone(), first, log)?;
        match found {
            Found::Nothing => {}
            Found::Bytes if first => {
                let refused = if self.offsets_shifted {
                    ", and its offsets do not count them; yauzl and adm-zip refuse such a ZIP"
                } else {
                    ""
                };
                log.whole(LayoutProblem::DataBeforeStart { bytes, refused });
            }
            Found::Bytes => log.whole(LayoutProblem::HiddenData { bytes, offset: gap.start }),
        }
        Ok(())
    }

    fn scan<R: Read + Seek>(
        &mut self,
        source: &mut Source<'_, R>,
        gap: Range<u64>,
        first: bool,
        log: &mut Log,
    ) -> Result<Found, AnyProblem> {
        const PIECE: usize = 256 << 10;
        let scanned = gap.start..gap.end.min(gap.start.saturating_add(self.budget));
        self.budget -= scanned.end - scanned.start;
        let mut zeros = scanned.end == gap.end;
        let mut unlisted = 0;
        let mut at = scanned.start;
        while at < scanned.end {
            let length = usize::try_from(scanned.end - at).unwrap_or(PIECE).min(PIECE);
            let piece = source.at(at, length, 0)?;
            // The marker of an archive that was to be split, but was not, needs no finding.
            if first && gap.end - gap.start == 4 && matches!(piece, b"PK00" | b"PK\x07\x08") {
                return Ok(Found::Nothing);
            }
            zeros &= piece.iter().all(|byte| *byte == 0);
            let ends = memmem::find_iter(piece, END).any(|end| piece.len() >= end + 22);
            let mut headers = Vec::new();
            for header in memmem::find_iter(piece, LOCAL) {
                if self.unlisted + headers.len() >= MAX_UNLISTED {
                    break;
                }
                if let Some(name) = unlisted_name(piece.get(header..).unwrap_or_default()) {
                    headers.push((at + header as u64, name));
                }
            }
            if ends {
                log.whole(EndProblem::SeveralEnds { count: 2 });
            }
            unlisted += headers.len();
            self.unlisted += headers.len();
            for (offset, name) in headers {
                log.0.push((
                    None,
                    Finding::new(LayoutProblem::UnlistedEntry { offset }, Location::entry(name)),
                ));
            }
            if at + length as u64 == scanned.end {
                break;
            }
            // A header may be split between two pieces.
            at += length as u64 - LOCAL_LENGTH as u64;
        }
        Ok(if unlisted > 0 || (zeros && !first) { Found::Nothing } else { Found::Bytes })
    }
}

enum Found {
    Nothing,
    Bytes,
}

/// The name in a probable local header; `None` if the bytes have its signature only by chance.
fn unlisted_name(bytes: &[u8]) -> Option<Rc<str>> {
    let name_length = usize::from(bytes.u16_at(26));
    if bytes.len() < LOCAL_LENGTH || bytes.u16_at(4) & 0xFF > 100 || name_length == 0 {
        return None;
    }
    let name = bytes.get(LOCAL_LENGTH..(LOCAL_LENGTH + name_length).min(bytes.len()))?;
    Some(String::from_utf8_lossy(name).into())
}
