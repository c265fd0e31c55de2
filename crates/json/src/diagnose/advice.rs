//! Hints for values and keys that a schema does not accept: what to write, with an example from the schema, and with the content
//! that is there where it can be kept.

use std::fmt;

use super::Texts;
use super::check::fits;
use super::fix::{self, RecordFix};
use super::value::{Kind, Member, Value};
use crate::schema::{Array, Object, Properties, Property, Schema};
use evalcheck_core::excerpt::clip;
use evalcheck_core::suggest::{contradict, is_same_word, is_slip, nearest};

/// Keys under which systems have the turns of a conversation. They are one thing where the value has the shape of it.
const TRANSCRIPT: &[&str] =
    &["messages", "interactions", "conversation", "conversations", "turns", "dialog", "dialogue", "chat"];

/// Keys and values under which other systems, and people, write similar content.
const SYNONYMS: &[&[&str]] = &[
    TRANSCRIPT,
    &["prompt", "question", "query", "query_text", "input", "instruction", "text", "content", "messages"],
    &[
        "answer",
        "reference",
        "target",
        "ground_truth",
        "ref_answer",
        "expected",
        "expected_answers",
        "gold",
        "label",
    ],
    &["response", "completion", "output", "answer", "generation"],
    &["id", "_id", "sample_id", "query_id", "doc_id", "uid", "uuid"],
    &["role", "from", "speaker"],
    &["content", "value", "text"],
    &["model", "model_name", "model_id"],
    &["user", "human", "customer"],
    &["assistant", "gpt", "bot", "model", "ai", "chatbot"],
    &["system", "developer"],
];

/// The longest example that a hint contains, in characters.
const LONGEST_EXAMPLE: usize = 200;

/// The longest text of the dataset in an example, in characters.
const LONGEST_TEXT: usize = 40;

/// Unknown keys among which content for a missing key is looked for. An object with more is not a record written for
/// another system.
const MOST_UNKNOWN: usize = 16;

/// What to do about a missing key. The usual advice is a text only when it is shown: of a million records without a key a
/// few are listed.
#[derive(Debug, Clone)]
pub enum Advice {
    /// In words.
    Text(String),
    /// To add the key, with an example of its value.
    Add {
        /// The key.
        key: &'static str,
        /// What its value has to be.
        schema: &'static Schema,
    },
}

impl Advice {
    /// The same, where texts are written. What is only to be added is known in any case.
    pub(super) fn written(&self, texts: Texts) -> Self {
        match self {
            Self::Text(text) => Self::Text(texts.of(|| text.clone())),
            Self::Add { .. } => self.clone(),
        }
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Add { key, schema } => write!(f, "Add {}.", pair(key, schema, None)),
        }
    }
}

