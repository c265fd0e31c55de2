//! The scripts of a text.

use evalcheck_json::walk::Text;
use evalcheck_report::overview::Script;

/// The number of characters of a text whose letters are counted.
const MOST: usize = 1000;

/// A text is in a script that has at least one in this number of its letters.
const SHARE: u32 = 10;

/// The number of scripts.
pub(super) const COUNT: usize = Script::ALL.len();

/// The scripts of a text: those that have a tenth of the letters among its first 1,000 characters.
#[inline]
pub(super) fn of_text(text: &Text<'_>) -> [bool; COUNT] {
    if text.is_ascii() { of_ascii(text) } else { of_any(text) }
}

/// The same for ASCII, whose letters are all Latin.
#[inline]
fn of_ascii(text: &Text<'_>) -> [bool; COUNT] {
    let is_letter = |c: char| c.is_ascii_alphabetic();
    let first = text.raw.first().is_some_and(u8::is_ascii_alphabetic);
    let mut scripts = [false; COUNT];
    scripts[Script::Latin as usize] = first || text.decoded().take(MOST).any(is_letter);
    scripts
}

fn of_any(text: &Text<'_>) -> [bool; COUNT] {
    let mut letters = [0_u32; COUNT];
    // An iterator of scripts takes a fifth more instructions.
    for c in text.decoded().take(MOST) {
        if let Some(script) = script(c) {
            letters[script as usize] += 1;
        }
    }
    let all: u32 = letters.iter().sum();
    letters.map(|letters| letters > 0 && letters * SHARE >= all)
}

/// The script of a letter; `None` for other characters.
#[inline]
fn script(c: char) -> Option<Script> {
    Some(match c {
        'a'..='z' | 'A'..='Z' => Script::Latin,
        '\0'..='\u{7f}' => return None,
        '\u{3041}'..='\u{309f}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{30fc}'..='\u{30ff}'
        | '\u{31f0}'..='\u{31ff}'
        | '\u{ff66}'..='\u{ff9d}' => Script::Kana,
        '\u{3005}'
        | '\u{3007}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' => Script::Han,
        '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' | '\u{ac00}'..='\u{d7a3}' => Script::Hangul,
        c if !c.is_alphabetic() => return None,
        '\u{80}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{ff21}'..='\u{ff5a}' => Script::Latin,
        '\u{400}'..='\u{52f}' => Script::Cyrillic,
        '\u{600}'..='\u{6ff}'
        | '\u{750}'..='\u{77f}'
        | '\u{8a0}'..='\u{8ff}'
        | '\u{fb50}'..='\u{fdff}'
        | '\u{fe70}'..='\u{feff}' => Script::Arabic,
        '\u{900}'..='\u{97f}' => Script::Devanagari,
        _ => Script::Other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scripts(text: &str) -> Vec<Script> {
        let of = of_text(&Text::plain(text.as_bytes()));
        Script::ALL.into_iter().filter(|script| of[*script as usize]).collect()
    }

    #[test]
    fn a_text_is_in_the_scripts_of_its_letters() {
        assert_eq!(scripts("42: Hello"), [Script::Latin]);
        assert_eq!(scripts("12 + 30 = 42"), []);
        assert_eq!(scripts("Größe à 10 °C"), [Script::Latin]);
        assert_eq!(scripts("日本語のテキスト"), [Script::Han, Script::Kana]);
        assert_eq!(scripts("中文，没有其他"), [Script::Han]);
        assert_eq!(scripts("한국어"), [Script::Hangul]);
        assert_eq!(scripts("مرحبا"), [Script::Arabic]);
        assert_eq!(scripts("Привет"), [Script::Cyrillic]);
        assert_eq!(scripts("नमस्ते"), [Script::Devanagari]);
        assert_eq!(scripts("שלום Ελλάδα"), [Script::Other]);
    }

    #[test]
    fn a_script_needs_a_tenth_of_the_letters() {
        assert_eq!(scripts("Die Antwort ist я."), [Script::Latin], "1 of 14 letters");
        assert_eq!(scripts("Antwort: я."), [Script::Latin, Script::Cyrillic], "1 of 8");
        let late = format!("{}{}", "é".repeat(1000), "я".repeat(1000));
        assert_eq!(scripts(&late), [Script::Latin], "beyond the first 1,000");
    }
}
