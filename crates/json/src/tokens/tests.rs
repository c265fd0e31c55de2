//! Tokens of examples, and properties of the tokens of any text.

use super::*;

/// Tokens as a letter and their text.
fn tokens(text: &str) -> Vec<(char, &str)> {
    Tokens::new(text.as_bytes()).map(|token| (letter(&token.kind), &text[token.span])).collect()
}

fn letter(kind: &TokenKind) -> char {
    match kind {
        TokenKind::Space => '_',
        TokenKind::Comment { .. } => '/',
        TokenKind::String { .. } => '"',
        TokenKind::Word | TokenKind::Number => 'a',
        TokenKind::Punctuation(byte) => char::from(*byte),
        TokenKind::Other => '?',
    }
}

fn without_space(text: &str) -> Vec<&str> {
    let tokens = significant(text.as_bytes());
    tokens.map(|token| &text[token.span]).collect()
}

#[test]
fn comments_end_where_their_mark_says() {
    assert_eq!(
        tokens("1 // a '\n/*/ * \"*/#b\n/"),
        [
            ('a', "1"),
            ('_', " "),
            ('/', "// a '"),
            ('_', "\n"),
            ('/', "/*/ * \"*/"),
            ('/', "#b"),
            ('_', "\n"),
            ('?', "/")
        ]
    );
    let is_closed = |text: &str| match Tokens::new(text.as_bytes()).next().unwrap().kind {
        TokenKind::Comment { is_closed } => is_closed,
        other => panic!("{text}: {other:?}"),
    };
    assert!(is_closed("// a"));
    assert!(is_closed("/**/"));
    assert!(!is_closed("/*/"));
}

#[test]
fn strings_end_at_a_quote_of_their_kind() {
    assert_eq!(without_space(r#""a'\"" 'b"\'' `c'`"#), [r#""a'\"""#, r#"'b"\''"#, "`c'`"]);
    assert_eq!(without_space("“a's” „b“ ”c” «d» »e« ‘f’"), ["“a's”", "„b“", "”c”", "«d»", "»e«", "‘f’"]);
    assert_eq!(without_space(r"“a\” b” c"), [r"“a\” b”", "c"]);
    let string = Tokens::new("“a\"".as_bytes()).next().unwrap();
    assert_eq!(string.kind, TokenKind::String { quote: '“', content: 3..5, is_closed: false });
}

#[test]
fn an_apostrophe_in_a_word_begins_no_string() {
    assert_eq!(without_space("don't: it’s 5' 'x'"), ["don't", ":", "it’s", "5'", "'x'"]);
    assert_eq!(without_space("é's"), ["é's"]);
    // A prefix of Python.
    assert_eq!(without_space("{u'a': b'c'}"), ["{", "u", "'a'", ":", "b", "'c'", "}"]);
}

#[test]
fn words_are_literals_numbers_and_keys() {
    assert_eq!(
        without_space("[-1.5e+3, NaN, -Infinity, None]"),
        ["[", "-1.5e", "+", "3", ",", "NaN", ",", "-Infinity", ",", "None", "]"]
    );
    assert_eq!(
        without_space("{max-tokens: 1, größe$: 2}"),
        ["{", "max-tokens", ":", "1", ",", "größe$", ":", "2", "}"]
    );
}

#[test]
fn the_first_key_has_a_colon() {
    assert_eq!(first_key(br" { // one"), None);
    assert_eq!(first_key(br#"{"a\"b" : 1}"#), Some(&br#"a\"b"#[..]));
    assert_eq!(first_key(b"{'a':"), Some(&b"a"[..]));
    assert_eq!(first_key(br#"{"a""#), None);
    assert_eq!(first_key(br#"["a":"#), None);
}

/// Texts of pieces that make lexers stumble.
fn texts() -> impl Iterator<Item = Vec<u8>> {
    const PIECES: &[&[u8]] = &[
        b"\"",
        b"'",
        b"`",
        b"\\",
        b"/",
        b"*",
        b"#",
        b"\n",
        b" ",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"u",
        b"None",
        b"-1",
        b"\xe2",
        b"\xe2\x80",
        b"\x80",
        b"\xff",
        b"\xc2",
        "“".as_bytes(),
        "”".as_bytes(),
        "’".as_bytes(),
        "«".as_bytes(),
        "»".as_bytes(),
        "é".as_bytes(),
        "𝄞".as_bytes(),
        b"\xf0\x9d",
        b"\x01",
    ];
    let mut random = fastrand::Rng::with_seed(7);
    std::iter::repeat_with(move || {
        let count = random.usize(0..24);
        (0..count).flat_map(|_| PIECES[random.usize(0..PIECES.len())].to_vec()).collect::<Vec<u8>>()
    })
    .take(4000)
}

#[test]
fn tokens_tile_the_text() {
    for text in texts() {
        let mut at = 0;
        for token in Tokens::new(&text) {
            assert_eq!(token.span.start, at, "{text:?}");
            assert!(token.span.end > at, "{text:?}");
            at = token.span.end;
            if let TokenKind::String { quote, content, is_closed } = token.kind {
                assert_eq!(content.start, token.span.start + quote.len_utf8(), "{text:?}");
                assert_eq!(content.end < at, is_closed, "{text:?}");
            }
        }
        assert_eq!(at, text.len(), "{text:?}");
    }
}

/// Adds a letter for each byte of the tokens.
fn add_letters(tokens: &mut Tokens<'_>, letters: &mut String) {
    for token in tokens {
        letters.extend(std::iter::repeat_n(letter(&token.kind), token.span.len()));
    }
}

/// At most three bytes are left, which also shows that the time is linear: no token looks further ahead, or back.
#[test]
fn pieces_of_a_text_have_the_tokens_of_the_whole() {
    for text in texts() {
        let mut whole = String::new();
        add_letters(&mut Tokens::new(&text), &mut whole);
        for length in [1, 2, 3, 7] {
            let (mut letters, mut held, mut within) = (String::new(), Vec::new(), Within::Nothing);
            for piece in text.chunks(length) {
                held.extend_from_slice(piece);
                let mut tokens = Tokens::resume(&held, within).partial();
                add_letters(&mut tokens, &mut letters);
                within = tokens.within();
                let at = tokens.at();
                held.drain(..at);
                assert!(held.len() <= 3, "{text:?}");
            }
            add_letters(&mut Tokens::resume(&held, within), &mut letters);
            assert_eq!(letters, whole, "{text:?} in pieces of {length} bytes");
        }
    }
}
