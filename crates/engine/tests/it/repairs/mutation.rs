//! Mutations of the text of a file: a part of it is lost, doubled, inserted or swapped.

use std::fmt;
use std::ops::Range;

use crate::support::csv::spans;
use crate::support::{Choices, scalars};

/// A change of a text.
pub(crate) struct Mutation {
    what: String,
    /// The replaced ranges, and their replacements.
    edits: Vec<(Range<usize>, Vec<u8>)>,
    /// The number of characters of a text that it may change without another meaning.
    pub(crate) characters: usize,
}

impl fmt::Debug for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.what)
    }
}

/// One to three changes of a file, which do not touch each other.
pub(crate) fn mutations(data: &[u8], is_csv: bool, choices: &mut Choices) -> Vec<Mutation> {
    let wanted = 1 + choices.below(3);
    let mut all: Vec<Mutation> = Vec::new();
    while all.len() < wanted {
        let Some(mutation) = mutation(data, is_csv, choices) else { continue };
        let touches = |(own, _): &(Range<usize>, Vec<u8>)| {
            let others = all.iter().flat_map(|other| &other.edits);
            others.clone().any(|(other, _)| own.start <= other.end && other.start <= own.end)
        };
        if !mutation.edits.iter().any(touches) {
            all.push(mutation);
        }
    }
    all
}

/// The text with the mutations in a set of bits.
pub(crate) fn apply(data: &[u8], mutations: &[Mutation], chosen: usize) -> Vec<u8> {
    let chosen = mutations.iter().enumerate().filter(|(index, _)| chosen & (1 << index) != 0);
    let mut edits: Vec<_> = chosen.flat_map(|(_, mutation)| &mutation.edits).collect();
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = data.to_vec();
    for (range, text) in edits.into_iter().rev() {
        out.splice(range.clone(), text.iter().copied());
    }
    out
}

/// Kinds of bytes, and the texts of their kind that are inserted.
const KINDS: &[(&str, &[u8], &[&str])] = &[
    ("byte", b"", &["a", " ", "\\", "\t", "0", ";", "\u{a0}", "/", "{", "é", ":", "."]),
    ("quote", b"\"", &["\"", "\"", "\u{201c}"]),
    ("apostrophe", b"'", &["'"]),
    ("bracket", b"[]{}", &["[", "]", "{", "}"]),
    ("comma", b",", &[",", ", "]),
    ("line break", b"\n", &["\n", "\n", "\r\n", "\r"]),
];

fn mutation(data: &[u8], is_csv: bool, choices: &mut Choices) -> Option<Mutation> {
    let kind = choices.below(KINDS.len() + 6);
    match kind.checked_sub(KINDS.len()) {
        Some(0) => return line(data, choices),
        Some(1) => return Some(prefixes(data, is_csv, choices)),
        Some(2) if !is_csv => return nested(data, choices),
        Some(3) => return command(data, choices),
        Some(4) => return version(data, choices),
        _ => {}
    }
    let Some((name, bytes, put_in)) = KINDS.get(kind) else { return swapped(data, is_csv, choices) };
    if choices.chance(3) {
        let at = choices.below(data.len() + 1);
        let text = choices.pick(put_in);
        let what = format!("{name} {text:?} put in at byte {at}");
        let edits = vec![(at..at, text.as_bytes().to_vec())];
        // An escape with a letter in it cannot be distinguished from a command or a path that was meant: `\an`.
        let makes_word = text.starts_with(char::is_alphabetic) && data[..at].ends_with(b"\\");
        let characters = text.chars().count() + if makes_word { 2 } else { 0 };
        return Some(Mutation { what, edits, characters });
    }
    let places: Vec<usize> =
        (0..data.len()).filter(|&at| bytes.is_empty() || bytes.contains(&data[at])).collect();
    if places.is_empty() {
        return None;
    }
    let at = choices.pick(&places);
    // A line break may be of two bytes.
    let start = if data[at] == b'\n' && at > 0 && data[at - 1] == b'\r' { at - 1 } else { at };
    let piece = &data[start..=at];
    let shown = String::from_utf8_lossy(piece).into_owned();
    let (what, edit) = if choices.chance(3) {
        ("doubled", (at + 1..at + 1, piece.to_vec()))
    } else {
        ("lost", (start..at + 1, Vec::new()))
    };
    let what = format!("{name} {shown:?} {what} at byte {start}");
    Some(Mutation { what, edits: vec![edit], characters: piece.len() })
}

/// Puts text before one line or all, as numbered lists, logs and programs do.
fn prefixes(data: &[u8], is_csv: bool, choices: &mut Choices) -> Mutation {
    let prefix =
        choices.pick(&["1. ", "7\t", "[3] ", "12:", "- ", "data: ", "// ", "# ", "a.jsonl:2:", "x = "]);
    let mut starts = vec![0];
    starts.extend(memchr::memchr_iter(b'\n', data).map(|end| end + 1).filter(|&start| start < data.len()));
    if !choices.chance(3) {
        starts = vec![choices.pick(&starts)];
    }
    let what = format!("{prefix:?} put before {} lines", starts.len());
    // In a table, they become a part of the first cells.
    let characters = if is_csv { prefix.len() * starts.len() } else { 0 };
    let edits = starts.into_iter().map(|at| (at..at, prefix.as_bytes().to_vec())).collect();
    Mutation { what, edits, characters }
}

