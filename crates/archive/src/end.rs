//! The end of a ZIP: which end-of-directory record counts, and where the directory lies.

use std::io::{Read, Seek};

use memchr::memmem;

use super::source::{Properties, Source};
use super::{MAX_DIRECTORY_BYTES, MAX_ENTRIES};
use crate::rules::{Bytes, Zip};

pub(super) const END: &[u8; 4] = b"PK\x05\x06";
const END64: &[u8; 4] = b"PK\x06\x06";
const LOCATOR64: &[u8; 4] = b"PK\x06\x07";
pub(super) const CENTRAL: &[u8; 4] = b"PK\x01\x02";
pub(super) const LOCAL: &[u8; 4] = b"PK\x03\x04";

const END_LENGTH: usize = 22;
const END64_LENGTH: u64 = 56;
const LOCATOR64_LENGTH: u64 = 20;

/// How far back from the end of the file an end record is searched: a comment takes at most 64 KiB, the rest is for
/// bytes that were appended.
const SEARCHED: u64 = 1 << 20;

/// The directory of a ZIP, found.
pub(super) struct End {
    /// What is added to the offsets in the directory: the bytes before the archive.
    pub(super) base: u64,
    /// Where the directory begins.
    pub(super) start: u64,
    /// How many entries it should have.
    pub(super) count: u64,
    /// Size of the directory in bytes.
    pub(super) directory_size: usize,
    /// The file from [`End::start`] to the end of the archive.
    pub(super) bytes: Vec<u8>,
    /// How many bytes of the file follow the archive.
    pub(super) after: u64,
}

/// What an end record says.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Claim {
    disk: u32,
    directory_disk: u32,
    count_here: u64,
    count: u64,
    size: u64,
    offset: u64,
}

pub(super) fn find<R: Read + Seek>(source: &mut Source<'_, R>) -> Result<End, Zip> {
    let size = source.size();
    let begins_as_zip = {
        let head = source.at(0, 4, 4)?;
        head == LOCAL || head == b"PK\x07\x08" || head == b"PK00"
    };
    let missing = || if begins_as_zip { Zip::Truncated } else { Zip::NotAZip };

    let tail_start = size.saturating_sub(SEARCHED);
    let tail_length = usize::try_from(size - tail_start).unwrap_or(0);
    let tail = source.at(tail_start, tail_length, 0)?.to_vec();
    let record = choose(&tail).ok_or_else(missing)?;
    let at = tail_start + record as u64;
    let comment = usize::from(tail.as_slice().u16_at(record + 20));
    let end_of_archive = at + (END_LENGTH + comment) as u64;
    let after = size - end_of_archive;

    let (claim, directory_end) = claim(source, &tail, tail_start, record)?;
    // What gives an entry count per disk gives the count of all of them too: 0xFFFF and 0 stand for "see elsewhere".
    if claim.disk != 0 || claim.directory_disk != 0 || claim.count_here != claim.count {
        return Err(Zip::MultiDisk);
    }
    if claim.count == 0 && claim.size == 0 {
        return Err(if begins_as_zip {
            Zip::Damaged { why: "it lists no entry, yet the file begins with one".to_owned() }
        } else {
            Zip::Empty
        });
    }
    if claim.count > MAX_ENTRIES {
        return Err(Zip::TooManyEntries { found: claim.count, limit: MAX_ENTRIES });
    }
    if claim.size > MAX_DIRECTORY_BYTES {
        return Err(Zip::DirectoryTooLarge { bytes: Bytes(claim.size), limit: Bytes(MAX_DIRECTORY_BYTES) });
    }
    let (start, base) = location(source, claim, directory_end)?;
    if base > 0 && after > 0 && begins_as_zip {
        // The end record of an inner ZIP in the remains of an outer one that lost its own.
        return Err(Zip::Truncated);
    }

    let length = usize::try_from(end_of_archive - start).unwrap_or(usize::MAX);
    let bytes = source.at(start, length, 0)?.to_vec();
    one_end_only(&bytes, usize::try_from(at - start).unwrap_or(0), directory_end - start)?;
    Ok(End {
        base,
        start,
        count: claim.count,
        directory_size: usize::try_from(claim.size).unwrap_or(usize::MAX),
        bytes,
        after,
    })
}

/// The end record: the last one whose comment ends the file; else the last one that is whole (bytes follow it then).
fn choose(tail: &[u8]) -> Option<usize> {
    let mut whole = None;
    for at in memmem::rfind_iter(tail, END) {
        let Some(end) = at.checked_add(END_LENGTH).filter(|end| *end <= tail.len()) else { continue };
        let end = end + usize::from(tail.u16_at(at + 20));
        if end == tail.len() {
            return Some(at);
        }
        if end < tail.len() && whole.is_none() {
            whole = Some(at);
        }
    }
    whole
}

