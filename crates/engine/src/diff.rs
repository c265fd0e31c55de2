//! The changes between two states of a dataset, as a unified diff, in the memory of a window of lines.

use std::io::{self, Read, Write};
use std::ops::Range;

use memchr::memchr_iter;
use similar::DiffOp;
use similar::algorithms::{Capture, Compact, Replace, myers};

/// Bytes that are read at a time.
const PIECE: u64 = 1 << 18;

/// The number of lines that are compared at once where the states differ, and its maximum if the states do not match again.
const WINDOW: usize = 64;
const LARGEST_WINDOW: usize = 4096;

/// The number of equal lines that end a difference.
const ANCHOR: usize = 3;

/// One of the two states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The dataset before.
    Old,
    /// The dataset after.
    New,
}

/// Compares two states. It requests their bytes, so that a driver can wait for them.
///
/// ```
/// use evalcheck_engine::diff::{Differ, State};
/// let (mut old, mut new) = (&b"a\nb\n"[..], &b"a\nc\n"[..]);
/// let mut differ = Differ::new(["old", "new"]);
/// let mut out = Vec::new();
/// while let Some(state) = differ.advance(&mut out)? {
///     match state {
///         State::Old => differ.read(state, &mut old)?,
///         State::New => differ.read(state, &mut new)?,
///     }
/// }
/// assert_eq!(String::from_utf8_lossy(&out), "--- old\n+++ new\n@@ -2 +2 @@\n-b\n+c\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Differ {
    old: Side,
    new: Side,
    /// Bytes at the front of both sides that are known to be equal.
    equal: usize,
    /// Lines that are compared where the states differ.
    window: usize,
    /// The names of the states, until the first difference is written.
    names: Option<[String; 2]>,
}

/// The bytes of one of the states that were read and are not compared.
#[derive(Debug)]
struct Side {
    buffer: Vec<u8>,
    /// The index in the buffer at which they begin.
    start: usize,
    /// The number of their first line, from 1.
    number: u64,
    /// The lengths of the first line, of the first two lines, and so on, as far as lines were searched for.
    ends: Vec<usize>,
    /// The number of bytes in which lines were searched for.
    searched: usize,
    /// Whether there are no more bytes to read.
    ended: bool,
}

impl Differ {
    /// Compares two states, which have these names in the diff.
    pub fn new(names: [&str; 2]) -> Self {
        Self {
            old: Side::new(),
            new: Side::new(),
            equal: 0,
            window: WINDOW,
            names: Some(names.map(str::to_owned)),
        }
    }

    /// Compares the bytes so far, and writes the differences. Returns the state whose next bytes are needed, `None` when both are
    /// compared to their ends.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn advance(&mut self, out: &mut impl Write) -> io::Result<Option<State>> {
        loop {
            self.pass_equal();
            let (old, new) = (self.old.rest().len(), self.new.rest().len());
            let differ = self.equal < old.min(new);
            let wanted = match (&self.old, &self.new) {
                // All of one side is equal to the front of the other.
                (side, _) if !differ && self.equal == old && !side.ended => Some(State::Old),
                (_, side) if !differ && self.equal == new && !side.ended => Some(State::New),
                _ if old == 0 && new == 0 => return Ok(None),
                _ => self.difference(out)?,
            };
            if wanted.is_some() {
                return Ok(wanted);
            }
        }
    }

    /// Takes the next bytes of a state; no bytes mean that it has ended.
    pub fn push(&mut self, state: State, bytes: &[u8]) {
        let side = self.side(state);
        side.make_room();
        side.buffer.extend_from_slice(bytes);
        side.ended |= bytes.is_empty();
    }

    /// Reads the next bytes of a state.
    ///
    /// # Errors
    /// Those of `source`.
    pub fn read(&mut self, state: State, source: &mut (impl Read + ?Sized)) -> io::Result<()> {
        let side = self.side(state);
        side.make_room();
        side.ended |= source.take(PIECE).read_to_end(&mut side.buffer)? == 0;
        Ok(())
    }

    const fn side(&mut self, state: State) -> &mut Side {
        match state {
            State::Old => &mut self.old,
            State::New => &mut self.new,
        }
    }

    /// Passes the equal lines at the front.
    fn pass_equal(&mut self) {
        let (old, new) = (self.old.rest(), self.new.rest());
        let (from, to) = (self.equal, old.len().min(new.len()));
        self.equal += equal(&old[from..to], &new[from..to]);
        if self.equal == old.len() && self.equal == new.len() && self.old.ended && self.new.ended {
            self.old.pass(self.equal, 0);
            self.new.pass(self.equal, 0);
            self.equal = 0;
        } else if let Some(end) = memchr::memrchr(b'\n', &old[from..self.equal]) {
            let passed = from + end + 1;
            let lines = memchr_iter(b'\n', &old[from..passed]).count();
            self.old.pass(passed, lines);
            self.new.pass(passed, lines);
            self.equal -= passed;
        }
    }

    /// Writes the differences up to the lines at which the states are equal again, or returns the state that has to be read further to find them.
    fn difference(&mut self, out: &mut impl Write) -> io::Result<Option<State>> {
        loop {
            for state in [State::Old, State::New] {
                let window = self.window;
                if !self.side(state).has_lines(window) {
                    return Ok(Some(state));
                }
            }
            let (old, new) = (self.old.lines(self.window), self.new.lines(self.window));
            let mut operations = operations(&old, &new);
            let is_end = self.old.is_last(old.len()) && self.new.is_last(new.len());
            let is_anchor =
                |operation: &DiffOp| matches!(operation, DiffOp::Equal { len, .. } if *len >= ANCHOR);
            let anchor = operations.iter().rposition(is_anchor);
            if !is_end && anchor.is_none() && self.window < LARGEST_WINDOW {
                self.window *= 8;
                continue;
            }
            if let Some(anchor) = anchor.filter(|_| !is_end) {
                operations.truncate(anchor + 1);
            }
            for operation in operations.iter().filter(|operation| !matches!(operation, DiffOp::Equal { .. }))
            {
                if let Some([old, new]) = self.names.take() {
                    write!(out, "--- {old}\n+++ {new}\n")?;
                }
                let ranges = (operation.old_range(), operation.new_range());
                let [before, after] = [place(self.old.number, &ranges.0), place(self.new.number, &ranges.1)];
                writeln!(out, "@@ -{before} +{after} @@")?;
                write_lines(b"-", &old[ranges.0], out)?;
                write_lines(b"+", &new[ranges.1], out)?;
            }
            let ends = |operation: &DiffOp| (operation.old_range().end, operation.new_range().end);
            let (old, new) = operations.last().map_or((0, 0), ends);
            self.old.pass_lines(old);
            self.new.pass_lines(new);
            (self.equal, self.window) = (0, WINDOW);
            return Ok(None);
        }
    }
}

