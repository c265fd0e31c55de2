//! Ends of an archive that some readers accept and others do not.

use super::*;

/// An archive of one content of the target, as entries, directory and the fields of the end. Its offsets count from `base`.
struct Piece {
    entries: Vec<u8>,
    directory: Vec<u8>,
    count: u64,
    start: u64,
}

impl Piece {
    fn new(target: Target, which: Contents, base: u64) -> Self {
        Self::of(&target.with([target.at(target.name(), which)]), base)
    }

    fn of(parts: &[Part], base: u64) -> Self {
        let (mut entries, mut directory) = (Vec::new(), Vec::new());
        for part in parts {
            directory.extend(part.central(base + entries.len() as u64));
            entries.extend(part.local());
        }
        let start = base + entries.len() as u64;
        Self { entries, directory, count: parts.len() as u64, start }
    }

    fn end(&self) -> End {
        End::new(self.count, self.directory.len() as u64, self.start)
    }

    fn end64(&self) -> End64 {
        End64::new(self.count, self.directory.len() as u64, self.start)
    }

    /// Entries and directory.
    fn body(&self) -> Vec<u8> {
        [&self.entries[..], &self.directory].concat()
    }
}

/// Consecutive archives, with comments that extend to, or nearly to, the end of the file.
pub(super) fn several_ends(family: &mut Family, target: Target) {
    for short in [-1i32, 0, 1] {
        for (what, contents) in [("two", &[One, Two][..]), ("three", &[One, Two, One])] {
            let length = Piece::new(target, One, 0).body().len() as u64 + 22;
            let mut out = Vec::new();
            for (n, which) in contents.iter().enumerate() {
                let piece = Piece::new(target, *which, n as u64 * length);
                let rest = (contents.len() - 1 - n) as u64 * length;
                out.extend(piece.body());
                let edge = n == 0 || n + 1 == contents.len();
                let comment = (rest as i32 + 1 + if edge { short } else { 0 }) as u16;
                End { comment_length: Some(comment), ..piece.end() }.write(&mut out);
            }
            out.push(0);
            family.add(target, format!("{what}-{short}"), out);
        }
    }
    let whole = pack(&target.with([target.part()]));
    let other = pack(&target.with([target.at(target.name(), Two)]));
    family.add(target, "joined", [&whole[..], &other].concat());
    let comment = Build { comment: other.clone(), ..Build::default() };
    family.add(target, "in-comment", comment.pack(&target.with([target.part()])));
    for (byte, count) in [(0, 1), (0, 1 << 16), (b'\n', 1), (b'x', 30), (b'x', 70_000)] {
        let build = Build { suffix: vec![byte; count], ..Build::default() };
        let what = format!("bytes-after-{byte}-{count}");
        family.add(target, what, build.pack(&target.with([target.part()])));
    }
    let comment = Build { comment: b"PK\x05\x06".to_vec(), ..Build::default() };
    family.add(target, "signature-in-comment", comment.pack(&target.with([target.part()])));
}

pub(super) fn counts(family: &mut Family, target: Target) {
    let piece = Piece::of(&target.with([target.part(), stored("attachments/b.txt", b"b")]), 0);
    let last = stored("attachments/b.txt", b"b").central(0).len() as u64;
    for less in 1..8u64 {
        let bit = |at: u64| less >> at & 1;
        let end = piece.end();
        let lying = End {
            count_here: end.count_here - bit(0) as u16,
            count: end.count - bit(1) as u16,
            size: end.size - (bit(2) * last) as u32,
            ..end
        };
        let mut out = piece.body();
        lying.write(&mut out);
        family.add(target, format!("{less:03b}"), out);
        let large = piece.end64();
        let lying = End64 {
            count_here: large.count_here - bit(0),
            count: large.count - bit(1),
            size: large.size - bit(2) * last,
            ..large
        };
        let mut out = piece.body();
        let at = out.len() as u64;
        lying.write(&mut out);
        write_locator(at, &mut out);
        End::full().write(&mut out);
        family.add(target, format!("64-{less:03b}"), out);
    }
    // More entries than 16 bits can count.
    let many = (0..=65_536u32).map(|n| Part { crc: 0, ..stored(&format!("attachments/{n:x}"), b"") });
    let piece = Piece::of(&target.with([target.part()].into_iter().chain(many)), 0);
    let count = piece.count as u16;
    let mut out = piece.body();
    End { count_here: count, count, ..piece.end() }.write(&mut out);
    family.add(target, "modulo", out);
}

