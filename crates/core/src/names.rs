//! Characters in identifiers, names and roles that people cannot see, or mistake for others.

/// The first character of a name that is invisible, or that is a look-alike of a Latin letter among Latin letters.
///
/// ```
/// use evalcheck_core::names::suspicious;
/// assert_eq!(suspicious("user\u{200b}"), Some('\u{200b}'));
/// assert_eq!(suspicious("аttachments/a.pdf"), Some('а'), "a Cyrillic letter among Latin ones");
/// assert_eq!(suspicious("данные.pdf"), None, "a word in one script is a word");
/// ```
pub fn suspicious(name: &str) -> Option<char> {
    if name.is_ascii() {
        return name.chars().find(char::is_ascii_control);
    }
    let invisible = |c: char| evalcheck_report::text::needs_escape(c) || c == '\u{ad}' || c == '\u{a0}';
    name.chars().find(|&c| invisible(c)).or_else(|| words(name).find_map(look_alike))
}

/// Whether a name is a number as a spreadsheet shows it if it has more digits than the cell: only the first digits are left.
///
/// ```
/// use evalcheck_core::names::is_rounded;
/// assert!(is_rounded(b"1.20E+15") && is_rounded(b"4E+11"));
/// assert!(!is_rounded(b"1.20E+1") && !is_rounded(b"1.234567E+05"), "no digit is missing");
/// assert!(!is_rounded(b"model-1.5E+15") && !is_rounded(b"1.2e+15"));
/// ```
pub fn is_rounded(name: &[u8]) -> bool {
    let [b'0'..=b'9', rest @ ..] = name else { return false };
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (decimals, rest) = match rest {
        [b'.', rest @ ..] => rest.split_at(digits(rest)),
        rest => rest.split_at(0),
    };
    let Some(exponent) = rest.strip_prefix(b"E+").filter(|exponent| exponent.len() == 2) else {
        return false;
    };
    let tens = exponent
        .iter()
        .try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + usize::from(byte - b'0')));
    tens.is_some_and(|tens| tens > decimals.len())
}

/// Advice about a name that [`is_rounded`].
pub const ROUNDED: &str = "If a spreadsheet has shortened it, the digits that are not written are lost: take it from where it came from, and import the column as text.";

/// The text that JavaScript writes in place of an object.
pub const LOST_OBJECT: &str = "[object Object]";

fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_ascii())
}

/// The first Cyrillic or Greek letter that looks like a Latin one, in a word that also has Latin letters; or a full-width form.
fn look_alike(word: &str) -> Option<char> {
    let latin = word.chars().any(|c| c.is_ascii_alphabetic());
    word.chars().find(|&c| match c {
        'а' | 'А' | 'В' | 'е' | 'Е' | 'К' | 'М' | 'Н' | 'о' | 'О' | 'р' | 'Р' | 'с' | 'С' | 'Т' | 'у'
        | 'х' | 'Х' | 'і' | 'І' | 'ј' | 'Ј' | 'ѕ' | 'Ѕ' | 'ԁ' | 'ո' | 'Α' | 'Β' | 'Ε' | 'Ζ' | 'Η' | 'Ι'
        | 'Κ' | 'Μ' | 'Ν' | 'Ο' | 'ο' | 'Ρ' | 'ρ' | 'Τ' | 'Υ' | 'Χ' | 'ν' | 'α' => latin,
        '\u{ff01}'..='\u{ff5e}' => true,
        _ => false,
    })
}
