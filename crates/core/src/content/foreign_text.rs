//! Texts that are not datasets, by their first lines.

use memchr::memmem;

/// The kind of a text that is not a dataset, as the end of a sentence that begins with "this is", and what to do. `None` for any other text.
pub(super) fn foreign_text(head: &[u8]) -> Option<(&'static str, &'static str)> {
    // The first lines of JSON Lines may be long.
    if head.trim_ascii_start().starts_with(b"{") {
        return None;
    }
    let lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let lines: Vec<&[u8]> = lines.take(3).collect();
    let found = KINDS.iter().find(|kind| lines.len() >= kind.lines && (kind.is)(&lines))?;
    Some((found.what, found.advice))
}

/// A kind of text.
struct Kind {
    what: &'static str,
    advice: &'static str,
    /// The number of lines it needs, at most three.
    lines: usize,
    /// Whether these first lines, none of them blank, are of this kind.
    is: fn(&[&[u8]]) -> bool,
}

const TO_LINES: &str = "Convert it to JSON Lines, one JSON object a line.";

static KINDS: [Kind; 9] = [
    Kind {
        what: "a log",
        advice: "The messages of a program were written to this file: choose the file with the records that the program writes.",
        lines: 2,
        is: |lines| lines.iter().take(2).all(|line| is_log_message(line)),
    },
    Kind {
        what: "an error message of a server",
        advice: "It was saved in place of the file. Download the file itself and check that.",
        lines: 1,
        is: |lines| matches!(lines, [b"404: Not Found" | b"Not Found" | b"Internal Server Error"]),
    },
    Kind {
        what: "the answer of a server with its headers",
        advice: "Save only what follows the headers.",
        lines: 2,
        is: |lines| lines[0].starts_with(b"HTTP/") && is_header(lines[1]),
    },
    Kind {
        what: "an e-mail message",
        advice: "Save the file that is attached to it, and check that.",
        lines: 2,
        is: |lines| {
            let names = [
                &b"From:"[..],
                b"To:",
                b"Subject:",
                b"Received:",
                b"Return-Path:",
                b"Delivered-To:",
                b"MIME-Version:",
            ];
            names.iter().any(|name| lines[0].starts_with(name)) && is_header(lines[1])
        },
    },
    Kind {
        what: "a diff",
        advice: "Apply it to the file that it was made of, and check that.",
        lines: 2,
        is: |lines| {
            lines[0].starts_with(b"diff --git ")
                || lines[0].starts_with(b"--- ") && lines[1].starts_with(b"+++ ")
        },
    },
    Kind {
        what: "a Markdown table",
        advice: "Write its rows as JSON Lines, or as a CSV if the system reads CSV.",
        lines: 2,
        is: |lines| {
            let is_rule = |line: &[u8]| line.iter().all(|byte| b"|-: ".contains(byte));
            lines[0].contains(&b'|')
                && lines[1].contains(&b'|')
                && lines[1].contains(&b'-')
                && is_rule(lines[1])
        },
    },
    Kind {
        what: "a table as a database prints it",
        advice: "Export the table as CSV or as JSON Lines.",
        lines: 2,
        is: |lines| {
            let is_rule =
                |line: &[u8]| line.starts_with(b"+-") && line.iter().all(|byte| b"+-".contains(byte));
            is_rule(lines[0]) && lines[1].starts_with(b"|")
        },
    },
    Kind {
        what: "a file of TREC (qrels or a run)",
        advice: "They have no texts: check the dataset with the queries, and add the documents of each query there.",
        lines: 2,
        is: |lines| {
            let is_row = |line: &&[u8]| {
                let cells: Vec<&[u8]> =
                    line.split(u8::is_ascii_whitespace).filter(|cell| !cell.is_empty()).collect();
                let is_number = |text: &[u8]| text.iter().all(u8::is_ascii_digit);
                matches!(cells[..], [_, b"0", _, grade] if is_number(grade))
                    || matches!(cells[..], [_, b"Q0", _, rank, _, _] if is_number(rank))
            };
            lines.iter().all(is_row)
        },
    },
    Kind {
        what: "YAML",
        advice: TO_LINES,
        lines: 2,
        is: |lines| {
            let lines: Vec<&[u8]> = lines.iter().copied().filter(|line| *line != b"---").collect();
            let is_entry = |line: &&[u8]| {
                // A record follows the name in a stream of events.
                let line = line.strip_prefix(b"- ").unwrap_or(line);
                let has_record = line.contains(&b'{');
                let name =
                    line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
                !has_record && name > 0 && (line[name..] == *b":" || line[name..].starts_with(b": "))
            };
            lines.len() > 1 && lines.iter().all(is_entry)
        },
    },
];

/// Whether a line is a header of a message: a name and a colon.
fn is_header(line: &[u8]) -> bool {
    let name = line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
    name > 0 && line[name..].starts_with(b":")
}

/// Whether a line begins with a timestamp and has a level, and no record.
fn is_log_message(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"[").unwrap_or(line);
    let is_at = |byte: u8, form: u8| if form == b'0' { byte.is_ascii_digit() } else { byte == form };
    let of_date = |form: &[u8]| line.iter().zip(form).all(|(byte, form)| is_at(*byte, *form));
    let is_instant = line.len() > 19 && (of_date(b"0000-00-00 00:00:00") || of_date(b"0000-00-00T00:00:00"));
    let levels = [&b"DEBUG"[..], b"INFO", b"WARN", b"ERROR", b"CRITICAL"];
    let has_level = levels.iter().any(|level| memmem::find(line, level).is_some());
    is_instant && has_level && memmem::find(line, b"{\"").is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> Option<&'static str> {
        foreign_text(text.as_bytes()).map(|(what, _)| what)
    }

    #[test]
    fn texts_are_told_by_their_first_lines() {
        assert_eq!(kind("| a | b |\n|---|:-:|\n| 1 | 2 |\n"), Some("a Markdown table"));
        assert_eq!(kind("+---+---+\n| a | b |\n+---+---+\n"), Some("a table as a database prints it"));
        assert_eq!(kind("q1 0 d1 1\nq1\t0\td2\t0\n"), Some("a file of TREC (qrels or a run)"));
        assert_eq!(kind("- input:\n  messages: []\n"), Some("YAML"));
        assert_eq!(kind("---\nprompt: a\nanswer: b\n"), Some("YAML"));
        assert_eq!(kind("From: a@b\nSubject: x\n\n{}\n"), Some("an e-mail message"));
        assert_eq!(kind("--- a\n+++ b\n@@ -1 +1 @@\n-{}\n"), Some("a diff"));
        assert_eq!(kind("404: Not Found"), Some("an error message of a server"));
    }

    #[test]
    fn datasets_are_not_told_as_other_texts() {
        for dataset in [
            "{\"a\": 1}\n{\"a\": 2}\n",
            "a|b\n1|2\n",
            "a,b\n---,1\n",
            "query_text,expected_answers\nWhen: now,Question: what\n",
            "question\nWhat is 1 0 2 3\n",
            "a: 1\n{}\n",
            "data: {\"a\": 1}\ndata: {\"a\": 2}\n",
            "404: Not Found\n{}\n",
            "2026-01-01 00:00:00 INFO {\"a\": 1}\n2026-01-01 00:00:00 INFO {\"a\": 1}\n",
        ] {
            assert_eq!(kind(dataset), None, "{dataset}");
        }
    }
}
