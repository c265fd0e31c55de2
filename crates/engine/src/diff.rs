//! What changed between two states of a dataset, as a unified diff, in the memory of a window of lines.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};

use similar::DiffOp;
use similar::algorithms::{Capture, Compact, Replace, myers};

/// Bytes that are read at a time.
const BUFFER: usize = 1 << 18;

/// Lines that are compared at once where the states differ, and how many they become where the states do not meet again.
const WINDOW: usize = 64;
const LARGEST_WINDOW: usize = 4096;

/// Equal lines after a difference that show that the states go on alike.
const ANCHOR: usize = 3;

/// Equal lines that are passed in one step.
const STEP: usize = 1 << 14;

/// Compares two states step by step, so that a driver can do something else in between.
///
/// ```
/// use evalcheck_engine::diff::Differ;
/// let mut differ = Differ::new(&b"a\nb\n"[..], &b"a\nc\n"[..], ["old", "new"]);
/// let mut out = Vec::new();
/// while differ.step(&mut out)? {}
/// assert_eq!(String::from_utf8_lossy(&out), "--- old\n+++ new\n@@ -2 +2 @@\n-b\n+c\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Differ<A, B> {
    old: Side<A>,
    new: Side<B>,
    /// The names of the states, until the first difference is written.
    names: Option<[String; 2]>,
}

/// One of the states: the lines that were read and not compared.
#[derive(Debug)]
struct Side<R> {
    source: BufReader<R>,
    lines: VecDeque<Vec<u8>>,
    /// The number of the first of them, from 1.
    number: u64,
    ended: bool,
}

impl<A: Read, B: Read> Differ<A, B> {
    /// Compares two states, which the diff calls by these names.
    pub fn new(old: A, new: B, names: [&str; 2]) -> Self {
        Self { old: Side::new(old), new: Side::new(new), names: Some(names.map(str::to_owned)) }
    }

    /// Compares some lines, and writes what differs. False when there are no more.
    ///
    /// # Errors
    /// Those of the states and of `out`.
    pub fn step(&mut self, out: &mut impl Write) -> io::Result<bool> {
        for _ in 0..STEP {
            self.old.fill(1)?;
            self.new.fill(1)?;
            match (self.old.lines.front(), self.new.lines.front()) {
                (None, None) => return Ok(false),
                (old, new) if old == new => {
                    self.old.pass(1);
                    self.new.pass(1);
                }
                _ => {
                    self.difference(out)?;
                    return Ok(true);
                }
            }
        }
        Ok(true)
    }

    /// Writes the differences up to where the states go on alike.
    fn difference(&mut self, out: &mut impl Write) -> io::Result<()> {
        let mut window = WINDOW;
        loop {
            self.old.fill(window)?;
            self.new.fill(window)?;
            let (old, new) = (self.old.lines.make_contiguous(), self.new.lines.make_contiguous());
            let mut operations = operations(old, new);
            let is_end = self.old.ended && self.new.ended;
            let is_anchor =
                |operation: &DiffOp| matches!(operation, DiffOp::Equal { len, .. } if *len >= ANCHOR);
            let anchor = operations.iter().rposition(is_anchor);
            if !is_end && anchor.is_none() && window < LARGEST_WINDOW {
                window *= 8;
                continue;
            }
            if let Some(anchor) = anchor.filter(|_| !is_end) {
                operations.truncate(anchor + 1);
            }
            self.write(&operations, out)?;
            let ends = |operation: &DiffOp| (operation.old_range().end, operation.new_range().end);
            let (old, new) = operations.last().map_or((0, 0), ends);
            self.old.pass(old);
            self.new.pass(new);
            return Ok(());
        }
    }

    fn write(&mut self, operations: &[DiffOp], out: &mut impl Write) -> io::Result<()> {
        for operation in operations.iter().filter(|operation| !matches!(operation, DiffOp::Equal { .. })) {
            if let Some([old, new]) = self.names.take() {
                write!(out, "--- {old}\n+++ {new}\n")?;
            }
            let (old, new) = (operation.old_range(), operation.new_range());
            let place = |number: u64, range: &std::ops::Range<usize>| match range.len() {
                // An empty range is given by the line before it.
                0 => format!("{},0", number + range.start as u64 - 1),
                1 => format!("{}", number + range.start as u64),
                length => format!("{},{length}", number + range.start as u64),
            };
            writeln!(out, "@@ -{} +{} @@", place(self.old.number, &old), place(self.new.number, &new))?;
            write_lines(b"-", self.old.lines.range(old), out)?;
            write_lines(b"+", self.new.lines.range(new), out)?;
        }
        Ok(())
    }
}

impl<R: Read> Side<R> {
    fn new(source: R) -> Self {
        let source = BufReader::with_capacity(BUFFER, source);
        Self { source, lines: VecDeque::new(), number: 1, ended: false }
    }

    /// Reads until there are so many lines, or no more.
    fn fill(&mut self, count: usize) -> io::Result<()> {
        while self.lines.len() < count && !self.ended {
            let mut line = Vec::new();
            self.ended = self.source.read_until(b'\n', &mut line)? == 0;
            if !self.ended {
                self.lines.push_back(line);
            }
        }
        Ok(())
    }

    fn pass(&mut self, count: usize) {
        self.lines.drain(..count);
        self.number += count as u64;
    }
}

/// What makes the old lines the new ones. By the one algorithm: `similar::capture_diff_slices` brings all that it has.
fn operations(old: &[Vec<u8>], new: &[Vec<u8>]) -> Vec<DiffOp> {
    let mut operations = Compact::new(Replace::new(Capture::new()), old, new);
    match myers::diff(&mut operations, old, 0..old.len(), new, 0..new.len()) {
        Ok(()) => operations.into_inner().into_inner().into_ops(),
        Err(never) => match never {},
    }
}

fn write_lines<'a>(
    sign: &[u8],
    lines: impl Iterator<Item = &'a Vec<u8>>,
    out: &mut impl Write,
) -> io::Result<()> {
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
        let mut differ = Differ::new(old.as_bytes(), new.as_bytes(), ["a", "b"]);
        let mut out = Vec::new();
        while differ.step(&mut out).unwrap() {}
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
        for round in 0..200 {
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
            let diff = diff(&old, &new);
            assert_eq!(patched(&old, &diff), new, "round {round}");
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
