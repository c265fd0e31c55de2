//! Finds the nearest name to one that does not exist, and their difference.
//!
//! Maps find the differences that have a name (case, Unicode form, folder, extension). Only if none of these fit are names
//! compared by edit distance, under a budget: a dataset may have a hundred thousand files and as many wrong references.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use crate::order::Order;
use crate::unicode::nfkc;

mod words;

pub use words::{contradict, is_same_word, is_slip, resembles};

/// A name that is near the one that was searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The number of the name in [`Names::new`].
    pub index: usize,
    /// The name.
    pub name: Rc<str>,
    /// The difference of the two names.
    pub reason: Reason,
    /// Whether no other name differs from the searched one in the same way.
    pub is_sole: bool,
}

impl Suggestion {
    /// Whether the name is certainly the one that `wanted` means: the only one that differs in this way, and not in its letters or
    /// its extension. If two paths have the same file name, all folders of one are in the other.
    pub fn is_certain(&self, wanted: &str) -> bool {
        self.is_sole
            && match self.reason {
                Reason::Spelling | Reason::Extension | Reason::Address => false,
                // Few systems read a file whose extension ends with white space.
                Reason::WhiteSpace => self.name.trim() == &*self.name,
                Reason::Folder => {
                    let (wanted, name) = (fold(wanted), fold(&self.name));
                    has_folders_of(&wanted, &name) || has_folders_of(&name, &wanted)
                }
                _ => true,
            }
    }
}

/// Whether the parts of `inner` are all parts of `path`, in this order.
fn has_folders_of(path: &str, inner: &str) -> bool {
    let mut parts = path.split('/');
    inner.split('/').all(|part| parts.any(|other| other == part))
}

/// How two names differ, the least difference first. The [`fmt::Display`] is for users.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// In the separators of the path: backslashes, a leading `./`, doubled slashes.
    Separators,
    /// In the Unicode form of a character: a ligature, a full-width letter, a no-break space.
    UnicodeForm,
    /// One of them is percent-encoded.
    PercentEncoding,
    /// Only in upper and lower case.
    Case,
    /// In characters that look alike, or are invisible.
    LookAlike,
    /// In white space at the ends.
    WhiteSpace,
    /// One of them has a query or a fragment, as in an address of the web.
    Address,
    /// The same file name in another folder.
    Folder,
    /// The same name with another extension.
    Extension,
    /// In a few letters.
    Spelling,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Case => "differs only in upper and lower case",
            Self::UnicodeForm => "differs only in the Unicode form of a character",
            Self::Separators => "differs only in slashes",
            Self::PercentEncoding => "differs only in percent-encoding",
            Self::LookAlike => "differs only in characters that look alike",
            Self::WhiteSpace => "differs only in white space at its ends",
            Self::Address => "has no query or fragment behind it, as an address has",
            Self::Folder => "is in another folder",
            Self::Extension => "has another extension",
            Self::Spelling => "differs in a few letters",
        })
    }
}

/// Longer names are neither searched nor suggested.
const MAX_NAME: usize = 1024;

/// The work that all comparisons by edit distance may take together, in steps of about a nanosecond.
const BUDGET: u64 = 50_000_000;

/// Names to choose from.
#[derive(Debug)]
pub struct Names {
    choices: Vec<Name>,
    /// By the folded name, by its last part, and by the name without its extension.
    by_fold: BTreeMap<String, Group>,
    by_base: BTreeMap<String, Group>,
    by_stem: BTreeMap<String, Group>,
    budget: Cell<u64>,
}

/// The names with one key, as indices in `choices`; the first [`MOST_IN_GROUP`] of them.
type Group = Vec<usize>;

/// Of more names with one key, none is the sole one.
const MOST_IN_GROUP: usize = 8;

#[derive(Debug)]
struct Name {
    index: usize,
    text: Rc<str>,
    /// The characters that occur (in 64 classes), and their number. They rule most names out.
    classes: u64,
    length: usize,
}

impl Name {
    fn suggest(&self, reason: Reason, is_sole: bool) -> Suggestion {
        Suggestion { index: self.index, name: self.text.clone(), reason, is_sole }
    }
}

impl Names {
    /// Names (paths with `/`) with their numbers.
    pub fn new(names: impl Iterator<Item = (usize, Rc<str>)>) -> Self {
        let mut all = Self {
            choices: Vec::new(),
            by_fold: BTreeMap::new(),
            by_base: BTreeMap::new(),
            by_stem: BTreeMap::new(),
            budget: Cell::new(BUDGET),
        };
        for (index, text) in names.filter(|(_, text)| text.len() <= MAX_NAME) {
            let at = all.choices.len();
            let folded = fold(&text);
            for (map, key) in [
                (&mut all.by_fold, &*folded),
                (&mut all.by_base, base(&folded)),
                (&mut all.by_stem, stem(&folded)),
            ] {
                let group: &mut Group = map.entry(key.to_owned()).or_default();
                if group.len() < MOST_IN_GROUP {
                    group.push(at);
                }
            }
            let (classes, length) = classify(folded.chars());
            all.choices.push(Name { index, text, classes, length });
        }
        all
    }

