//! Limits of a preview: what a browser draws at once without a delay.

use evalcheck_formats::preview::json_in;
use evalcheck_report::view::{Loaded, Part, Sample};

use crate::finding::Finding;

/// The maximum number of parts of messages. A message without one counts as one.
const PARTS: usize = 200;

/// The maximum number of bytes of text, in all messages or in an attachment.
const BYTES: usize = 64 << 10;

/// The maximum number of line breaks in it. A browser needs as long for a line break as for some dozen letters.
const LINES: usize = 3_000;

/// The maximum number of values beside the conversation.
const FIELDS: usize = 64;

/// The maximum number of findings of one record.
const FINDINGS: usize = 2_000;

/// The remaining room.
struct Room {
    parts: usize,
    bytes: usize,
    lines: usize,
}

impl Room {
    const fn new() -> Self {
        Self { parts: PARTS, bytes: BYTES, lines: LINES }
    }

    /// Takes room for a text. Returns the number of its bytes that have room.
    fn take(&mut self, text: &[u8]) -> usize {
        let mut end = super::text::clip_utf8(text, self.bytes).len();
        if let Some(line_break) = memchr::memchr_iter(b'\n', &text[..end]).nth(self.lines) {
            end = line_break;
        }
        self.bytes -= end;
        self.lines -= memchr::memchr_iter(b'\n', &text[..end]).count();
        end
    }

    /// Takes room for a part, and clips its text. Returns false if there is none.
    fn take_part(&mut self, part: &mut Part) -> bool {
        if self.parts == 0 || self.bytes == 0 || self.lines == 0 {
            return false;
        }
        self.parts -= 1;
        match part {
            Part::Text { text, clipped, .. } | Part::Reasoning { text, clipped, .. } => {
                let end = self.take(text.as_bytes());
                *clipped |= end < text.len();
                text.truncate(end);
            }
            Part::ImageUrl { url: text }
            | Part::Other { json: text }
            | Part::Json(text)
            | Part::File { path: text, .. } => {
                self.take(text.as_bytes());
            }
            Part::ToolCall(call) => {
                if let Some(arguments) = &mut call.arguments {
                    let end = self.take(arguments.text.as_bytes());
                    if end < arguments.text.len() {
                        arguments.text.truncate(end);
                        arguments.text.push('…');
                    }
                }
            }
        }
        true
    }

    /// Indents a text that is JSON, if it has no marks and the additional lines have room.
    fn indent(&mut self, part: &mut Part) {
        let Part::Text { text, clipped: false, marks } = part else { return };
        let json = json_in(text).filter(|json| marks.is_empty() && !json.ends_with('…'));
        if let Some(json) = json.filter(|json| self.take(json.as_bytes()) == json.len()) {
            *part = Part::Json(json);
        }
    }
}

/// The beginning of a conversation, with the number of parts that are left out.
pub(super) fn limit(mut sample: Sample) -> Sample {
    let mut room = Room::new();
    let mut turns = 0;
    for turn in &mut sample.turns {
        if room.parts == 0 {
            break;
        }
        let all = turn.parts.len();
        if all == 0 {
            room.parts -= 1;
        }
        let kept = turn.parts.iter_mut().map(|part| room.take_part(part)).take_while(|fits| *fits).count();
        if kept == 0 && all > 0 {
            break;
        }
        turn.parts.truncate(kept);
        sample.omitted += (all - kept) as u64;
        turns += 1;
    }
    let rest = sample.turns.iter().skip(turns).map(|turn| turn.parts.len().max(1) as u64);
    sample.omitted += rest.sum::<u64>();
    sample.turns.truncate(turns);
    // Only now, so that no part gives way to the line breaks of another one.
    let results = sample.turns.iter_mut().filter(|turn| !turn.result_of.is_empty());
    results.flat_map(|turn| &mut turn.parts).for_each(|part| room.indent(part));
    sample.fields.truncate(FIELDS);
    sample
}

/// The beginning of a record as the system holds it.
pub(super) fn limit_loaded(mut loaded: Loaded) -> Loaded {
    let Loaded::Held(held) = &mut loaded else { return loaded };
    let mut room = Room::new();
    let mut kept = 0;
    for line in &mut held.lines {
        if room.bytes == 0 || kept == LINES {
            break;
        }
        let end = room.take(line.text.as_bytes());
        held.clipped |= end < line.text.len();
        line.text.truncate(end);
        kept += 1;
    }
    held.clipped |= kept < held.lines.len();
    held.lines.truncate(kept);
    held.changes.truncate(FINDINGS);
    loaded
}

