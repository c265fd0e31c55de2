//! Reads the end of a ZIP: the end-of-directory record that counts, and the location of the directory.

use std::io::{Read, Seek};

use evalcheck_core::rule::AnyProblem;
use memchr::memmem;

use crate::byte_count::ByteCount;
use crate::limits::{MAX_DIRECTORY_BYTES, MAX_ENTRIES};
use crate::problem::{DirectoryProblem, EndProblem};
use crate::source::{CENTRAL, END, LOCAL, LittleEndian, Source};

const END64: &[u8; 4] = b"PK\x06\x06";
const LOCATOR64: &[u8; 4] = b"PK\x06\x07";

const END_LENGTH: usize = 22;
const END64_LENGTH: u64 = 56;
const LOCATOR64_LENGTH: u64 = 20;

/// The number of bytes at the end of the file in which an end record is searched. A comment takes at most 64 KiB; the rest
/// is for appended bytes.
const SEARCHED: u64 = 1 << 20;

/// The location of the directory of a ZIP, and its bytes.
pub(crate) struct End {
    /// The number of bytes before the archive, which is added to the offsets in the directory.
    pub(crate) base: u64,
    /// The offset of the directory.
    pub(crate) start: u64,
    /// The number of entries that it should have.
    pub(crate) count: u64,
    /// Size of the directory in bytes.
    directory_size: usize,
    /// The file from [`End::start`] to the end of the archive.
    pub(crate) bytes: Vec<u8>,
    /// Problems that do not prevent reading the directory.
    pub(crate) problems: Vec<EndProblem>,
    /// Size of the comment, which is at the end of [`End::bytes`].
    pub(crate) comment: usize,
}

impl End {
    /// The bytes of the directory.
    pub(crate) fn directory(&self) -> &[u8] {
        self.bytes.get(..self.directory_size).unwrap_or_default()
    }
}

/// The fields of an end record.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Claim {
    disk: u32,
    directory_disk: u32,
    count_here: u64,
    count: u64,
    size: u64,
    offset: u64,
}

pub(crate) fn find<R: Read + Seek>(source: &mut Source<'_, R>) -> Result<End, AnyProblem> {
    let size = source.size();
    let begins_as_zip = {
        let head = source.at(0, 4, 4)?;
        head == LOCAL || head == b"PK\x07\x08" || head == b"PK00"
    };
    let missing =
        || AnyProblem::from(if begins_as_zip { EndProblem::Truncated } else { EndProblem::NotAZip });

    let tail_start = size.saturating_sub(SEARCHED);
    let tail_length = usize::try_from(size - tail_start).unwrap_or(0);
    let tail = source.at(tail_start, tail_length, 0)?.to_vec();
    let record = choose(&tail).ok_or_else(missing)?;
    let at = tail_start + record as u64;
    let comment = usize::from(tail.as_slice().u16_at(record + 20));
    let end_of_archive = at + (END_LENGTH + comment) as u64;
    let after = size - end_of_archive;

    let (claim, large) = claim(source, &tail, tail_start, record)?;
    let directory_end = large.as_ref().map_or(at, |large| large.at);
    // A ZIP on one disk has the same number of entries on this disk as in total.
    if claim.disk != 0 || claim.directory_disk != 0 || claim.count_here != claim.count {
        return Err(DirectoryProblem::MultiDisk.into());
    }
    if claim.count == 0 && claim.size == 0 {
        return Err(if begins_as_zip {
            damaged("it lists no entry, yet the file begins with one")
        } else {
            EndProblem::Empty.into()
        });
    }
    if claim.count > MAX_ENTRIES {
        return Err(DirectoryProblem::TooManyEntries { found: claim.count, limit: MAX_ENTRIES }.into());
    }
    if claim.size > MAX_DIRECTORY_BYTES {
        return Err(EndProblem::DirectoryTooLarge {
            bytes: ByteCount(claim.size),
            limit: ByteCount(MAX_DIRECTORY_BYTES),
        }
        .into());
    }
    let (start, base) = location(source, claim, directory_end)?;
    if base > 0 && after > 0 && begins_as_zip {
        // This is the end record of an inner ZIP. The outer ZIP has lost its own.
        return Err(EndProblem::Truncated.into());
    }

    let mut problems = Vec::new();
    if after > 0 {
        let bytes = ByteCount(after);
        let rest = usize::try_from(after).ok().and_then(|after| tail.get(tail.len() - after..));
        let zeros = rest.is_some_and(|rest| rest.iter().all(|byte| *byte == 0));
        let padded = EndProblem::ZerosAfterEnd { bytes };
        problems.push(if zeros { padded } else { EndProblem::DataAfterEnd { bytes } });
    }
    problems.extend(large.and_then(|large| large.refused(base)));
    let length = usize::try_from(end_of_archive - start).unwrap_or(usize::MAX);
    let bytes = source.at(start, length, 0)?.to_vec();
    one_end_only(&bytes, usize::try_from(at - start).unwrap_or(0), directory_end - start)?;
    Ok(End {
        base,
        start,
        count: claim.count,
        directory_size: usize::try_from(claim.size).unwrap_or(usize::MAX),
        bytes,
        problems,
        comment,
    })
}