impl PartialEq for Advice {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl From<String> for Advice {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// A missing key, and what may hold its content.
pub(super) struct Missing<'m, 'a> {
    pub(super) advice: Advice,
    /// The unknown keys that hold the content. The advice says what to do with them.
    pub(super) holders: Vec<&'m Member<'a>>,
    pub(super) fix: Option<RecordFix>,
}

/// What is known of an unknown key.
pub(super) struct Unknown {
    pub(super) advice: Option<String>,
    /// The key that was meant.
    pub(super) meant: Option<&'static Property>,
}

/// The hint for a missing key of an object with these members.
pub(super) fn missing<'m, 'a>(
    members: &'m [Member<'a>],
    fields: &Properties,
    key: &'static str,
    schema: &'static Schema,
    record: &[u8],
) -> Missing<'m, 'a> {
    if members.is_empty() {
        return Missing { advice: Advice::Add { key, schema }, holders: Vec::new(), fix: None };
    }
    let is_unknown =
        |member: &&Member<'_>| !member.shadowed && fields.position(member.key.as_bytes()).is_none();
    let unknown: Vec<&Member<'_>> = members.iter().filter(is_unknown).take(MOST_UNKNOWN).collect();
    if unknown.is_empty() {
        return Missing { advice: Advice::Add { key, schema }, holders: Vec::new(), fix: None };
    }
    let one = |advice: String, holder, fix| Missing { advice: advice.into(), holders: vec![holder], fix };
    // The content is one level too high: keys of the missing object stand beside it.
    if let Some(Object::Properties(inner)) = &schema.object {
        let of_inner = |member: &&&Member<'_>| inner.position(member.key.as_bytes()).is_some();
        let holders: Vec<&Member<'_>> = unknown.iter().filter(of_inner).copied().collect();
        let has = |wanted: &str| holders.iter().any(|member| member.key == wanted);
        if !holders.is_empty() && inner.fields.iter().all(|field| !field.required || has(field.key)) {
            let keys: Vec<String> = holders.iter().map(|member| format!("\"{}\"", member.key)).collect();
            let shown: Vec<String> = keys.iter().map(|key| format!("{key}: ...")).collect();
            let advice = format!("Move {} into it: \"{key}\": {{{}}}.", keys.join(" and "), shown.join(", "));
            let fix = fix::schema::move_into(members, &holders, key, inner, record);
            return Missing { advice: advice.into(), holders, fix };
        }
    }
    // One level too deep.
    let is_inside = |holder: &&&Member<'_>| holder.value.get(key).is_some_and(|inner| fits(inner, schema));
    let around: Vec<&Member<'_>> = unknown.iter().filter(is_inside).copied().collect();
    match around[..] {
        [] => {}
        [holder] => {
            let advice = format!(
                "It is inside \"{}\": move \"{key}\" out of it, one level up.",
                clip(&holder.key, 80)
            );
            return one(advice, holder, fix::schema::move_out(holder, key, record));
        }
        [first, second, ..] => {
            let advice = format!(
                "It is inside \"{}\" and \"{}\": move the one that is meant out, one level up.",
                clip(&first.key, 80),
                clip(&second.key, 80)
            );
            return Missing { advice: advice.into(), holders: around, fix: None };
        }
    }
    let mut named: Vec<&Member<'_>> =
        unknown.iter().filter(|member| may_be_meant(&member.key, key)).copied().collect();
    // The likeliest first: a certain name, one of nearly the same spelling, one of the same meaning.
    let is_meant = |member: &Member<'_>| {
        let is_transcript = [key, &member.key].iter().all(|name| TRANSCRIPT.contains(name));
        let is_one = is_same_word(&member.key, key) || is_slip(&member.key, key);
        is_one || (is_transcript && is_telling(schema) && fits(&member.value, schema))
    };
    named.sort_by_key(|member| (!is_meant(member), nearest(&member.key, std::iter::once(key)).is_none()));
    if let [holder, ref others @ ..] = named[..] {
        let name = clip(&holder.key, 80);
        let is_certain = is_meant(holder) && others.is_empty();
        // What else is wrong in the value is said of it under its new name.
        return if !schema.types().contains(holder.value.types()) {
            one(
                format!("In place of \"{name}\", write {}.", pair(key, schema, first_text(&holder.value))),
                holder,
                fix::schema::rewrite(holder, key, schema, record),
            )
        } else if is_certain {
            let fix = fits(&holder.value, schema).then(|| fix::schema::rename(holder, key));
            one(format!("There is a key \"{name}\": rename it to \"{key}\"."), holder, fix)
        } else if let [other, ..] = others {
            let advice =
                format!("If \"{name}\" or \"{}\" holds it, rename it to \"{key}\".", clip(&other.key, 80));
            Missing { advice: advice.into(), holders: named, fix: None }
        } else {
            let fix = fits(&holder.value, schema).then(|| fix::schema::rename_by_guess(holder, key));
            one(format!("If \"{name}\" holds it, rename it to \"{key}\"."), holder, fix)
        };
    }
    // By its shape, unless its name says that it is something else.
    let is_like = |member: &&&Member<'_>| {
        matches!(member.value.kind, Kind::Object(_) | Kind::Array(_))
            && fits(&member.value, schema)
            && is_telling(schema)
            && !has_other_meaning(&member.key, key)
    };
    if let [holder] = unknown.iter().filter(is_like).collect::<Vec<_>>()[..] {
        let name = clip(&holder.key, 80);
        let fix = Some(fix::schema::rename_by_guess(holder, key));
        return one(format!("If \"{name}\" holds it, rename it to \"{key}\"."), holder, fix);
    }
    Missing { advice: Advice::Add { key, schema }, holders: Vec::new(), fix: None }
}

