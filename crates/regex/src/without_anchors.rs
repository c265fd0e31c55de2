//! Expressions without their anchors, to find texts that may match within a longer one.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Hir, HirKind};

/// The expression without its anchors (`^`, `$`, `\A`, `\z`), with its case sensitivity included: if a text matches the original
/// expression, every longer text that contains it between non-word characters matches this one. `None` if the expression cannot be
/// parsed.
///
/// ```
/// # use evalcheck_regex::without_anchors;
/// assert_eq!(without_anchors("^tool$", false).as_deref(), Some("(?:tool)"));
/// ```
pub fn without_anchors(pattern: &str, ignores_case: bool) -> Option<String> {
    let parsed = ParserBuilder::new().case_insensitive(ignores_case).build().parse(pattern).ok()?;
    Some(strip(parsed).to_string())
}

/// Replaces anchors by the empty expression.
fn strip(hir: Hir) -> Hir {
    if !hir.properties().look_set().contains_anchor() {
        return hir;
    }
    match hir.into_kind() {
        HirKind::Empty | HirKind::Look(_) => Hir::empty(),
        HirKind::Literal(literal) => Hir::literal(literal.0),
        HirKind::Class(class) => Hir::class(class),
        HirKind::Repetition(mut repetition) => {
            repetition.sub = Box::new(strip(*repetition.sub));
            Hir::repetition(repetition)
        }
        HirKind::Capture(mut capture) => {
            capture.sub = Box::new(strip(*capture.sub));
            Hir::capture(capture)
        }
        HirKind::Concat(parts) => Hir::concat(parts.into_iter().map(strip).collect()),
        HirKind::Alternation(parts) => Hir::alternation(parts.into_iter().map(strip).collect()),
    }
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::*;

    #[test]
    fn what_matches_alone_matches_within() {
        for (pattern, ignores_case, text) in [
            ("^tool$", false, "tool"),
            ("^TOOL$", true, "tool"),
            (r"\Aa+\z", false, "aaa"),
            ("(?m)^b$", false, "a\nb\nc"),
            ("(^a|b$)+", false, "b"),
            ("^$", false, ""),
            (r"^\bto\w*$", false, "tool"),
            ("(^é|x){2,3}", true, "xX"),
            ("a", false, "bab"),
        ] {
            let stripped = without_anchors(pattern, ignores_case).unwrap();
            assert!(
                Regex::new(&format!("(?{}:{pattern})", if ignores_case { "i" } else { "-i" }))
                    .unwrap()
                    .is_match(text)
            );
            assert!(
                Regex::new(&stripped).unwrap().is_match(&format!("{{\"{text}\"}}")),
                "{pattern}: {stripped}"
            );
        }
        assert_eq!(without_anchors("(", false), None);
    }
}
