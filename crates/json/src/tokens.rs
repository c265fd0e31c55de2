//! Tokens of text that is JSON, or nearly JSON: with comments, other quotes, words of Python.
//!
//! All code that reads such text without parsing it uses this lexer, so that strings and comments are the same everywhere: in detection,
//! the search for the end of a record over several lines, the fixes of syntax, the conversion of an array.
//!
//! Three readers have their own code for strings, because they accept JSON only: the fast tier ([`crate::scan`]); the parser
//! (`parse` of `evalcheck-diagnose`), which stops at the first error and names its cause; and [`crate::extent::EndFinder`], which ends a string
//! at a line break, so that a missing quote costs a line and not the rest of the document.

use std::ops::Range;

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Its bytes.
    pub span: Range<usize>,
}

/// The kind of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenKind {
    /// Spaces, tabs and line breaks.
    Space,
    /// `// ...` or `# ...` without the line break, or `/* ... */`.
    Comment {
        /// False for `/* ...` to the end of the text.
        is_closed: bool,
    },
    /// A string in any quotes.
    String {
        /// The opening quote.
        quote: char,
        /// The bytes between its quotes.
        content: Range<usize>,
        /// False for a string to the end of the text.
        is_closed: bool,
    },
    /// A literal, or a key without quotes: letters and digits, `_`, `$`, `.`, `-`, and apostrophes after these.
    Word,
    /// A word that begins with a digit or `-`.
    Number,
    /// One of `{}[],:`.
    Punctuation(u8),
    /// Any other character.
    Other,
}

impl TokenKind {
    /// Whether it is white space or a comment.
    pub fn is_trivia(&self) -> bool {
        matches!(self, Self::Space | Self::Comment { .. })
    }
}

/// The token in which a text ends. [`Tokens::resume`] continues there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Within {
    /// No token, or one that further bytes cannot continue.
    #[default]
    Nothing,
    /// A word or a number.
    Word {
        /// Whether it is the prefix of a Python string if a quote follows, as in `u'text'`.
        is_prefix: bool,
    },
    /// A string that begins with this quote.
    String(char),
    /// `// ...` or `# ...`.
    LineComment,
    /// `/* ...`.
    BlockComment,
}

/// The tokens of a text, in order and without gaps. Each byte is read a bounded number of times.
///
/// ```
/// use evalcheck_json::tokens::{TokenKind, Tokens};
///
/// let text = b"{'it': None} // it's";
/// let tokens = Tokens::new(text).filter(|token| !token.kind.is_trivia());
/// let tokens: Vec<_> = tokens.map(|token| &text[token.span]).collect();
/// assert_eq!(tokens, [&b"{"[..], b"'it'", b":", b"None", b"}"]);
/// ```
#[derive(Debug, Clone)]
pub struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
    within: Within,
    /// Whether more bytes will follow.
    is_partial: bool,
}