/// True where a key may be meant for another, by its spelling or by its meaning.
fn may_be_meant(written: &str, key: &str) -> bool {
    nearest(written, std::iter::once(key)).is_some() || are_synonyms(key, written)
}

/// True for a key of another meaning than `key`, or of the opposite one.
fn has_other_meaning(written: &str, key: &str) -> bool {
    let is_known = |word: &str| SYNONYMS.iter().any(|group| group.contains(&word));
    contradict(written, key) || (is_known(written) && !are_synonyms(written, key))
}

/// The hint for an unknown key: the key that was meant, which the object does not have yet, by spelling or by meaning.
pub(super) fn unknown(member: &Member<'_>, members: &[Member<'_>], fields: &'static Properties) -> Unknown {
    // Of many unknown keys none was meant for another; and each would be compared with all.
    if members.len() > MOST_UNKNOWN * 4 {
        let near = nearest(&member.key, fields.fields.iter().map(|field| field.key));
        return Unknown { advice: near.map(|near| format!("Did you mean \"{near}\"?")), meant: None };
    }
    let is_absent = |key: &str| !members.iter().any(|other| other.key == key);
    let absent = || fields.fields.iter().filter(|field| is_absent(field.key));
    let near = nearest(&member.key, absent().map(|field| field.key));
    let by_meaning = || absent().find(|field| are_synonyms(field.key, &member.key)).map(|field| field.key);
    let meant = near.or_else(by_meaning).and_then(|meant| absent().find(|field| field.key == meant));
    let advice = meant.map(|field| {
        if field.schema.types().contains(member.value.types()) {
            format!("Did you mean \"{}\"?", field.key)
        } else {
            format!("In its place, write {}.", pair(field.key, field.schema, first_text(&member.value)))
        }
    });
    Unknown { advice, meant }
}

/// A value that fits such a schema does so because it was written for it, and not by chance.
fn is_telling(schema: &Schema) -> bool {
    let requires = |object: &Object| object.sets().all(|fields| fields.required != 0);
    let object = schema.object.as_ref().is_some_and(requires);
    let items = schema.array.as_ref().and_then(|array| array.items.object.as_ref());
    object || items.is_some_and(requires)
}

/// The hint for a value of a wrong type, which is not the record itself. `may_be_left_out`: its key is optional.
pub(super) fn wrong_type(value: &Value<'_>, schema: &'static Schema, may_be_left_out: bool) -> String {
    if let Some(key) = key_for(value, schema) {
        return format!("Put the array under the key \"{key}\": {{\"{key}\": [ ... ]}}.");
    }
    let takes_text = schema.string.as_ref().is_some_and(|string| string.values.is_empty());
    match &value.kind {
        Kind::Number(_, text) if takes_text => {
            format!("Put the value in double quotes: \"{}\".", clip(text, 80))
        }
        Kind::Boolean(value) if takes_text => format!("Put the value in double quotes: \"{value}\"."),
        Kind::String(text)
            if schema.number.is_some() && text.trim().parse::<f64>().is_ok_and(f64::is_finite) =>
        {
            "Write the number without quotes.".to_owned()
        }
        Kind::String(text)
            if schema.boolean && ["true", "false"].contains(&text.trim().to_lowercase().as_str()) =>
        {
            format!("Write {} without quotes.", text.trim().to_lowercase())
        }
        Kind::Array(elements) if matches!(&elements[..], [only] if fits(only, schema)) => {
            "Write the element itself, without the array around it.".to_owned()
        }
        Kind::Object(_) if schema.array.as_ref().is_some_and(|array| is_element(value, array.items)) => {
            "Wrap the object in an array: [ ... ].".to_owned()
        }
        Kind::Null if may_be_left_out => {
            format!("Leave the key out, or write {}.", such_as(schema, value))
        }
        _ => format!("Write {}.", such_as(schema, value)),
    }
}

