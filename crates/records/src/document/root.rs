//! Decides whether the records are in lists of the document, or the document is the only record.

use std::ops::Range;

use evalcheck_json::tokens::{TokenKind, begins_with, significant};

use super::value::Waiting;
use super::{DocumentReader, State, WINDOW};
use crate::{ListPlace, MAX_RECORD, Visit};

/// A list decides only together with the keys in this many bytes: a key of the only record may follow the list.
const LOOK: usize = 64 << 10;

impl<V: Visit> DocumentReader<V> {
    /// Begins the object that the document is.
    pub(super) fn root_object(&mut self) -> bool {
        let single = self.lists.iter().enumerate().find_map(|(list, of)| match of.place {
            ListPlace::Single(keys) => Some((list, keys)),
            _ => None,
        });
        let Some((single, keys)) = single else { return self.take(State::Key { first: true }) };
        let may_have_lists = self.lists.iter().any(crate::List::is_in_object);
        match if may_have_lists { self.has_lists(keys) } else { Some(false) } {
            None => false,
            Some(true) => self.take(State::Key { first: true }),
            Some(false) => {
                self.state = State::Element { first: true };
                self.begin_list(single);
                true
            }
        }
    }

    /// Whether the object that begins here has lists of records; `None` if more bytes are needed. An object without a list in the longest
    /// record that is read is taken for a record.
    fn has_lists(&mut self, record_keys: &[&str]) -> Option<bool> {
        let held = self.rest().len();
        // The bytes are read again only when they have doubled.
        if !self.ended && held < self.value.next_look.min(MAX_RECORD) {
            return None;
        }
        self.value.next_look = held.saturating_mul(2);
        let is_all = self.ended || held >= MAX_RECORD;
        let found = has_lists(&self.rest()[..held.min(MAX_RECORD)], record_keys, is_all);
        if found.is_some() {
            self.value = Waiting::default();
        }
        found
    }

    /// Whether an object is the first element of the array that begins here; `None` if more bytes are needed.
    pub(super) fn begins_with_object(&self) -> Option<bool> {
        begins_list(self.rest(), self.ended)
    }
}

/// Whether an object has a list of objects under one of its keys, and none of the keys of a record. `None` if the beginning of the object
/// does not tell; with `is_all` it does. More bytes do not change the answer.
fn has_lists(object: &[u8], record_keys: &[&str], is_all: bool) -> Option<bool> {
    let mut has_list = false;
    let mut depth = 0_usize;
    let (mut text, mut is_value): (Option<Range<usize>>, bool) = (None, false);
    for token in significant(object) {
        if has_list && token.span.start >= LOOK {
            return Some(true);
        }
        match token.kind {
            TokenKind::String { content, .. } if depth == 1 => text = Some(content),
            TokenKind::Word if depth == 1 => text = Some(token.span),
            TokenKind::Punctuation(b':') if depth == 1 => {
                let key = text.take().and_then(|key| object.get(key));
                if record_keys.iter().any(|of_record| Some(of_record.as_bytes()) == key) {
                    return Some(false);
                }
                is_value = true;
                continue;
            }
            TokenKind::Punctuation(byte @ (b'{' | b'[')) => {
                if byte == b'[' && is_value {
                    has_list |= begins_list(&object[token.span.start..], is_all)?;
                }
                depth += 1;
            }
            TokenKind::Punctuation(b'}' | b']') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(has_list);
                }
            }
            _ => {}
        }
        is_value = false;
    }
    (is_all || has_list && object.len() >= LOOK).then_some(has_list)
}

/// Whether an array begins with an object; `None` if more bytes are needed.
fn begins_list(array: &[u8], is_all: bool) -> Option<bool> {
    let window = &array[..array.len().min(WINDOW)];
    let is_list = begins_with(window, b"[{");
    (is_list || is_all || array.len() >= WINDOW).then_some(is_list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(object: &str) -> Option<bool> {
        let whole = has_lists(object.as_bytes(), &["messages"], true);
        for end in 0..object.len() {
            let early = has_lists(&object.as_bytes()[..end], &["messages"], false);
            assert!(early.is_none() || early == whole, "{end} bytes of {object}");
        }
        whole
    }

    #[test]
    fn a_list_of_objects_holds_records() {
        assert_eq!(decide(r#"{"data":[{"id":1}]}"#), Some(true));
        assert_eq!(decide(r#"{'version': 1, "a": {"b": [{}]}, rows: [ {"#), Some(true));
        assert_eq!(decide(r#"{"a":"[{","b":[1,{}],"c":[],"d":[[{}]],"e":{"f":[{}]}}"#), Some(false));
        assert_eq!(decide(r#"{"data":[{"id":1}],"messages":[{}]}"#), Some(false));
        assert_eq!(decide(r#"{"data":[{"messages":[{}]}],"x":"messages"}"#), Some(true));
    }

    #[test]
    fn a_key_of_a_record_far_behind_a_list_does_not_count() {
        let long = "x".repeat(LOOK);
        let list = format!(r#"{{"data":[{{"text":"{long}"}}],"messages":[]}}"#);
        assert_eq!(has_lists(list.as_bytes(), &["messages"], true), Some(true));
        assert_eq!(has_lists(&list.as_bytes()[..LOOK], &["messages"], false), Some(true));
        let record = format!(r#"{{"text":"{long}","messages":[{{}}]}}"#);
        assert_eq!(has_lists(record.as_bytes(), &["messages"], true), Some(false));
        assert_eq!(has_lists(&record.as_bytes()[..LOOK], &["messages"], false), None);
    }
}
