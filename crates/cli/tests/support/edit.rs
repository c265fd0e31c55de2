//! Performs the edit that a hint describes.

use std::ops::Range;

use evalcheck_engine::diagnose::{self, Kind, Member, Value};
use evalcheck_report::Finding;

/// The bytes after the edit; `None` for a hint that leaves a choice to the user.
pub(crate) fn as_the_hint_says(finding: &Finding, bytes: &[u8]) -> Option<Vec<u8>> {
    let hint = finding.hint.as_deref()?;
    let span = usize::try_from(finding.byte_start?).ok()?..usize::try_from(finding.byte_end?).ok()?;
    let found = bytes.get(span.clone())?;
    let write = |span: Range<usize>, text: &str| {
        Some([&bytes[..span.start], text.as_bytes(), &bytes[span.end..]].concat())
    };
    let text = || std::str::from_utf8(found).ok();
    match hint {
        "Delete the comma." | "Delete the character; a line break is LF or CR LF, after a record." => {
            return write(span, "");
        }
        "Remove every NUL of the text." => {
            return Some(std::str::from_utf8(bytes).ok()?.replace("\\u0000", "").into_bytes());
        }
        "Delete the comment." => return write(span.start..end_of_comment(bytes, span.start), ""),
        "Put a comma between the two." => return write(span.start..span.start, ","),
        "Put the value in double quotes." | "Write the value as a string in double quotes." => {
            return write(span, &format!("\"{}\"", text()?));
        }
        "Wrap the object in an array: [ ... ]." => return write(span, &format!("[{}]", text()?)),
        "Write the number without quotes." | "Write true without quotes." | "Write false without quotes." => {
            return write(span, text()?.trim_matches('"'));
        }
        "Write a whole number." => return write(span, "1"),
        "Write an object." => return write(span, "{}"),
        "Write keys in double quotes." => return write(span, &format!("\"{}\"", text()?)),
        _ => {}
    }
    if hint.starts_with("Write null") {
        return write(span, "null");
    }
    if hint.starts_with("Delete the three bytes EF BB BF; they") && found.starts_with(b"\xef\xbb\xbf") {
        return write(span.start..span.start + 3, "");
    }
    if hint.starts_with("Delete the character. Outside") {
        return write(span, "");
    }
    if hint.contains("or remove the three bytes: tail -c +4") {
        return write(0..3, "");
    }
    if let Some(escape) = hint.strip_prefix("Write it as \\") {
        return write(span, &format!("\\{}", escape.trim_end_matches('.')));
    }
    if hint.starts_with("Write it as a string, or")
        || hint.starts_with("Write ids and other exact numbers as strings")
    {
        return write(span, &format!("\"{}\"", text()?));
    }
    if let Some(empty) =
        ["[]", "{}"].into_iter().find(|empty| hint.starts_with(&format!("Write {empty}, or")))
    {
        return write(span, empty);
    }
    if let Some(value) = hint.strip_prefix("Put the value in double quotes: ") {
        return write(span, value.strip_suffix('.')?);
    }
    if let Some(least) = hint.strip_prefix("Write a number of at least ") {
        return write(span, least.strip_suffix('.')?);
    }
    if let Some((_, example)) = hint
        .split_once(", such as ")
        .filter(|_| hint.starts_with("Write ") || hint.starts_with("Leave the key out, or write"))
    {
        return write(span, example.strip_suffix('.')?);
    }
    let value = hint.strip_prefix("Did you mean \"").and_then(|rest| rest.strip_suffix("\"?"));
    let value = value.or_else(|| hint.strip_prefix("Write \"").and_then(|rest| rest.strip_suffix("\".")));
    if let Some(value) =
        value.filter(|_| ["shape/invalid-enum-value", "shape/unknown-variant"].contains(&&*finding.code))
    {
        return write(span, &format!("\"{value}\""));
    }
    if let Some(value) = hint.strip_suffix(": write that here.") {
        return write(span, &format!("\"{}\"", value.split('"').nth(1)?));
    }
    if let Some(values) = hint.strip_prefix("Use one of ").or_else(|| hint.strip_prefix("Write one of ")) {
        let first = values.split('\'').nth(1)?;
        return write(span, &format!("\"{first}\""));
    }
    let metadata =
        hint.split_once(" metadata line before it: ").or_else(|| hint.split_once(" with a metadata line: "));
    if let Some((what, line)) = metadata {
        let start = bytes[..span.start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let lines = bytes[start..].split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        let line = line.strip_suffix(", with the number of samples as N.")?;
        if what == "Replace the line" {
            return write(span, &line.replace(":N,", &format!(":{},", lines.count() - 1)));
        }
        return write(start..start, &format!("{}\n", line.replace(":N,", &format!(":{},", lines.count()))));
    }
    if let Some(count) =
        hint.strip_prefix("Write ").and_then(|rest| rest.split([',', '.']).next()?.parse::<u64>().ok())
    {
        return write(span, &count.to_string());
    }
    if hint == "Write the element itself, without the array around it." {
        let Kind::Array(elements) = diagnose::parse(found).ok()?.value.kind else { return None };
        return write(span, std::str::from_utf8(&found[elements.first()?.span.clone()]).ok()?);
    }
    in_object(hint, finding, bytes, span)
}

/// Edits the members of an object.
fn in_object(hint: &str, finding: &Finding, bytes: &[u8], span: Range<usize>) -> Option<Vec<u8>> {
    let (record, at) = record_around(bytes, span.start)?;
    let parsed = diagnose::parse(&bytes[record.clone()]).ok()?;
    let members = object_around(&parsed.value, span.start - at, finding)?;
    let shifted = |span: &Range<usize>| at + span.start..at + span.end;
    let write = |span: Range<usize>, text: &str| {
        Some([&bytes[..span.start], text.as_bytes(), &bytes[span.end..]].concat())
    };
    let quoted = |text: &str| text.split('"').nth(1).map(str::to_owned);
    let named = |key: &str| members.iter().find(|member| member.key == key);
    if let Some(addition) = hint.strip_prefix("Add \"").filter(|addition| addition.contains("\": ")) {
        let member = format!("\"{}", addition.strip_suffix('.')?);
        let (first, comma) = (members.first(), if members.is_empty() { "" } else { "," });
        let open = first.map_or(span.start + 1, |first| at + first.key_span.start);
        return write(open..open, &format!("{member}{comma}"));
    }
    let rename = hint.strip_prefix("There is a key \"");
    // If two keys may hold the value, the user chooses.
    let guess =
        || hint.strip_prefix("If \"").filter(|rest| !rest.contains("\" or \"") && !rest.contains("move it"));
    if let Some(rest) = rename.or_else(guess) {
        let (old, new) = (rest.split('"').next()?, quoted(rest.split_once("rename it to ")?.1)?);
        return write(shifted(&named(old)?.key_span), &format!("\"{new}\""));
    }
    if let Some(rest) = hint.strip_prefix("In place of \"") {
        let (old, new) = rest.split_once("\", write ")?;
        let member = named(old)?;
        return write(at + member.key_span.start..at + member.value.span.end, new.strip_suffix('.')?);
    }
    if let Some(rest) = hint
        .strip_prefix("Rename it to ")
        .filter(|rest| finding.code.starts_with("evret/") && !rest.contains(", "))
    {
        let member = members
            .iter()
            .find(|member| shifted(&member.key_span) == span || shifted(&member.value.span) == span)?;
        return write(shifted(&member.key_span), rest.strip_suffix('.')?);
    }
    if hint.starts_with("Delete the key") {
        let index = members
            .iter()
            .position(|member| shifted(&member.key_span) == span || shifted(&member.value.span) == span)?;
        let from = if index > 0 { members[index - 1].value.span.end } else { members[0].key_span.start };
        let until = if index > 0 || members.len() == 1 {
            members[index].value.span.end
        } else {
            members[1].key_span.start
        };
        return write(at + from..at + until, "");
    }
    None
}

/// The record around an offset: the line, or the whole document; and its start.
fn record_around(bytes: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    let start = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let end = bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |newline| at + newline);
    if diagnose::parse(&bytes[start..end]).is_ok() {
        return Some((start..end, start));
    }
    diagnose::parse(bytes).is_ok().then_some((0..bytes.len(), 0))
}