impl Side {
    const fn new() -> Self {
        Self { buffer: Vec::new(), start: 0, number: 1, ends: Vec::new(), searched: 0, ended: false }
    }

    fn rest(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// Drops the compared bytes, before others come.
    fn make_room(&mut self) {
        self.buffer.drain(..self.start);
        self.start = 0;
    }

    /// Passes `bytes` bytes, which are `lines` lines.
    fn pass(&mut self, bytes: usize, lines: usize) {
        self.start += bytes;
        self.number += lines as u64;
        self.ends.clear();
        self.searched = 0;
    }

    fn pass_lines(&mut self, count: usize) {
        let bytes = count.checked_sub(1).map_or(0, |last| self.ends[last]);
        self.pass(bytes, count);
    }

    /// Searches for `count` lines. Returns false if more bytes are needed for them.
    fn has_lines(&mut self, count: usize) -> bool {
        let rest = &self.buffer[self.start..];
        let missing = count.saturating_sub(self.ends.len());
        let searched = self.searched;
        self.ends.extend(memchr_iter(b'\n', &rest[searched..]).take(missing).map(|at| searched + at + 1));
        let is_last_open = self.ends.last().is_none_or(|end| *end < rest.len());
        if self.ends.len() < count && self.ended && is_last_open && !rest.is_empty() {
            self.ends.push(rest.len());
        }
        self.searched = if self.ends.len() < count { rest.len() } else { *self.ends.last().unwrap_or(&0) };
        self.ends.len() >= count || self.ended
    }

    /// The first lines, at most `count` of those that were found.
    fn lines(&self, count: usize) -> Vec<&[u8]> {
        let ends = &self.ends[..count.min(self.ends.len())];
        let starts = std::iter::once(&0).chain(ends);
        starts.zip(ends).map(|(start, end)| &self.rest()[*start..*end]).collect()
    }

    /// Whether the state ends after this number of lines, which were searched for.
    fn is_last(&self, lines: usize) -> bool {
        self.ended && lines.checked_sub(1).map_or(0, |last| self.ends[last]) == self.rest().len()
    }
}

/// The number of equal bytes at the front of both.
fn equal(old: &[u8], new: &[u8]) -> usize {
    /// The number of bytes that are compared at once, which is fast.
    const BLOCK: usize = 256;
    let blocks = old.chunks(BLOCK).zip(new.chunks(BLOCK)).take_while(|(old, new)| old == new);
    let whole = blocks.map(|(old, _)| old.len()).sum::<usize>();
    whole + old[whole..].iter().zip(&new[whole..]).take_while(|(old, new)| old == new).count()
}

/// The position of lines as in a diff; `number` is that of the first line of the state that is compared.
fn place(number: u64, range: &Range<usize>) -> String {
    match range.len() {
        // An empty range is given by the line before it.
        0 => format!("{},0", number + range.start as u64 - 1),
        1 => format!("{}", number + range.start as u64),
        length => format!("{},{length}", number + range.start as u64),
    }
}

/// The operations that turn the old lines into the new ones. Only this algorithm is linked: `similar::capture_diff_slices` links all.
fn operations(old: &[&[u8]], new: &[&[u8]]) -> Vec<DiffOp> {
    let mut operations = Compact::new(Replace::new(Capture::new()), old, new);
    match myers::diff(&mut operations, old, 0..old.len(), new, 0..new.len()) {
        Ok(()) => operations.into_inner().into_inner().into_ops(),
        Err(never) => match never {},
    }
}

fn write_lines(sign: &[u8], lines: &[&[u8]], out: &mut impl Write) -> io::Result<()> {
    for line in lines {
        out.write_all(sign)?;
        out.write_all(line)?;
        if !line.ends_with(b"\n") {
            out.write_all(b"\n\\ No newline at end of file\n")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(old: &str, new: &str) -> String {
        diff_by(old, new, usize::MAX)
    }

    /// The diff of states whose bytes come in pieces of at most `most`.
    fn diff_by(old: &str, new: &str, most: usize) -> String {
        let mut sources = [old.as_bytes(), new.as_bytes()];
        let mut differ = Differ::new(["a", "b"]);
        let mut out = Vec::new();
        while let Some(state) = differ.advance(&mut out).unwrap() {
            let source = &mut sources[usize::from(state == State::New)];
            let (piece, rest) = source.split_at(most.min(source.len()));
            differ.push(state, piece);
            *source = rest;
        }
        String::from_utf8(out).unwrap()
    }

    /// The new state, made of the old one and the diff.
    fn patched(old: &str, diff: &str) -> String {
        let old: Vec<&str> = old.split_inclusive('\n').collect();
        let mut lines = diff.split_inclusive('\n').skip(2).peekable();
        let (mut new, mut at) = (String::new(), 0);
        while let Some(header) = lines.next() {
            if header.starts_with('\\') {
                assert_eq!(new.pop(), Some('\n'));
                continue;
            }
            let place = header.strip_prefix("@@ -").unwrap().split(' ').next().unwrap();
            let (start, count) = place.split_once(',').unwrap_or((place, "1"));
            let (start, count): (usize, usize) = (start.parse().unwrap(), count.parse().unwrap());
            let start = if count == 0 { start } else { start - 1 };
            new.extend(old[at..start].iter().copied());
            at = start + count;
            while let Some(line) = lines.next_if(|line| !line.starts_with("@@")) {
                match line.split_at(1) {
                    ("+", line) => {
                        new.push_str(line);
                        if lines.next_if(|line| line.starts_with('\\')).is_some() {
                            new.pop();
                        }
                    }
                    ("-", line) => {
                        let is_last = lines.next_if(|line| line.starts_with('\\')).is_some();
                        assert!(
                            old.iter()
                                .any(|old| *old == if is_last { &line[..line.len() - 1] } else { line })
                        );
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
        new.extend(old[at..].iter().copied());
        new
    }

    #[test]
    fn a_diff_is_unified() {
        assert_eq!(diff("a\nb\n", "a\nb\n"), "");
        assert_eq!(diff("", ""), "");
        assert_eq!(diff("a\nb", "a\nb"), "");
        assert_eq!(diff("", "a"), "--- a\n+++ b\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n");
        assert_eq!(diff("a\nb\nc\n", "a\nc\n"), "--- a\n+++ b\n@@ -2 +1,0 @@\n-b\n");
        assert_eq!(diff("a\n", "x\ny\na\n"), "--- a\n+++ b\n@@ -0,0 +1,2 @@\n+x\n+y\n");
        assert_eq!(
            diff("a\nb", "a\nb\n"),
            "--- a\n+++ b\n@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+b\n"
        );
    }

    #[test]
    fn a_patched_file_is_the_new_one() {
        // Linear congruential: the same in every run.
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for round in 0..50 {
            let kinds = 2 + random(2_000);
            let old: Vec<String> = (0..random(3_000)).map(|_| format!("line {}\n", random(kinds))).collect();
            let mut new = Vec::new();
            let rate = 1 + random(200);
            for line in &old {
                match random(rate * 4) {
                    0 => {}
                    1 => new.push(format!("changed {line}")),
                    2 => new.extend((0..random(300)).map(|index| format!("new {index}\n"))),
                    _ => new.push(line.clone()),
                }
            }
            let (old, mut new) = (old.concat(), new.concat());
            if random(4) == 0 {
                new.pop();
            }
            let made = diff(&old, &new);
            assert_eq!(patched(&old, &made), new, "round {round}");
            let most = 1 + usize::try_from(random(3_000)).unwrap();
            assert_eq!(diff_by(&old, &new, most), made, "round {round}");
        }
    }

    #[test]
    fn states_that_have_nothing_in_common_end() {
        let lines =
            |name: &str| (0..20_000).map(|line| format!("{name} {line}\n")).collect::<Vec<_>>().concat();
        let (old, new) = (lines("old"), lines("new"));
        assert_eq!(patched(&old, &diff(&old, &new)), new);
    }
}
