//! Completions at the caret of a record that is edited: keys and values that its schema names.

use std::ops::Range;

use evalcheck_core::order::Order;
use evalcheck_report::view::{Completion, Completions};

use super::indented::tokens;
use super::mark;
use crate::schema::{Object, Properties, Schema, UnknownKeys};

/// The maximum number of completions listed at once.
const MOST: usize = 40;

/// A token of the text, and its byte range.
struct Token<'t> {
    text: &'t str,
    span: Range<usize>,
}

impl Token<'_> {
    fn is_sign(&self) -> bool {
        matches!(self.text, "{" | "}" | "[" | "]" | ":" | ",")
    }

    /// Whether it is a string that is not closed.
    fn is_open(&self) -> bool {
        let inner = self.text.strip_prefix('"');
        inner.is_some_and(|inner| {
            let escapes = inner.trim_end_matches('"').bytes().rev().take_while(|byte| *byte == b'\\').count();
            !inner.ends_with('"') || escapes % 2 == 1
        })
    }
}

/// An object or an array of the text, which may be cut off, or have mistakes elsewhere.
struct Container<'t> {
    parent: Option<usize>,
    is_object: bool,
    /// The members of an object: the span of the key, the key, and the first token of its value.
    members: Vec<(Range<usize>, &'t str, Option<&'t str>)>,
    /// The index of the member of its parent whose value this container is.
    of_member: usize,
    next: Next,
}

/// The token that a container expects next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Key,
    Colon,
    Value,
    Comma,
}

/// The part of the record that is written at the caret.
struct Place<'t> {
    /// The container; `None` for the record itself.
    container: Option<usize>,
    /// The key of the value; `None` for an element, and if a key is written.
    key: Option<&'t str>,
    is_key: bool,
    /// The span of the token that is replaced; empty without one.
    span: Range<usize>,
    /// Whether a colon follows.
    has_colon: bool,
}

/// The completions by the schema of a record at a caret, a byte offset of the text. `None` if there are none.
pub(super) fn completions(text: &str, caret: usize, root: &'static Schema) -> Option<Completions> {
    let (containers, place) = read(text, caret)?;
    let container = place.container.map(|at| &containers[at]);
    let schemas = match place.container {
        Some(at) => of_container(&containers, at, root),
        None => vec![root],
    };
    let written = unquoted(text.get(place.span.clone())?);
    let typed = unquoted(text.get(place.span.start..caret)?);
    let mut items = Vec::new();
    let mut add = |name: &str, json: String, help: &str| {
        let is_done = name == written && (!place.is_key || place.has_colon);
        if name.starts_with(typed) && !is_done && !items.iter().any(|item: &Completion| item.text == json) {
            items.push(Completion { text: json, help: help.to_owned() });
        }
    };
    match container {
        Some(container) if place.is_key => {
            let has =
                |key: &str| container.members.iter().any(|(at, other, _)| *other == key && *at != place.span);
            let sets = schemas.iter().flat_map(|schema| sets(schema, container));
            let mut fields: Vec<_> =
                sets.flat_map(|set| set.fields).filter(|field| !has(field.key)).collect();
            fields.order_by_key(|field| !field.required);
            for field in fields {
                let end = if place.has_colon { "" } else { ": " };
                add(field.key, format!("{}{end}", quoted(field.key)), field.schema.doc);
            }
        }
        _ => {
            for tag in schemas.iter().flat_map(|schema| tags(schema, place.key)) {
                add(tag, quoted(tag), "");
            }
            let of_value = |schema: &&'static Schema| match container {
                Some(container) => children(schema, container, place.key),
                None => vec![*schema],
            };
            for schema in schemas.iter().flat_map(of_value) {
                add_values(schema, &mut add);
            }
        }
    }
    items.truncate(MOST);
    let replaced = mark(text, &place.span)?;
    (!items.is_empty()).then_some(Completions { replaced, items })
}

/// The tokens of a text. A string that is not closed ends at the caret if that is in it, or with its line, so that the rest is read.
fn lex(text: &str, caret: usize) -> Vec<Token<'_>> {
    let mut all = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        let end = start + line.len();
        let mut at = start;
        while at < end {
            let mut goes_on = end;
            for token in tokens(&text[at..end]).0 {
                at += token.space.len();
                let mut token = Token { text: token.text, span: at..at + token.text.len() };
                if token.is_open() && token.span.start < caret && caret < token.span.end {
                    token = Token { text: &text[at..caret], span: at..caret };
                    goes_on = caret;
                }
                at = token.span.end;
                all.push(token);
            }
            at = goes_on;
        }
        start = end + 1;
    }
    all
}