    /// The nearest name, if it is near enough to be meant. Never slow: without budget, it finds nothing.
    pub fn nearest(&self, wanted: &str) -> Option<Suggestion> {
        if wanted.len() > MAX_NAME {
            return None;
        }
        let folded = fold(wanted);
        if folded.is_empty() {
            return None;
        }
        self.nearest_of(self.by_fold.get(&*folded), |name| difference(wanted, name))
            .or_else(|| self.nearest_of(self.by_fold.get(folded.trim()), |_| Reason::WhiteSpace))
            .or_else(|| {
                let address = folded.split(['?', '#']).next().unwrap_or_default();
                self.nearest_of(self.by_fold.get(address), |_| Reason::Address)
            })
            .or_else(|| self.nearest_of(self.by_base.get(base(&folded)), |_| Reason::Folder))
            .or_else(|| {
                let is_same = |name: &str| fold(name).trim() == folded.trim();
                let difference =
                    |name: &str| if is_same(name) { Reason::WhiteSpace } else { Reason::Extension };
                self.nearest_of(self.by_stem.get(stem(&folded)), difference)
            })
            .or_else(|| self.nearest_by_spelling(&folded))
    }

    /// The name of a group that differs least.
    fn nearest_of(&self, group: Option<&Group>, difference: impl Fn(&str) -> Reason) -> Option<Suggestion> {
        let group = group?;
        let named = group.iter().filter_map(|at| self.choices.get(*at));
        let mut nearest: Vec<_> = named.map(|name| (difference(&name.text), name)).collect();
        nearest.order_by_key(|(reason, _)| *reason);
        let (reason, name) = *nearest.first()?;
        let is_sole =
            group.len() < MOST_IN_GROUP && nearest.get(1).is_none_or(|(second, _)| *second != reason);
        Some(name.suggest(reason, is_sole))
    }

    fn nearest_by_spelling(&self, wanted: &str) -> Option<Suggestion> {
        // In a short name one letter may be wrong, in a long one three.
        let most = (classify(stem(base(wanted)).chars()).1 / 3).min(3);
        let (classes, length) = classify(wanted.chars());
        let mut best: Option<(usize, &Name)> = None;
        let mut budget = self.budget.get();
        for name in &self.choices {
            let most = best.map_or(most, |(distance, _)| distance.saturating_sub(1));
            if most == 0 || budget == 0 {
                break;
            }
            budget = budget.saturating_sub(1);
            if !may_be_within((name.classes, name.length), (classes, length), most) {
                continue;
            }
            let folded = fold(&name.text);
            budget = budget.saturating_sub(40 * folded.len() as u64);
            if let Some(distance) = distance(wanted, &folded, most)
                && distance > 0
                && !differ_in_number(wanted, &folded)
            {
                best = Some((distance, name));
            }
        }
        self.budget.set(budget);
        best.map(|(_, name)| name.suggest(Reason::Spelling, false))
    }
}

/// The nearest of a few words (keys, values of an enumeration) to one that is not among them. Never one that means the
/// opposite, or has one more word.
///
/// ```
/// use evalcheck_core::suggest::nearest;
///
/// assert_eq!(nearest("mesages", ["input", "messages"].into_iter()), Some("messages"));
/// assert_eq!(nearest("Role", ["role"].into_iter()), Some("role"));
/// assert_eq!(nearest("tool", ["system", "user"].into_iter()), None);
/// assert_eq!(nearest("incorrect", ["is_correct"].into_iter()), None);
/// ```
pub fn nearest<'c>(wanted: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    // A hostile record may have any number of keys.
    const MANY: usize = 1000;
    const MOST_LETTERS: usize = 3;
    candidates
        .take(MANY)
        .filter(|candidate| resembles(wanted, candidate))
        .min_by_key(|candidate| distance(&fold(wanted), &fold(candidate), MOST_LETTERS).unwrap_or(usize::MAX))
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// A path without its extension.
fn stem(path: &str) -> &str {
    match path.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && !extension.contains('/') => stem,
        _ => path,
    }
}

/// The characters that occur, in 64 classes, and their number.
fn classify(text: impl Iterator<Item = char>) -> (u64, usize) {
    text.fold((0, 0), |(classes, length), c| (classes | 1 << (u32::from(c) % 64), length + 1))
}

/// Returns false if two texts are certainly more than `most` edits apart. An edit changes at most two classes.
fn may_be_within(one: (u64, usize), other: (u64, usize), most: usize) -> bool {
    (one.0 ^ other.0).count_ones() as usize <= 2 * most && one.1.abs_diff(other.1) <= most
}

/// The difference of two names with the same fold.
fn difference(wanted: &str, name: &str) -> Reason {
    if wanted.to_lowercase() == name.to_lowercase() {
        Reason::Case
    } else if nfkc(wanted) == nfkc(name) {
        Reason::UnicodeForm
    } else if separators(wanted) == separators(name) {
        Reason::Separators
    } else if percent_decoded(wanted) == percent_decoded(name) {
        Reason::PercentEncoding
    } else {
        Reason::LookAlike
    }
}