/// What the end record says, taken together with the 64-bit one where there is one; and where the directory ends.
fn claim<R: Read + Seek>(
    source: &mut Source<'_, R>,
    tail: &[u8],
    tail_start: u64,
    record: usize,
) -> Result<(Claim, u64), Zip> {
    let at = tail_start + record as u64;
    let small = Claim {
        disk: u32::from(tail.u16_at(record + 4)),
        directory_disk: u32::from(tail.u16_at(record + 6)),
        count_here: u64::from(tail.u16_at(record + 8)),
        count: u64::from(tail.u16_at(record + 10)),
        size: u64::from(tail.u32_at(record + 12)),
        offset: u64::from(tail.u32_at(record + 16)),
    };
    let Some(locator_at) = at.checked_sub(LOCATOR64_LENGTH) else { return Ok((small, at)) };
    let locator = source.at(locator_at, 20, 0)?.to_vec();
    if !locator.starts_with(LOCATOR64) {
        return Ok((small, at));
    }
    // Several disks, or the record on another one than the first.
    if locator.u32_at(4) != 0 || locator.u32_at(16) > 1 {
        return Err(Zip::MultiDisk);
    }
    let damaged = |why: &str| Zip::Damaged { why: why.to_owned() };
    // The record mostly ends where the locator begins; its own offset is wrong by the bytes before the archive.
    let said = locator.u64_at(8);
    let mut found = None;
    for candidate in [Some(said), locator_at.checked_sub(END64_LENGTH)].into_iter().flatten() {
        if candidate <= locator_at.saturating_sub(END64_LENGTH)
            && source.at(candidate, 56, 0)?.starts_with(END64)
        {
            found = Some(candidate);
            break;
        }
    }
    let at64 = found.ok_or_else(|| damaged("its 64-bit end record is not where it is said to be"))?;
    let record64 = source.at(at64, 56, 0)?.to_vec();
    if record64.u64_at(4).checked_add(12).and_then(|length| length.checked_add(at64)) != Some(locator_at) {
        return Err(damaged("its 64-bit end record has a wrong length"));
    }
    let large = Claim {
        disk: record64.u32_at(16),
        directory_disk: record64.u32_at(20),
        count_here: record64.u64_at(24),
        count: record64.u64_at(32),
        size: record64.u64_at(40),
        offset: record64.u64_at(48),
    };
    let agrees = |small: u64, large: u64, limit: u64| small == large || small == limit;
    let ffff = u64::from(u16::MAX);
    let ffff_ffff = u64::from(u32::MAX);
    if !(agrees(u64::from(small.disk), u64::from(large.disk), ffff)
        && agrees(u64::from(small.directory_disk), u64::from(large.directory_disk), ffff)
        && agrees(small.count_here, large.count_here, ffff)
        && agrees(small.count, large.count, ffff)
        && agrees(small.size, large.size, ffff_ffff)
        && agrees(small.offset, large.offset, ffff_ffff))
    {
        return Err(Zip::Ambiguous {
            what: "its 32-bit and its 64-bit end record name different directories".to_owned(),
        });
    }
    Ok((large, at64))
}

/// Where the directory begins, and how far all offsets are shifted by bytes before the archive.
fn location<R: Read + Seek>(
    source: &mut Source<'_, R>,
    claim: Claim,
    directory_end: u64,
) -> Result<(u64, u64), Zip> {
    let before_end = directory_end.checked_sub(claim.size);
    let shift = before_end.and_then(|start| start.checked_sub(claim.offset));
    let mut is_directory = |at: u64| source.at(at, 4, 0).map(|bytes| bytes == CENTRAL);
    let said = claim.offset.checked_add(claim.size).is_some_and(|end| end <= directory_end)
        && is_directory(claim.offset)?;
    match (before_end, shift) {
        (Some(start), Some(0)) if said => Ok((start, 0)),
        (Some(start), Some(shift)) if shift > 0 && is_directory(start)? => {
            if said {
                return Err(Zip::Ambiguous {
                    what:
                        "a directory stands where the end record says, and another one right before the end \
                           record"
                            .to_owned(),
                });
            }
            Ok((start, shift))
        }
        _ if said => Err(Zip::Ambiguous {
            what: "bytes of unknown meaning stand between the directory and its end record".to_owned(),
        }),
        _ => Err(Zip::Damaged { why: "it is not where the end record says".to_owned() }),
    }
}

/// From the directory on there must be one end record only. (Before it, inner ZIPs that are stored have their own.)
fn one_end_only(bytes: &[u8], record: usize, directory_end: u64) -> Result<(), Zip> {
    let others = memmem::find_iter(bytes, END).filter(|at| *at != record).count();
    let others64 = memmem::find_iter(bytes, END64).filter(|at| *at as u64 != directory_end).count();
    match others.max(others64) {
        0 => Ok(()),
        others => Err(Zip::SeveralEnds { count: others + 1 }),
    }
}