/// A directory at the offset in the end record, and another one directly before the end record.
pub(super) fn directory_places(family: &mut Family, target: Target) {
    for (what, adjusted, wide) in
        [("", false, false), ("adjusted", true, false), ("64", false, true), ("64-adjusted", true, true)]
    {
        let first = Piece::new(target, One, 0);
        let base = first.body().len() as u64;
        let mut second = Piece::new(target, Two, base);
        if adjusted {
            // Its offsets count from the end of the first archive.
            second = Piece { entries: second.entries, ..Piece::new(target, Two, 0) };
        }
        let mut out = [first.body(), second.body()].concat();
        let at = out.len() as u64;
        if wide {
            first.end64().write(&mut out);
            write_locator(if adjusted { at - base } else { at }, &mut out);
            End::full().write(&mut out);
        } else {
            first.end().write(&mut out);
        }
        family.add(target, format!("two-{what}"), out);
    }
    for (what, know) in [("unknown", false), ("known", true)] {
        for zip64 in [false, true] {
            let prefix = b"#!/bin/sh\nexit 0\n".to_vec();
            let build = Build { prefix, offsets_know_prefix: know, zip64, ..Build::default() };
            family.add(target, format!("prefix-{what}-{zip64}"), build.pack(&target.with([target.part()])));
        }
    }
    let gap = Build { after_directory: b"????".to_vec(), ..Build::default() };
    family.add(target, "gap", gap.pack(&target.with([target.part()])));
    let mut out = Piece::new(target, One, 0).body();
    End { disk: 1, directory_disk: 1, ..Piece::new(target, One, 0).end() }.write(&mut out);
    family.add(target, "disk", out);
}

/// A 64-bit end record that lists something else, with each of the fields that may send a reader to it.
pub(super) fn ends_of_64_bits(family: &mut Family, target: Target) {
    for bits in 0..64u8 {
        let bit = |at: u8| bits >> at & 1 == 1;
        family.add(target, format!("used-{bits:06b}"), hidden_end(target, bit));
    }
    // Two such records: one at the offset in the locator, one directly before the locator.
    let first = Piece::new(target, One, 0);
    let second = Piece::new(target, Two, first.body().len() as u64);
    let mut inner = Vec::new();
    first.end64().write(&mut inner);
    let mut out = [first.body(), second.body()].concat();
    let at = out.len() as u64;
    End64 { data: extra_field(0x1337, &inner), ..second.end64() }.write(&mut out);
    write_locator(at, &mut out);
    End::full().write(&mut out);
    family.add(target, "located-or-adjacent", out);
    for (what, wrong) in [("before", -1), ("after", 1), ("far-before", -60), ("far-after", 1 << 20)] {
        let mut out = first.body();
        let at = out.len() as i64;
        first.end64().write(&mut out);
        write_locator((at + wrong) as u64, &mut out);
        End::full().write(&mut out);
        family.add(target, format!("located-{what}"), out);
    }
    for (what, needs) in [("version-45", 45), ("version-99", 99)] {
        let mut out = first.body();
        let at = out.len() as u64;
        End64 { needs, ..first.end64() }.write(&mut out);
        write_locator(at, &mut out);
        End::full().write(&mut out);
        family.add(target, what, out);
    }
    let mut out = first.body();
    let at = out.len() as u64;
    End64 { data: extra_field(0x1337, b"four"), ..first.end64() }.write(&mut out);
    write_locator(at, &mut out);
    End::full().write(&mut out);
    family.add(target, "with-data", out);
    // Both records state the same.
    let mut out = first.body();
    let at = out.len() as u64;
    first.end64().write(&mut out);
    write_locator(at, &mut out);
    first.end().write(&mut out);
    family.add(target, "not-needed", out);
}

fn hidden_end(target: Target, bit: impl Fn(u8) -> bool) -> Vec<u8> {
    let more = stored("attachments/b.txt", b"b");
    let with = |which, more: Option<&Part>| {
        target.with([target.at(target.name(), which)].into_iter().chain(more.cloned()))
    };
    let mut parts = with(One, Some(&more).filter(|_| !bit(5)));
    let outer = Piece::of(&parts, 0);
    let base = outer.body().len() as u64;
    let hidden = Piece::of(&with(Two, Some(&more).filter(|_| bit(5))), base);
    let mut comment = hidden.body();
    hidden.end64().write(&mut comment);
    write_locator(base + hidden.body().len() as u64, &mut comment);
    if bit(4) {
        comment.push(0);
    }
    parts.last_mut().unwrap().comment = comment;
    let outer = Piece::of(&parts, 0);
    let mut end = outer.end();
    if bit(0) {
        (end.disk, end.directory_disk) = (u16::MAX, u16::MAX);
    }
    if bit(1) {
        (end.count_here, end.count) = (u16::MAX, u16::MAX);
    }
    if bit(2) {
        end.size = u32::MAX;
    }
    if bit(3) {
        end.offset = u32::MAX;
    }
    let mut out = outer.body();
    end.write(&mut out);
    out
}