/// The end record: the last one whose comment ends the file. Without one, the last complete one, although bytes follow it.
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

/// The 64-bit end record.
struct Large {
    at: u64,
    /// Its offset according to the locator.
    said: u64,
    /// Whether it has data after its fields.
    has_data: bool,
    /// Whether the 32-bit end record refers to it for some value.
    needed: bool,
}

impl Large {
    /// The reason why some readers refuse it. All offsets are shifted by `base`.
    fn refused(&self, base: u64) -> Option<EndProblem> {
        let (what, readers) = if self.said != self.at && self.said.checked_add(base) != Some(self.at) {
            ("is not where its locator says", "yauzl, jszip and unzip")
        } else if self.has_data {
            ("has data after its fields", "CPython's zipfile and jszip")
        } else if !self.needed {
            return Some(EndProblem::UnneededEnd64 { at: self.at });
        } else {
            return None;
        };
        let what = format!("the 64-bit end record at byte {} {what}", self.at);
        Some(EndProblem::Refused { what, readers })
    }
}

/// The fields of the end record, or of the 64-bit one if there is one.
fn claim<R: Read + Seek>(
    source: &mut Source<'_, R>,
    tail: &[u8],
    tail_start: u64,
    record: usize,
) -> Result<(Claim, Option<Large>), AnyProblem> {
    let at = tail_start + record as u64;
    let small = Claim {
        disk: u32::from(tail.u16_at(record + 4)),
        directory_disk: u32::from(tail.u16_at(record + 6)),
        count_here: u64::from(tail.u16_at(record + 8)),
        count: u64::from(tail.u16_at(record + 10)),
        size: u64::from(tail.u32_at(record + 12)),
        offset: u64::from(tail.u32_at(record + 16)),
    };
    let Some(locator_at) = at.checked_sub(LOCATOR64_LENGTH) else { return Ok((small, None)) };
    let locator = source.at(locator_at, 20, 0)?.to_vec();
    if !locator.starts_with(LOCATOR64) {
        return Ok((small, None));
    }
    // There are several disks, or the record is not on the first one.
    if locator.u32_at(4) != 0 || locator.u32_at(16) > 1 {
        return Err(DirectoryProblem::MultiDisk.into());
    }
    // The record usually ends where the locator begins. Bytes before the archive make the locator's offset wrong.
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
        return Err(DirectoryProblem::Ambiguous {
            what: "its 32-bit and its 64-bit end record name different directories".to_owned(),
        }
        .into());
    }
    let needed = small.disk == u32::from(u16::MAX)
        || small.directory_disk == u32::from(u16::MAX)
        || small.count_here == ffff
        || small.count == ffff
        || small.size == ffff_ffff
        || small.offset == ffff_ffff;
    let has_data = record64.u64_at(4) > END64_LENGTH - 12;
    Ok((large, Some(Large { at: at64, said, has_data, needed })))
}

/// The start of the directory, and the number of bytes before the archive, which shift all offsets.
fn location<R: Read + Seek>(
    source: &mut Source<'_, R>,
    claim: Claim,
    directory_end: u64,
) -> Result<(u64, u64), AnyProblem> {
    let before_end = directory_end.checked_sub(claim.size);
    let shift = before_end.and_then(|start| start.checked_sub(claim.offset));
    let mut is_directory = |at: u64| source.at(at, 4, 0).map(|bytes| bytes == CENTRAL);
    let said = claim.offset.checked_add(claim.size).is_some_and(|end| end <= directory_end)
        && is_directory(claim.offset)?;
    match (before_end, shift) {
        (Some(start), Some(0)) if said => Ok((start, 0)),
        (Some(start), Some(shift)) if shift > 0 && is_directory(start)? => {
            if said {
                return Err(DirectoryProblem::Ambiguous {
                    what:
                        "a directory stands where the end record says, and another one right before the end \
                           record"
                            .to_owned(),
                }
                .into());
            }
            Ok((start, shift))
        }
        _ if said => Err(DirectoryProblem::Ambiguous {
            what: "bytes of unknown meaning lie between the directory and its end record".to_owned(),
        }
        .into()),
        _ => Err(damaged("it is not where the end record says")),
    }
}

/// Checks that there is only one end record after the start of the directory. Before it, stored inner ZIPs have their own.
fn one_end_only(bytes: &[u8], record: usize, directory_end: u64) -> Result<(), AnyProblem> {
    let others = memmem::find_iter(bytes, END).filter(|at| *at != record).count();
    let others64 = memmem::find_iter(bytes, END64).filter(|at| *at as u64 != directory_end).count();
    match others.max(others64) {
        0 => Ok(()),
        others => Err(EndProblem::SeveralEnds { count: others + 1 }.into()),
    }
}

fn damaged(why: &str) -> AnyProblem {
    DirectoryProblem::Damaged { why: why.to_owned() }.into()
}