/// True for an object that is one element of a list: it fits, and has no key that an element has not. An object of elements by
/// their ids has only such keys.
pub(super) fn is_element(value: &Value<'_>, items: &'static Schema) -> bool {
    let (Kind::Object(members), Some(object)) = (&value.kind, &items.object) else { return false };
    let is_known =
        |member: &Member<'_>| object.sets().any(|fields| fields.position(member.key.as_bytes()).is_some());
    !members.is_empty() && members.iter().all(is_known) && fits(value, items)
}

/// The key of an object of this schema under which an array belongs.
pub(super) fn key_for(value: &Value<'_>, schema: &Schema) -> Option<&'static str> {
    let (Kind::Array(elements), Some(Object::Properties(fields))) = (&value.kind, &schema.object) else {
        return None;
    };
    // An empty list fits any.
    if elements.is_empty() {
        return None;
    }
    let is_enough = |key: &str| fields.fields.iter().all(|field| !field.required || field.key == key);
    let mut fitting = fields.fields.iter().filter(|field| fits(value, field.schema));
    fitting.next().map(|field| field.key).filter(|key| fitting.next().is_none() && is_enough(key))
}

/// `an object, such as {"content": "..."}`
fn such_as(schema: &Schema, value: &Value<'_>) -> String {
    let what = nouns(schema).join(" or ");
    let wants_list = matches!(value.kind, Kind::Object(_) | Kind::Array(_));
    let example = Example { text: first_text(value), wants_list }.of(schema);
    // For a string of a list of values, the list is the example.
    let lists_values = schema.string.as_ref().is_some_and(|string| !string.values.is_empty());
    match example {
        Some(example) if !lists_values => format!("{what}, such as {example}"),
        _ => what,
    }
}

/// `"key": {"content": "..."}`, with this text where there is one.
fn pair(key: &str, schema: &Schema, text: Option<&str>) -> String {
    let values = schema.string.as_ref().map_or(&[][..], |string| string.values);
    match (text.and_then(|text| value_for(text, values)), Example { text, wants_list: false }.of(schema)) {
        (Some(value), _) => format!("\"{key}\": \"{value}\""),
        (None, _) if is_choice(schema) => format!("\"{key}\", {}", nouns(schema).join(" or ")),
        (None, Some(example)) if values.len() < 2 => format!("\"{key}\": {example}"),
        (None, Some(_)) => format!("\"{key}\", {}", nouns(schema).join(" or ")),
        (None, None) => format!("the key \"{key}\" ({})", nouns(schema).join(" or ")),
    }
}

/// True where only a number, or only true or false, is accepted: any example of one would be wrong.
fn is_choice(schema: &Schema) -> bool {
    let is_scalar = schema.number.is_some() || schema.boolean;
    is_scalar && schema.string.is_none() && schema.object.is_none() && schema.array.is_none()
}

/// What a schema accepts, with articles.
fn nouns(schema: &Schema) -> Vec<String> {
    let number =
        schema.number.as_ref().map(|number| if number.integer { "a whole number" } else { "a number" });
    let string = schema.string.as_ref().map(|string| match string.values {
        [] => "a string".to_owned(),
        [only] => format!("\"{only}\""),
        values => format!("one of {}", super::check::quoted_values(values.iter().copied())),
    });
    let others = [
        schema.boolean.then_some("true or false"),
        schema.object.as_ref().map(|_| "an object"),
        schema.array.as_ref().map(|_| "an array"),
        schema.null.then_some("null"),
    ];
    let others = others.into_iter().flatten().map(str::to_owned);
    string.into_iter().chain(number.map(str::to_owned)).chain(others).collect()
}

/// Makes an example of a value.
struct Example<'t> {
    /// The text to put where the example has a text of its own.
    text: Option<&'t str>,
    /// An object or an array is there, so not a string for an example.
    wants_list: bool,
}