/// A name without the features in which names differ by mistake.
fn fold(name: &str) -> Cow<'_, str> {
    let (mut is_plain, mut has_case, mut before) = (true, false, 0);
    for byte in name.bytes() {
        let is_doubled = byte == b'/' && matches!(before, b'.' | b'/');
        is_plain &= byte.is_ascii() && !matches!(byte, b'%' | b'\\' | 0x7f) && !is_doubled;
        has_case |= byte.is_ascii_uppercase();
        before = byte;
    }
    if is_plain {
        let name = name.strip_prefix('/').unwrap_or(name);
        return if has_case { name.to_ascii_lowercase().into() } else { name.into() };
    }
    let with_latin = |text: &str| -> String {
        let is_shown = |c: &char| !evalcheck_report::text::needs_escape(*c) && *c != '\u{ad}';
        text.chars().filter(is_shown).map(look_alike).collect()
    };
    with_latin(&with_latin(&nfkc(&separators(&percent_decoded(name)))).to_lowercase()).into()
}

fn separators(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for part in path.split(['/', '\\']).filter(|part| !matches!(*part, "" | ".")) {
        if !out.is_empty() {
            out.push('/');
        }
        out.push_str(part);
    }
    out
}

fn percent_decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let digits = match rest {
            [b'%', high, low, ..] => char::from(*high).to_digit(16).zip(char::from(*low).to_digit(16)),
            _ => None,
        };
        if let Some(byte) = digits.and_then(|(high, low)| u8::try_from(high * 16 + low).ok()) {
            out.push(byte);
            rest = rest.get(3..).unwrap_or_default();
        } else {
            out.push(*first);
            rest = tail;
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

/// The Latin character that a Greek or Cyrillic letter, a dash or a quote looks like. Only for those that occur by
/// mistake; the table of Unicode has thousands.
fn look_alike(c: char) -> char {
    match c {
        'А' | 'Α' => 'A',
        'а' => 'a',
        'В' | 'Β' => 'B',
        'С' | 'Ϲ' => 'C',
        'с' | 'ϲ' => 'c',
        'Е' | 'Ε' => 'E',
        'е' => 'e',
        'Н' | 'Η' => 'H',
        'һ' => 'h',
        'І' | 'Ι' | 'Ӏ' => 'I',
        'і' | 'ι' | 'ı' => 'i',
        'Ј' => 'J',
        'ј' => 'j',
        'К' | 'Κ' => 'K',
        'к' | 'κ' => 'k',
        'М' | 'Μ' => 'M',
        'Ν' => 'N',
        'О' | 'Ο' => 'O',
        'о' | 'ο' => 'o',
        'Р' | 'Ρ' => 'P',
        'р' | 'ρ' => 'p',
        'Ѕ' => 'S',
        'ѕ' => 's',
        'Т' | 'Τ' => 'T',
        'у' | 'γ' => 'y',
        'Х' | 'Χ' => 'X',
        'х' | 'χ' => 'x',
        'Υ' | 'У' => 'Y',
        'Ζ' => 'Z',
        'ν' => 'v',
        '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
        '‘' | '’' | '′' | '`' => '\'',
        '“' | '”' => '"',
        '⁄' | '∕' => '/',
        other => other,
    }
}

/// Whether two names differ in a number: `doc12` is not a misspelling of `doc13`, but `doc1` may be one of `doc01`.
fn differ_in_number(a: &str, b: &str) -> bool {
    let words = |text: &str| text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    let numbers = |text: &str| {
        text.split(|c: char| !c.is_ascii_digit())
            .filter(|run| !run.is_empty())
            .map(|run| run.trim_start_matches('0').to_owned())
            .collect::<Vec<_>>()
    };
    words(a) == words(b) && numbers(a) != numbers(b)
}

/// The number of letters to insert, drop, replace or swap with their neighbour to get from `a` to `b`, if that is
/// at most `most`.
fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    if !may_be_within(classify(a.chars()), classify(b.chars()), most) {
        return None;
    }
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    // Row i of the table has the distances of a[..i] to b[..j]. Far from the diagonal they exceed `most`.
    let unreached = most + 1;
    let mut before = vec![unreached; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).map(|j| j.min(unreached)).collect();
    let mut row = vec![unreached; b.len() + 1];
    for i in 1..=a.len() {
        let band = i.saturating_sub(most).max(1)..=(i + most).min(b.len());
        row.fill(unreached);
        row[0] = i.min(unreached);
        for j in band {
            let same = a[i - 1] == b[j - 1];
            let mut cost = (above[j - 1] + usize::from(!same)).min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cost = cost.min(before[j - 2] + 1);
            }
            row[j] = cost.min(unreached);
        }
        if row.iter().all(|cost| *cost > most) {
            return None;
        }
        std::mem::swap(&mut before, &mut above);
        std::mem::swap(&mut above, &mut row);
    }
    Some(above[b.len()]).filter(|cost| *cost <= most)
}

#[cfg(test)]
mod tests;
