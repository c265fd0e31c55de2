//! Characters in identifiers, names and roles that a person cannot see or takes for others.

/// The first character of a name that is invisible, or a look-alike of a Latin letter among Latin letters.
///
/// ```
/// use evalcheck_engine::names::suspicious;
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
    name.split(|c: char| !is_of_a_word(c)).filter(|word| !word.is_ascii())
}

/// True for letters and digits of most scripts, by blocks. That is near enough to find words for a message, and
/// `char::is_alphanumeric`, which is exact, has tables of 2 kB in the worker's wasm, compressed.
pub(crate) fn is_of_a_word(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(
            c,
            // Latin, Greek, Cyrillic, Armenian and all up to the punctuation that scripts share.
            'ª' | 'µ' | 'º' | 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='\u{2c1}' | '\u{370}'..='\u{481}'
            | '\u{48a}'..='\u{556}' | '\u{560}'..='\u{588}' | '\u{5d0}'..='\u{1fff}'
            | '\u{2c00}'..='\u{2dff}'
            // East Asia.
            | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}'
            | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{318e}' | '\u{31a0}'..='\u{31bf}'
            | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{a48c}' | '\u{a4d0}'..='\u{d7fb}'
            | '\u{f900}'..='\u{fd3d}' | '\u{fd50}'..='\u{fdfb}' | '\u{fe70}'..='\u{fefc}'
            // Full and half width.
            | '０'..='９' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ' | '\u{ff66}'..='\u{ffdc}'
            | '\u{10000}'..='\u{1cfff}' | '\u{1e000}'..='\u{1eeff}' | '\u{20000}'..='\u{3ffff}'
        )
}

/// A Cyrillic or Greek letter with a Latin double, in a word that has Latin letters too; or a full-width form.
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

#[cfg(test)]
mod tests {
    use super::is_of_a_word;

    #[test]
    fn letters_are_of_words_and_punctuation_is_not() {
        for block in
            ['\0'..='\u{2c1}', 'Ͱ'..='\u{52f}', 'ぁ'..='\u{318e}', '一'..='\u{9fff}', '가'..='\u{d7a3}']
        {
            let lost: Vec<char> = block.filter(|c| c.is_alphabetic() && !is_of_a_word(*c)).collect();
            assert!(lost.is_empty(), "{lost:?}");
        }
        let latin = ('\0'..='\u{2ff}').filter(|c| is_of_a_word(*c) && !c.is_alphanumeric());
        assert_eq!(latin.collect::<String>(), "");
        for block in [
            '\u{2010}'..='\u{206f}',
            '\u{2190}'..='\u{23ff}',
            '\u{3008}'..='\u{3020}',
            '！'..='／',
            '\u{1f300}'..='\u{1faff}',
        ] {
            assert!(!block.clone().any(is_of_a_word), "{block:?}");
        }
    }
}