impl<'a> Tokens<'a> {
    /// The tokens of a text.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self::resume(bytes, Within::Nothing)
    }

    /// The tokens of a text that continues another one. The first is the rest of the token in which the other text ended.
    pub fn resume(bytes: &'a [u8], within: Within) -> Self {
        Self { bytes, at: 0, within, is_partial: false }
    }

    /// Prepares for more bytes: leaves up to three last bytes if the next bytes decide their kind. The next bytes can continue a word,
    /// white space, a string or a comment.
    #[must_use]
    pub fn partial(self) -> Self {
        Self { is_partial: true, ..self }
    }

    /// The offset of the next token.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The token in which the bytes so far end.
    pub fn within(&self) -> Within {
        self.within
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Reads the token that begins here up to its end, which is then [`Tokens::at`]. `None` if that needs more bytes.
    fn begin(&mut self) -> Option<TokenKind> {
        let rest = self.rest();
        Some(match *rest.first()? {
            b' ' | b'\t' | b'\r' | b'\n' => {
                let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
                self.at += rest.iter().take_while(is_space).count();
                TokenKind::Space
            }
            byte @ (b'{' | b'}' | b'[' | b']' | b',' | b':') => {
                self.at += 1;
                TokenKind::Punctuation(byte)
            }
            b'#' => self.line_comment(),
            b'/' => match rest.get(1) {
                Some(b'/') => self.line_comment(),
                Some(b'*') => {
                    self.at += 2;
                    self.block_comment()
                }
                None if self.is_partial => return None,
                _ => self.other(1),
            },
            b'-' | b'0'..=b'9' => {
                self.at += 1;
                self.word(false);
                TokenKind::Number
            }
            _ => match character(rest) {
                Some(quote) if matches!(quote, '"' | '\'' | '`') || is_typographic(quote) => {
                    self.at += quote.len_utf8();
                    self.string(quote)
                }
                Some(c) if c.is_alphabetic() || matches!(c, '_' | '$') => {
                    self.at += c.len_utf8();
                    self.word(matches!(c, 'b' | 'f' | 'r' | 'u' | 'B' | 'F' | 'R' | 'U'));
                    TokenKind::Word
                }
                Some(c) => self.other(c.len_utf8()),
                None if self.may_be_cut() => return None,
                None => self.other(1),
            },
        })
    }

    fn other(&mut self, length: usize) -> TokenKind {
        self.at += length;
        TokenKind::Other
    }

    /// Whether the end of the bytes may cut the character that begins here.
    fn may_be_cut(&self) -> bool {
        self.is_partial && self.rest().len() < 4
    }

    /// The rest of a word. An apostrophe belongs to it, as in `don't`, but not after a prefix.
    fn word(&mut self, mut is_prefix: bool) {
        while let Some(c) = character(self.rest()) {
            let goes_on = if matches!(c, '\'' | '’') { !is_prefix } else { is_in_word(c) };
            if !goes_on {
                return;
            }
            is_prefix = false;
            self.at += c.len_utf8();
        }
        if self.rest().is_empty() || self.may_be_cut() {
            self.within = Within::Word { is_prefix };
        }
    }

    /// Reads a string from here, in its content, to its end.
    fn string(&mut self, quote: char) -> TokenKind {
        let start = self.at;
        loop {
            let rest = self.rest();
            let place = match u8::try_from(quote) {
                Ok(quote) if quote.is_ascii() => memchr::memchr2(quote, b'\\', rest),
                _ if quote == '＂' => memchr::memchr2(0xef, b'\\', rest),
                // The first bytes of the other typographic quotes.
                _ => memchr::memchr3(0xe2, 0xc2, b'\\', rest),
            };
            self.at += place.unwrap_or(rest.len());
            let rest = self.rest();
            let length = match character(rest) {
                Some('\\') if rest.len() > 1 => 2,
                Some(c) if closes(quote, c) => {
                    let content = start..self.at;
                    self.at += c.len_utf8();
                    return TokenKind::String { quote, content, is_closed: true };
                }
                Some(c) if c != '\\' => c.len_utf8(),
                _ if rest.is_empty() || self.may_be_cut() => {
                    self.within = Within::String(quote);
                    return TokenKind::String { quote, content: start..self.at, is_closed: false };
                }
                _ => 1,
            };
            self.at += length;
        }
    }

    fn line_comment(&mut self) -> TokenKind {
        let end = memchr::memchr(b'\n', self.rest());
        self.at = end.map_or(self.bytes.len(), |end| self.at + end);
        if end.is_none() {
            self.within = Within::LineComment;
        }
        TokenKind::Comment { is_closed: true }
    }

    /// Reads a comment from here, after its `/*`, to its end.
    fn block_comment(&mut self) -> TokenKind {
        if let Some(end) = memchr::memmem::find(self.rest(), b"*/") {
            self.at += end + 2;
            return TokenKind::Comment { is_closed: true };
        }
        let keep = usize::from(self.is_partial && self.rest().ends_with(b"*"));
        self.at = self.bytes.len() - keep;
        self.within = Within::BlockComment;
        TokenKind::Comment { is_closed: false }
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let start = self.at;
            if start == self.bytes.len() {
                return None;
            }
            let within = std::mem::take(&mut self.within);
            let kind = match within {
                Within::Nothing => self.begin()?,
                Within::Word { is_prefix } => {
                    self.word(is_prefix);
                    TokenKind::Word
                }
                Within::String(quote) => self.string(quote),
                Within::LineComment => self.line_comment(),
                Within::BlockComment => self.block_comment(),
            };
            if self.at > start {
                return Some(Token { kind, span: start..self.at });
            }
            if self.within != Within::Nothing {
                return None;
            }
            // The resumed token has no further bytes.
        }
    }
}

/// The tokens of a text without white space and comments.
pub fn significant(bytes: &[u8]) -> impl Iterator<Item = Token> {
    Tokens::new(bytes).filter(|token| !token.kind.is_trivia())
}

/// Whether the text begins with the tokens of `outline`, apart from white space and comments. In `outline`, brackets, commas and colons
/// mean themselves, and `"` is a string in any quotes.
///
/// ```
/// # use evalcheck_json::tokens::begins_with;
/// assert!(begins_with(b"{ 'key': [1, 2]}", br#"{":["#));
/// assert!(!begins_with(b"{ 'key': 1}", br#"{":["#));
/// ```
pub fn begins_with(bytes: &[u8], outline: &[u8]) -> bool {
    let mut tokens = significant(bytes);
    outline.iter().all(|&expected| match tokens.next().map(|token| token.kind) {
        Some(TokenKind::Punctuation(byte)) => byte == expected,
        Some(TokenKind::String { .. }) => expected == b'"',
        _ => false,
    })
}

/// The content of the first key, if the text begins with an object and a colon follows the key.
pub fn first_key(bytes: &[u8]) -> Option<&[u8]> {
    let mut kinds = significant(bytes).map(|token| token.kind);
    match (kinds.next()?, kinds.next()?, kinds.next()?) {
        (TokenKind::Punctuation(b'{'), TokenKind::String { content, .. }, TokenKind::Punctuation(b':')) => {
            bytes.get(content)
        }
        _ => None,
    }
}

/// The first character; `None` if the bytes are not UTF-8, or do not contain all of it.
pub fn character(bytes: &[u8]) -> Option<char> {
    match bytes {
        [] => None,
        [byte @ ..0x80, ..] => Some(char::from(*byte)),
        _ => bytes[..bytes.len().min(4)].utf8_chunks().next()?.valid().chars().next(),
    }
}

/// Whether a quote is one of a word processor, or the full-width one.
pub fn is_typographic(quote: char) -> bool {
    matches!(quote, '“' | '”' | '„' | '«' | '»' | '‘' | '’' | '＂')
}

/// Whether `quote` ends a string that `begins` begins.
fn closes(begins: char, quote: char) -> bool {
    match begins {
        '“' | '”' | '„' => matches!(quote, '“' | '”'),
        '«' | '»' => matches!(quote, '«' | '»'),
        '‘' | '’' => quote == '’',
        _ => quote == begins,
    }
}

/// Whether a word can contain a character after its first one.
fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '-')
}

#[cfg(test)]
mod tests;
