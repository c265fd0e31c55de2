//! Text from a dataset on one line, and counts. Messages and reports are written with these.

mod inert;

pub use inert::Inert;

/// The text on one line, made inert: escapes characters that would break or reorder the line or control a terminal, see [`needs_escape`],
/// and text that agents of build servers read as commands, see [`Inert`].
///
/// ```
/// use evalcheck_report::text::one_line;
///
/// assert_eq!(one_line("a\nb"), "a\\u{000a}b");
/// assert_eq!(one_line("a ##vso[task.complete]b"), "a ##vso\\u{005b}task.complete]b");
/// assert_eq!(one_line(" ::add-mask::e"), " :\\u{003a}add-mask::e");
/// ```
pub fn one_line(text: &str) -> String {
    Inert::default().text(text).into_owned()
}

/// Words as a list in a sentence.
///
/// ```
/// use evalcheck_report::text::listed;
///
/// assert_eq!([&["a"][..], &["a", "b"], &["a", "b", "c"], &[]].map(listed), ["a", "a and b", "a, b and c", ""]);
/// ```
pub fn listed<W: AsRef<str>>(words: &[W]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        words => words.concat(),
    }
}

/// The first characters of a text, with an ellipsis if there are more.
///
/// ```
/// # use evalcheck_report::text::clip;
/// assert_eq!(clip("größer", 3), "grö…");
/// assert_eq!(clip("größer", 6), "größer");
/// ```
pub fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns true if the character at a byte is a zero-width joiner or non-joiner used as Unicode defines it: it joins two emoji, or shapes
/// two letters of one script that has joined letters. Such a character is part of the text, so prose and the source of a record show it
/// unescaped. Anywhere else, it is hidden content.
///
/// ```
/// # use evalcheck_report::text::is_joiner;
/// assert!(is_joiner("👩\u{200d}🚀", 4));
/// assert!(is_joiner("می\u{200c}شود", 4));
/// assert!(!is_joiner("ad\u{200d}min", 2));
/// ```
pub fn is_joiner(text: &str, at: usize) -> bool {
    let Some((before, rest)) = text.split_at_checked(at) else { return false };
    let (before, mut rest) = (before.chars().next_back(), rest.chars());
    let joiner = rest.next();
    let (Some(before), Some(after)) = (before, rest.next()) else { return false };
    match joiner {
        Some('\u{200d}') if is_emoji(after) => is_emoji(before) || before == '\u{fe0f}',
        Some('\u{200c}' | '\u{200d}') => {
            joining_script(before).is_some_and(|script| joining_script(after) == Some(script))
        }
        _ => false,
    }
}

/// The blocks of emoji that occur in joined sequences.
fn is_emoji(c: char) -> bool {
    matches!(c,
        '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}'
        | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

/// The script of a letter or mark whose shape depends on its neighbours, as a number.
fn joining_script(c: char) -> Option<u32> {
    match c {
        // Arabic, Syriac and N'Ko.
        '\u{620}'..='\u{65f}'
        | '\u{66e}'..='\u{6d3}'
        | '\u{6d5}'..='\u{6ef}'
        | '\u{6fa}'..='\u{6ff}'
        | '\u{710}'..='\u{77f}'
        | '\u{7ca}'..='\u{7f5}'
        | '\u{860}'..='\u{8ff}' => Some(0),
        // The Indic scripts, each in a block of 128, with punctuation and digits from 100 on.
        '\u{900}'..='\u{dff}' if u32::from(c) % 128 < 100 => Some(u32::from(c) / 128),
        // Khmer and Mongolian.
        '\u{1780}'..='\u{17d3}' => Some(1),
        '\u{1820}'..='\u{18aa}' => Some(2),
        _ => None,
    }
}

/// `1 record`, `2 records`.
pub fn count(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// `1 record`, `2,000 records`.
pub fn counted(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{} {noun}s", grouped(n)) }
}

/// `1234567` as `1,234,567`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Returns true for characters that are shown escaped: controls, bidirectional controls, zero-width and line separators.
pub fn needs_escape(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(123_456), "123,456");
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    /// Counts the joiners of a text that are shown unescaped.
    fn kept(text: &str) -> usize {
        text.char_indices().filter(|(at, _)| is_joiner(text, *at)).count()
    }

    #[test]
    fn joiners_of_emoji_and_of_joined_scripts_are_kept() {
        for (text, joiners) in [
            ("👩\u{200d}👩\u{200d}👧", 2),
            ("👩🏽\u{200d}⚕\u{fe0f}", 1),
            ("❤\u{fe0f}\u{200d}🔥", 1),
            ("می\u{200c}خواهم", 1),
            ("क्\u{200d}ष और रा\u{200c}म", 2),
            ("ශ්\u{200d}රී", 1),
            ("র\u{200d}্য", 1),
        ] {
            assert_eq!(kept(text), joiners, "{text}");
        }
    }

    #[test]
    fn joiners_that_hide_are_not() {
        for text in [
            "us\u{200d}er",
            "us\u{200c}er",
            "\u{200d}👧",
            "👧\u{200d}",
            "می\u{200c}",
            "می\u{200c} شود",
            "می\u{200c}\u{200c}شود",
            "م\u{200c}क",
            "a\u{200d}👧",
            "1\u{200d}1",
            "👩\u{200c}👧",
            "می\u{200b}شود",
        ] {
            assert_eq!(kept(text), 0, "{text:?}");
        }
    }
}