impl Example<'_> {
    /// An example with all required keys; `None` where that is too long for a hint.
    fn of(&self, schema: &Schema) -> Option<String> {
        let example = self.value(schema)?;
        (example.chars().count() <= LONGEST_EXAMPLE).then_some(example)
    }

    fn value(&self, schema: &Schema) -> Option<String> {
        let structure = || {
            if let Some(example) = schema.example {
                return Some(example.to_owned());
            }
            let object = schema.object.as_ref().and_then(|object| self.object(object));
            object.or_else(|| schema.array.as_ref().and_then(|array| self.array(array)))
        };
        let first = if self.wants_list { structure() } else { None };
        first
            .or_else(|| {
                schema.string.as_ref().map(|string| match string.values {
                    [] => self.string(),
                    values @ [first, ..] => {
                        format!("\"{}\"", values.iter().find(|value| **value == "user").unwrap_or(first))
                    }
                })
            })
            .or_else(structure)
            .or_else(|| schema.number.as_ref().map(|number| number.minimum.unwrap_or(0).max(1).to_string()))
            .or_else(|| schema.boolean.then(|| "true".to_owned()))
            .or_else(|| schema.null.then(|| "null".to_owned()))
    }

    fn string(&self) -> String {
        let text = self.text.unwrap_or("...");
        let mut written = String::from('"');
        for c in clip(text, LONGEST_TEXT).chars() {
            match c {
                '"' | '\\' => written.extend(['\\', c]),
                '\n' => written.push_str("\\n"),
                c if c.is_control() => written.push(' '),
                c => written.push(c),
            }
        }
        written.push('"');
        written
    }

    fn array(&self, array: &Array) -> Option<String> {
        Some(format!("[{}]", Example { wants_list: false, ..*self }.value(array.items)?))
    }

    fn object(&self, object: &Object) -> Option<String> {
        let (tag, fields) = match object {
            Object::Properties(fields) => (None, fields),
            Object::Tagged { key, variants } => {
                let (value, fields) = variants.first()?;
                (Some((*key, *value)), fields)
            }
        };
        let required = fields.fields.iter().filter(|field| field.required);
        let members = required.map(|field| match tag {
            Some((key, value)) if field.key == key => Some(format!("\"{key}\": \"{value}\"")),
            _ => {
                let value = Example { wants_list: false, ..*self }.value(field.schema)?;
                Some(format!("\"{}\": {value}", field.key))
            }
        });
        let members = members.collect::<Option<Vec<_>>>()?;
        (!members.is_empty()).then(|| format!("{{{}}}", members.join(", ")))
    }
}

/// The first text in a value that somebody wrote: a string, or one in an object or array of it.
fn first_text<'v>(value: &'v Value<'_>) -> Option<&'v str> {
    match &value.kind {
        Kind::String(text) => Some(&**text).filter(|text| !text.is_empty()),
        Kind::Array(elements) => elements.iter().take(1).find_map(first_text),
        Kind::Object(members) => {
            let is_text = |member: &&Member<'_>| !["role", "type", "from"].contains(&&*member.key);
            members.iter().filter(is_text).find_map(|member| first_text(&member.value))
        }
        _ => None,
    }
}

/// The hint for a string that is none of the values; `meant` is the one that was probably meant.
pub(super) fn for_value(meant: Option<&str>, values: &[&str]) -> String {
    match (meant, values) {
        (_, [only]) => format!("Write \"{only}\"."),
        (Some(near), _) => format!("Did you mean \"{near}\"?"),
        (None, _) => format!("Use one of {}.", super::check::quoted_values(values.iter().copied())),
    }
}

/// The value that was probably meant, by spelling or by meaning.
pub(super) fn value_for<'v>(received: &str, values: &[&'v str]) -> Option<&'v str> {
    let received = received.trim().to_lowercase();
    let by_meaning = || values.iter().copied().find(|value| are_synonyms(value, &received));
    nearest(&received, values.iter().copied()).or_else(by_meaning)
}

pub(super) fn are_synonyms(one: &str, other: &str) -> bool {
    SYNONYMS.iter().any(|group| group.contains(&one) && group.contains(&other))
}