/// Puts a value into a list of its own, or under a number.
fn nested(data: &[u8], choices: &mut Choices) -> Option<Mutation> {
    let text = std::str::from_utf8(data).ok()?;
    let is_value = |span: &Range<usize>| !text[span.end..].trim_start().starts_with(':');
    let values: Vec<_> = scalars(text).into_iter().filter(is_value).collect();
    let value = values.get(choices.below(values.len()))?.clone();
    // A text in a list may be a part of a text that has parts, which says the same.
    let nesting: &[_] = if text[value.clone()].starts_with('"') {
        &[("{\"0\":", "}"), ("{\"parts\":[", "]}")]
    } else {
        &[("[", "]"), ("[", ",\"b\"]"), ("{\"0\":", "}")]
    };
    let (opening, closing) = choices.pick(nesting);
    let what = format!("bytes {value:?} put between {opening} and {closing}");
    let edits = vec![
        (value.start..value.start, opening.as_bytes().to_vec()),
        (value.end..value.end, closing.as_bytes().to_vec()),
    ];
    Some(Mutation { what, edits, characters: 0 })
}

/// Puts a command of LaTeX with a single backslash into a text.
fn command(data: &[u8], choices: &mut Choices) -> Option<Mutation> {
    let text = std::str::from_utf8(data).ok()?;
    let is_text = |span: &Range<usize>| {
        text[span.clone()].starts_with('"') && !text[span.end..].trim_start().starts_with(':')
    };
    let texts: Vec<_> = scalars(text).into_iter().filter(is_text).collect();
    let at = texts.get(choices.below(texts.len()))?.start + 1;
    let command = choices.pick(&[
        "\\cdot ",
        "\\times ",
        "\\bar ",
        "\\nu ",
        "\\sqrt{2} \\neq ",
        "\\\\frac \\alpha \\nu ",
    ]);
    let what = format!("{command:?} put in at byte {at}");
    let edits = vec![(at..at, command.as_bytes().to_vec())];
    Some(Mutation { what, edits, characters: command.chars().count() })
}

/// Puts a version in place of another.
fn version(data: &[u8], choices: &mut Choices) -> Option<Mutation> {
    const VERSIONS: &[&str] = &["\"0.2.0\"", "\"0.2.1\"", "\"0.2.2\"", "\"0.2.3\"", "\"0.3.0\""];
    let places: Vec<usize> = VERSIONS
        .iter()
        .flat_map(|version| memchr::memmem::find_iter(data, version).collect::<Vec<_>>())
        .collect();
    let at = *places.get(choices.below(places.len()))?;
    let version = choices.pick(VERSIONS);
    let what = format!("version {version} at byte {at}");
    let edits = vec![(at..at + version.len(), version.as_bytes().to_vec())];
    Some(Mutation { what, edits, characters: 2 })
}

/// Loses, doubles or moves a line.
fn line(data: &[u8], choices: &mut Choices) -> Option<Mutation> {
    let mut starts: Vec<usize> = vec![0];
    starts.extend(memchr::memchr_iter(b'\n', data).map(|end| end + 1).filter(|&start| start < data.len()));
    if starts.len() < 2 {
        return None;
    }
    let index = choices.below(starts.len());
    let (start, end) = (starts[index], starts.get(index + 1).copied().unwrap_or(data.len()));
    let mut piece = data[start..end].to_vec();
    if !piece.ends_with(b"\n") {
        piece.push(b'\n');
    }
    let (what, edit) = match choices.below(4) {
        0 | 1 => ("lost", (start..end, Vec::new())),
        2 => ("doubled", (start..start, piece)),
        _ => {
            let at = choices.pick(&starts);
            ("put in at another", (at..at, if choices.chance(2) { piece } else { b"\n".to_vec() }))
        }
    };
    Some(Mutation { what: format!("line {} {what}", index + 1), edits: vec![edit], characters: 0 })
}

/// Swaps two cells of a row, or one with the cell below it, or two values of a text in JSON that follow each other.
fn swapped(data: &[u8], is_csv: bool, choices: &mut Choices) -> Option<Mutation> {
    let (one, other) = if is_csv {
        let rows = spans(data);
        let row = choices.below(rows.len());
        let cell = choices.below(rows[row].len());
        let one = rows.get(row)?.get(cell)?.clone();
        let (row, cell) = if choices.chance(3) { (row + 1, cell) } else { (row, cell + 1) };
        (one, rows.get(row)?.get(cell)?.clone())
    } else {
        let text = std::str::from_utf8(data).ok()?;
        let is_value = |span: &Range<usize>| !text[span.end..].trim_start().starts_with(':');
        let values: Vec<_> = scalars(text).into_iter().filter(is_value).collect();
        let at = choices.below(values.len());
        (values.get(at)?.clone(), values.get(at + 1)?.clone())
    };
    if one == other || one.is_empty() || other.is_empty() || data[one.clone()] == data[other.clone()] {
        return None;
    }
    let what = format!("bytes {one:?} and {other:?} swapped");
    let edits = vec![(one.clone(), data[other.clone()].to_vec()), (other, data[one].to_vec())];
    Some(Mutation { what, edits, characters: 0 })
}
