//! Records that match a query, one on a line, and the problem of a query.

use evalcheck_report::Severity;
use evalcheck_report::text::one_line;
use evalcheck_report::view::Hit;
use evalcheck_wire::query::QueryError;

use crate::line::{Line, Role};

/// `FILE:LINE: ... the value around the match ...`
///
/// ```
/// use evalcheck_render::find::hit_line;
/// use evalcheck_report::view::{Excerpt, Hit};
///
/// let excerpt = Excerpt {
///     text: "capital of France".into(), start: 11, end: 17, clipped_before: true, clipped_after: false,
/// };
/// let hit = Hit { line: 3, record: 2, path: Some("input.messages.0.content".into()), excerpt };
/// assert_eq!(hit_line(&hit, "data.jsonl").to_string(), "data.jsonl:3: ...capital of France");
/// ```
pub fn hit_line(hit: &Hit, file: &str) -> Line {
    let excerpt = &hit.excerpt;
    let part = |range: std::ops::Range<usize>| one_line(excerpt.text.get(range).unwrap_or_default());
    let ellipsis = |is_clipped: bool| if is_clipped { "..." } else { "" };
    let before = format!("{}{}", ellipsis(excerpt.clipped_before), part(0..excerpt.start));
    let after = format!("{}{}", part(excerpt.end..excerpt.text.len()), ellipsis(excerpt.clipped_after));
    Line::of([
        (Role::Strong, one_line(file)),
        (Role::Plain, format!(":{}: {before}", hit.line)),
        (Role::Match, part(excerpt.start..excerpt.end)),
        (Role::Plain, after),
    ])
}

/// The problem of a query, and its position.
///
/// ```
/// use evalcheck_render::find::error_lines;
/// use evalcheck_wire::query::Query;
///
/// let error = Query::parse("paris is:good", &[]).unwrap_err();
/// let lines = error_lines(&error, "paris is:good").map(|line| line.to_string());
/// assert_eq!(lines, ["error: \"is\" takes valid, invalid, lost, fixable, changed, duplicate", "  paris is:good", "           ^^^^"]);
/// ```
pub fn error_lines(error: &QueryError, query: &str) -> [Line; 3] {
    let columns = |range: std::ops::Range<usize>| {
        unicode_width::UnicodeWidthStr::width(&*one_line(query.get(range).unwrap_or_default()))
    };
    let (before, marked) = (columns(0..error.span.start), columns(error.span.clone()).max(1));
    [
        Line::of([
            (Role::Severity(Severity::Error), "error".to_owned()),
            (Role::Strong, format!(": {}", error.message)),
        ]),
        Line::of([(Role::Plain, format!("  {}", one_line(query)))]),
        Line::of([(
            Role::Severity(Severity::Error),
            format!("  {}{}", " ".repeat(before), "^".repeat(marked)),
        )]),
    ]
}