/// The containers of a text, and the place of the caret in them. `None` if neither a key nor a value can be written.
fn read(text: &str, caret: usize) -> Option<(Vec<Container<'_>>, Place<'_>)> {
    let tokens = lex(text, caret);
    let is_here =
        |token: &Token<'_>| token.span.start >= caret || (!token.is_sign() && token.span.end >= caret);
    let number = tokens.iter().position(is_here).unwrap_or(tokens.len());
    let at_caret = tokens.get(number).filter(|token| token.span.start <= caret && !token.is_sign());
    let span = at_caret.map_or(caret..caret, |token| token.span.clone());
    let after = tokens.get(number + usize::from(at_caret.is_some()));
    let has_colon = after.is_some_and(|token| token.text == ":");
    let mut containers: Vec<Container<'_>> = Vec::new();
    let (mut open, mut place) = (None::<usize>, None::<Place<'_>>);
    for index in 0..=tokens.len() {
        if index == number {
            let next = open.map_or(Next::Value, |open: usize| containers[open].next);
            if !matches!(next, Next::Key | Next::Value) {
                return None;
            }
            let is_key = next == Next::Key;
            let member = open.filter(|_| !is_key).and_then(|open| containers[open].members.last());
            let key = member.map(|(_, key, _)| *key);
            place = Some(Place { container: open, key, is_key, span: span.clone(), has_colon });
        }
        if let Some(token) = tokens.get(index) {
            take(&mut containers, &mut open, token);
        }
    }
    Some((containers, place?))
}

/// Reads a token: it opens or closes a container, or is part of a member or an element.
fn take<'t>(containers: &mut Vec<Container<'t>>, open: &mut Option<usize>, token: &Token<'t>) {
    let opens = matches!(token.text, "{" | "[");
    if let Some(container) = open.map(|open| &mut containers[open]) {
        match token.text {
            "," => container.next = if container.is_object { Next::Key } else { Next::Value },
            ":" => container.next = Next::Value,
            "}" | "]" => *open = container.parent,
            text if container.next == Next::Key && !opens => {
                container.members.push((token.span.clone(), unquoted(text), None));
                container.next = Next::Colon;
            }
            text => {
                container.next = Next::Comma;
                if let Some((_, _, value)) = container.members.last_mut() {
                    *value = value.or(Some(text));
                }
            }
        }
    }
    if opens {
        let parent = *open;
        let of_member = parent.map_or(0, |parent| containers[parent].members.len().saturating_sub(1));
        let is_object = token.text == "{";
        let next = if is_object { Next::Key } else { Next::Value };
        containers.push(Container { parent, is_object, members: Vec::new(), of_member, next });
        *open = Some(containers.len() - 1);
    }
}

/// The schemas that a container may have to follow.
fn of_container(containers: &[Container<'_>], at: usize, root: &'static Schema) -> Vec<&'static Schema> {
    let Some(parent) = containers[at].parent else { return vec![root] };
    let key = containers[parent].members.get(containers[at].of_member).map(|(_, key, _)| *key);
    let around = of_container(containers, parent, root);
    around.into_iter().flat_map(|schema| children(schema, &containers[parent], key)).collect()
}

/// The schemas of a member of an object, or of the elements of an array.
fn children(schema: &'static Schema, container: &Container<'_>, key: Option<&str>) -> Vec<&'static Schema> {
    if !container.is_object {
        return schema.array.iter().map(|array| array.items).collect();
    }
    let Some(key) = key else { return Vec::new() };
    let of_set = |set: &'static Properties| match (set.position(key.as_bytes()), &set.others) {
        (Some(at), _) => Some(set.fields[at].schema),
        (None, UnknownKeys::Each(schema)) => Some(*schema),
        (None, _) => None,
    };
    sets(schema, container).into_iter().filter_map(of_set).collect()
}

/// The sets of fields that an object may have: one if the value of its tag or the key of a set is written.
fn sets(schema: &'static Schema, container: &Container<'_>) -> Vec<&'static Properties> {
    let Some(object) = &schema.object else { return Vec::new() };
    if let Object::Tagged { key, variants } = object
        && let Some((_, _, Some(value))) = container.members.iter().find(|(_, member, _)| member == key)
        && let Some((_, set)) = variants.iter().find(|(name, _)| *name == unquoted(value))
    {
        return vec![set];
    }
    let has = |key: &str| container.members.iter().any(|(_, member, _)| *member == key);
    if let Object::Keyed(sets) = object
        && sets.iter().any(|(key, _)| has(key))
    {
        return vec![Object::keyed_set(sets, has)];
    }
    object.sets().collect()
}