/// The first findings of a record, and the one at a byte of the dataset.
pub(super) fn limit_findings(findings: &mut Vec<Finding>, at: Option<u64>) {
    let is_at =
        |finding: &Finding| at.is_some() && finding.location.bytes.as_ref().map(|bytes| bytes.start) == at;
    if let Some(beyond) = findings.get(FINDINGS..).and_then(|rest| rest.iter().position(is_at)) {
        findings.swap(FINDINGS - 1, FINDINGS + beyond);
    }
    findings.truncate(FINDINGS);
}

/// The number of bytes of a text that are shown.
pub(super) fn text_end(text: &[u8]) -> usize {
    Room::new().take(text)
}

#[cfg(test)]
mod tests {
    use evalcheck_report::view::{TextMark, TextMarkKind, Turn};

    use super::*;

    fn sample(turns: &[&[&str]]) -> Sample {
        let part = |text: &&str| Part::Text { text: (*text).to_owned(), clipped: false, marks: Vec::new() };
        let turn = |parts: &&[&str]| Turn {
            role: "user".to_owned(),
            path: String::new(),
            parts: parts.iter().map(part).collect(),
            ..Turn::default()
        };
        Sample { turns: turns.iter().map(turn).collect(), ..Sample::default() }
    }

    #[test]
    fn an_ordinary_conversation_is_shown_whole() {
        let ordinary = sample(&[&["Hi"], &[], &["a\nb", "c"]]);
        assert_eq!(limit(ordinary.clone()), ordinary);
    }

    #[test]
    fn parts_that_are_left_out_are_counted() {
        let many = vec![&["x"][..]; 1_000];
        let shown = limit(sample(&many));
        assert_eq!((shown.turns.len(), shown.omitted), (PARTS, 800));

        let empty = vec![&[][..]; 1_000];
        let shown = limit(sample(&empty));
        assert_eq!((shown.turns.len(), shown.omitted), (PARTS, 800));

        let parts = vec!["x"; 1_000];
        let shown = limit(sample(&[&parts, &["y"], &[]]));
        assert_eq!((shown.turns.len(), shown.turns[0].parts.len(), shown.omitted), (1, PARTS, 802));
    }

    #[test]
    fn results_that_are_json_are_indented_if_there_is_room() {
        let results = |texts: &[&str]| {
            let mut sample = sample(&[texts]);
            sample.turns[0].result_of.push("call_1".to_owned());
            sample
        };
        let json = Part::Json("{\n  \"a\": [\n    1\n  ]\n}".to_owned());
        let shown = limit(results(&["{\"a\": [1]}", "5", "[1"]));
        assert_eq!(
            shown.turns[0].parts,
            [vec![json], sample(&[&["5", "[1"]]).turns[0].parts.clone()].concat()
        );
        assert_eq!(limit(sample(&[&["[1]"]])), sample(&[&["[1]"]]), "it is no result");

        let numbers = format!("[{}]", vec!["1"; 2_000].join(","));
        let shown = limit(results(&[&numbers, &numbers, "x"]));
        assert_eq!((shown.turns[0].parts.len(), shown.omitted), (3, 0));
        assert!(matches!(&shown.turns[0].parts[..], [Part::Json(_), Part::Text { .. }, Part::Text { .. }]));
        let mut marked = results(&["[1]"]);
        if let Part::Text { marks, .. } = &mut marked.turns[0].parts[0] {
            marks.push(TextMark { start: 1, end: 2, kind: TextMarkKind::Answer });
        }
        assert_eq!(limit(marked.clone()), marked);
    }

    #[test]
    fn texts_are_clipped_by_bytes_and_by_lines() {
        let long = "ä".repeat(BYTES / 4);
        let shown = limit(sample(&[&[&long, &long], &[&long], &["x"]]));
        assert_eq!((shown.turns.len(), shown.omitted), (1, 2));
        assert_eq!(shown.turns[0].parts[1], Part::Text { text: long, clipped: false, marks: Vec::new() });

        let lines = "\n".repeat(LINES + 5);
        let shown = limit(sample(&[&[&lines], &["x"]]));
        assert_eq!(
            shown.turns[0].parts,
            [Part::Text { text: "\n".repeat(LINES), clipped: true, marks: Vec::new() }]
        );
        assert_eq!(shown.omitted, 1);

        assert_eq!(text_end("xä".repeat(BYTES).as_bytes()), BYTES);
        assert_eq!(text_end("ä".repeat(BYTES).as_bytes()) % 2, 0, "no character is cut");
    }
}
