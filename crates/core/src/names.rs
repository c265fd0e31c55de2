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
    let invisible = |c: char| evalcheck_wire::text::needs_escape(c) || c == '\u{ad}' || c == '\u{a0}';
    name.chars().find(|&c| invisible(c)).or_else(|| words(name).find_map(look_alike))
}

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