/// The values of a key that selects the set of fields of an object.
fn tags(schema: &'static Schema, key: Option<&str>) -> Vec<&'static str> {
    match &schema.object {
        Some(Object::Tagged { key: tag, variants }) if key == Some(*tag) => {
            variants.iter().map(|(name, _)| *name).collect()
        }
        _ => Vec::new(),
    }
}

/// Adds the values that a schema names.
fn add_values(schema: &'static Schema, add: &mut impl FnMut(&str, String, &str)) {
    for value in schema.string.iter().flat_map(|text| text.values) {
        add(value, quoted(value), "");
    }
    // A schema that accepts anything names nothing.
    if schema.types() != crate::schema::ANY.types() {
        for (word, is_accepted) in
            [("true", schema.boolean), ("false", schema.boolean), ("null", schema.null)]
        {
            if is_accepted {
                add(word, word.to_owned(), "");
            }
        }
    }
}

/// A token without quotes. Keys and values of schemas have no escapes.
fn unquoted(token: &str) -> &str {
    let inner = token.strip_prefix('"').unwrap_or(token);
    inner.strip_suffix('"').unwrap_or(inner)
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats;

    /// The completions in a record of a format at `|`, and the record with the first of them.
    fn offered(format: &str, text: &str) -> (Vec<String>, Option<String>) {
        let format = formats::by_id(format).unwrap();
        let caret = text.find('|').unwrap();
        let text = text.replace('|', "");
        let Some(found) = completions(&text, caret, format.variants[0].schema) else {
            return (Vec::new(), None);
        };
        let byte = |units: u64| {
            let units = text.encode_utf16().take(usize::try_from(units).unwrap()).collect::<Vec<_>>();
            String::from_utf16(&units).unwrap().len()
        };
        let (start, end) = (byte(found.replaced.start_utf16), byte(found.replaced.end_utf16));
        let first = &found.items[0].text;
        let made = [&text[..start], first, &text[end..]].concat();
        (found.items.into_iter().map(|item| item.text).collect(), Some(made))
    }

    #[test]
    fn keys_that_are_missing_are_offered_required_ones_first() {
        let (keys, _) = offered("juryarena", "{|}");
        assert_eq!(keys[0], "\"input\": ");
        let (keys, made) = offered("juryarena", "{\"usage_output\": null, \"in|\n}");
        assert_eq!(keys, ["\"input\": "]);
        assert_eq!(made.unwrap(), "{\"usage_output\": null, \"input\": \n}");
        let (keys, _) = offered("juryarena", "{\"input\": {\"messages\": []}, |}");
        assert!(!keys.contains(&"\"input\": ".to_owned()), "{keys:?}");
        let (_, made) = offered("juryarena", "{ü: \"ü\", \"in|x\": 1}");
        assert_eq!(made.unwrap(), "{ü: \"ü\", \"input\": 1}");
        let (_, made) = offered("juryarena", "{\"ü\": \"ü\", in| : {}}");
        assert_eq!(made.unwrap(), "{\"ü\": \"ü\", \"input\" : {}}");
    }

    #[test]
    fn values_are_those_of_the_key() {
        let record =
            |role: &str| format!("{{\"input\":{{\"messages\":[{{\"content\":\"é\",\"role\":{role}}}]}}}}");
        let (roles, made) = offered("juryarena", &record("|"));
        assert!(roles.contains(&"\"assistant\"".to_owned()), "{roles:?}");
        assert_eq!(made.unwrap(), record(&roles[0]));
        let (roles, made) = offered("juryarena", &record("\"as|"));
        assert_eq!(roles, ["\"assistant\""]);
        assert_eq!(made.unwrap(), record("\"assistant\""), "a string that was not closed");
        let (roles, _) = offered("juryarena", &record("\"assistant|\""));
        assert!(roles.is_empty(), "what is written already: {roles:?}");
    }

    #[test]
    fn nothing_is_offered_where_nothing_is_named() {
        for text in [
            "{\"input\":1 |}",
            "|",
            "{} |",
            "[|]",
            "{\"x\":|}",
            "\"|",
            "}|",
            "{\"input\":{\"messages\":[{\"content\":|}]}}",
        ] {
            let (offered, _) = offered("juryarena", text);
            let is_none = offered.is_empty() || text.contains("content");
            assert!(is_none && !offered.contains(&"\"user\"".to_owned()), "{text}: {offered:?}");
        }
    }

    #[test]
    fn a_text_cut_anywhere_is_read() {
        for format in formats::FORMATS {
            for variant in format.variants {
                let text = "{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\"}]}],\"é\\\"\":[1,[]]}}\n";
                for (end, _) in text.char_indices() {
                    for (caret, _) in text[..end].char_indices() {
                        completions(&text[..end], caret, variant.schema);
                    }
                }
            }
        }
    }
}
