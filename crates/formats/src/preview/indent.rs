//! Indented JSON.

use evalcheck_json::tokens::{TokenKind, Tokens};

use crate::diagnose::clip;

/// A JSON text with one line per scalar and per bracket, up to a number of characters. Strings and numbers are unchanged.
pub(super) fn indented(json: &[u8], most: usize) -> String {
    let mut out = String::new();
    let mut depth = 0_usize;
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    };
    let mut tokens = Tokens::new(json).filter(|token| !token.kind.is_trivia()).peekable();
    // A character has at most four bytes.
    while out.len() <= 4 * most
        && let Some(token) = tokens.next()
    {
        match token.kind {
            TokenKind::Punctuation(open @ (b'{' | b'[')) => {
                out.push(char::from(open));
                let close = tokens.next_if(|next| matches!(next.kind, TokenKind::Punctuation(b'}' | b']')));
                if let Some(TokenKind::Punctuation(close)) = close.map(|token| token.kind) {
                    out.push(char::from(close));
                } else {
                    depth += 1;
                    line(&mut out, depth);
                }
            }
            TokenKind::Punctuation(close @ (b'}' | b']')) => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(char::from(close));
            }
            TokenKind::Punctuation(b',') => {
                out.push(',');
                line(&mut out, depth);
            }
            TokenKind::Punctuation(colon) => {
                out.push(char::from(colon));
                out.push(' ');
            }
            _ => {
                let text = &json[token.span];
                out.push_str(&String::from_utf8_lossy(&text[..text.len().min(4 * most)]));
            }
        }
    }
    clip(&out, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_scalar_has_a_line() {
        let json = br#"{"a":[1.50,"x: {"],"b":{},"c":[ ]}"#;
        let lines = "{\n  \"a\": [\n    1.50,\n    \"x: {\"\n  ],\n  \"b\": {},\n  \"c\": []\n}";
        assert_eq!(indented(json, 1_000), lines);
        assert_eq!(indented(b" 5 ", 1_000), "5");
    }

    #[test]
    fn text_that_is_long_or_deep_is_cut() {
        let long = format!("\"{}\"", "ä".repeat(1_000));
        assert_eq!(indented(long.as_bytes(), 10).chars().count(), 11);
        let deep = "[".repeat(100_000);
        assert_eq!(indented(deep.as_bytes(), 1_000).chars().count(), 1_001);
        assert_eq!(indented(b"]}", 1_000), "\n]\n}");
    }
}