/// The members of the object that a finding is about: the one at its path without the last key.
fn object_around<'v, 'a>(root: &'v Value<'a>, offset: usize, finding: &Finding) -> Option<&'v [Member<'a>]> {
    let key = finding.path.as_deref()?.rsplit('.').next()?;
    let mut found = None;
    let mut value = root;
    loop {
        let inner = match &value.kind {
            Kind::Object(members) => {
                let is_meant = finding.code.starts_with("shape/missing-key")
                    || members.iter().any(|member| member.key == key);
                found = if is_meant { Some(members.as_slice()) } else { found };
                members
                    .iter()
                    .map(|member| (&member.value, member.key_span.start..member.value.span.end))
                    .find(|(_, span)| span.contains(&offset))
            }
            Kind::Array(elements) => elements
                .iter()
                .map(|element| (element, element.span.clone()))
                .find(|(_, span)| span.contains(&offset)),
            _ => None,
        };
        match inner {
            Some((inner, _)) => value = inner,
            None => return found,
        }
    }
}

/// The end of the comment that begins at an offset.
fn end_of_comment(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    if rest.starts_with(b"/*") {
        return rest.windows(2).position(|pair| pair == b"*/").map_or(bytes.len(), |end| at + end + 2);
    }
    rest.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| at + end)
}
