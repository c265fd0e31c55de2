//! The files of a schema, as resources with addresses. Nothing is fetched: what is not among them is not there.

use std::fmt::Write;

use evalcheck_wire::user_schema::{MOST_BYTES, SchemaError, SchemaFile, SchemaPlace};
use jsonschema::{Uri, uri};
use serde_json::Value;

use crate::parts::escaped;

/// The keyword that names a resource, and that of draft 4.
const IDS: [&str; 2] = ["$id", "id"];

/// The beginning of the address of a file.
pub(crate) const FILE: &str = "file:///";

/// A file that was read.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) value: Value,
    /// The address of the file, to which references in it are relative unless it has an `$id`.
    pub(crate) uri: Uri<String>,
}

/// The files of a schema; the first is the schema.
#[derive(Debug)]
pub(crate) struct Files {
    files: Vec<File>,
    /// The addresses of all resources with their places: of files, and of parts with an `$id`.
    resources: Vec<(String, SchemaPlace)>,
}

impl Files {
    /// Reads the files.
    ///
    /// # Errors
    /// One is not a schema.
    pub(crate) fn read(given: &[SchemaFile]) -> Result<Self, SchemaError> {
        let bytes: usize = given.iter().map(|file| file.text.len()).sum();
        if bytes as u64 > MOST_BYTES {
            let message = format!("it has {} MiB, and at most {} are read", bytes >> 20, MOST_BYTES >> 20);
            return Err(error(
                0,
                String::new(),
                message,
                "Is it the dataset? A schema describes one record.",
            ));
        }
        let mut files = Vec::new();
        for (index, file) in given.iter().enumerate() {
            files.push(File { value: read(index, &file.text)?, uri: address(index, &file.name)? });
        }
        let mut files = Self { files, resources: Vec::new() };
        files.note_resources(given)?;
        Ok(files)
    }

    /// The schema.
    pub(crate) fn root(&self) -> &File {
        &self.files[0]
    }

    /// All files with their addresses. One is also found relative to the `$id` of the schema, as it is relative to its file.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &Value)> {
        let places = self.resources.iter().filter(|(_, at)| at.pointer.is_empty());
        places.map(|(uri, at)| (uri.as_str(), &self.files[at.file].value))
    }

    /// The place of a keyword, by its address.
    pub(crate) fn place(&self, keyword: &str) -> Option<SchemaPlace> {
        let (uri, pointer) = keyword.split_once('#').unwrap_or((keyword, ""));
        let (_, at) = self.resources.iter().find(|(resource, _)| resource == uri)?;
        Some(SchemaPlace { file: at.file, pointer: format!("{}{}", at.pointer, decoded(pointer)) })
    }

    /// The files as values.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Value> {
        self.files.iter().map(|file| &file.value)
    }

    /// Whether a reference leads to nothing in these files.
    pub(crate) fn leads_nowhere(&self, at: &SchemaPlace, reference: &str) -> bool {
        let anchor = reference.rsplit_once('#').map(|(_, fragment)| fragment);
        match anchor.filter(|anchor| !anchor.is_empty() && !anchor.starts_with('/')) {
            None => !reference.contains("json-schema.org/") && self.follow(at, reference).is_none(),
            Some(anchor) => {
                let named = format!("#{anchor}");
                let is_it = |_: &SchemaPlace, text: &str| text == anchor || text == named;
                let keywords = ["$anchor", "$dynamicAnchor", "$id", "id"];
                self.find(&keywords, is_it) == SchemaPlace::default()
            }
        }
    }

    /// The value at a place.
    pub(crate) fn value(&self, at: &SchemaPlace) -> Option<&Value> {
        self.files.get(at.file)?.value.pointer(&at.pointer)
    }

    /// The schema that a reference at a place names, with its place. `None` for an anchor, and where there is none.
    pub(crate) fn follow(&self, at: &SchemaPlace, reference: &str) -> Option<(SchemaPlace, &Value)> {
        let holds = |(uri, of): &&(String, SchemaPlace)| {
            of.file == at.file && is_within(&at.pointer, &of.pointer) && !uri.is_empty()
        };
        let (base, _) = self.resources.iter().filter(holds).max_by_key(|(_, of)| of.pointer.len())?;
        let base = uri::from_str(base).ok()?;
        let found = uri::resolve_against(&base.borrow(), reference).ok()?;
        let place = self.place(found.as_str())?;
        let value = self.value(&place)?;
        Some((place, value))
    }

    /// The places of a keyword with this value, for errors that do not say where.
    pub(crate) fn find(
        &self,
        keyword: &[&str],
        is_meant: impl Fn(&SchemaPlace, &str) -> bool,
    ) -> SchemaPlace {
        let mut found = None;
        for (file, of) in self.files.iter().enumerate() {
            walk(&of.value, &mut String::new(), &mut |pointer, value| {
                let is_keyword = pointer.rsplit('/').next().is_some_and(|last| keyword.contains(&last));
                if let (true, None, Value::String(text)) = (is_keyword, &found, value) {
                    let place = SchemaPlace { file, pointer: pointer.to_owned() };
                    if is_meant(&place, text) {
                        found = Some(place);
                    }
                }
            });
        }
        found.unwrap_or_default()
    }

    /// Notes the addresses of all files and of their parts.
    fn note_resources(&mut self, given: &[SchemaFile]) -> Result<(), SchemaError> {
        let root_id =
            self.files[0].value.get("$id").or(self.files[0].value.get("id")).and_then(Value::as_str);
        let root_id = root_id.and_then(|id| uri::resolve_against(&self.files[0].uri.borrow(), id).ok());
        let folder = given[0].name.rsplit_once(['/', '\\']).map_or("", |(folder, _)| folder);
        for (index, file) in self.files.iter().enumerate() {
            let at = |pointer: &str| SchemaPlace { file: index, pointer: pointer.to_owned() };
            self.resources.push((file.uri.as_str().to_owned(), at("")));
            if let (true, Some(root)) = (index > 0, &root_id) {
                let name = given[index].name.replace('\\', "/");
                let relative = name.strip_prefix(&*folder.replace('\\', "/")).unwrap_or(&name);
                if let Ok(uri) =
                    uri::resolve_against(&root.borrow(), &encoded(relative.trim_start_matches('/')))
                {
                    self.resources.push((uri.as_str().to_owned(), at("")));
                }
            }
            let mut wrong = None;
            let mut bases = vec![(String::new(), file.uri.clone())];
            walk(&file.value, &mut String::new(), &mut |pointer, value| {
                bases.retain(|(of, _)| is_within(pointer, of));
                let id = IDS.iter().find_map(|id| value.get(id)?.as_str());
                let Some(id) = id.filter(|id| !id.starts_with('#')) else { return };
                let Some((_, base)) = bases.last() else { return };
                match uri::resolve_against(&base.borrow(), id) {
                    Ok(uri) => {
                        self.resources.push((uri.as_str().trim_end_matches('#').to_owned(), at(pointer)));
                        bases.push((pointer.to_owned(), uri));
                    }
                    // A property may be called id.
                    Err(_) if value.get("$id").is_none() => {}
                    Err(_) => {
                        wrong = Some(error(
                            index,
                            format!("{pointer}/$id"),
                            format!("\"{id}\" is not an address"),
                            "Write a URI, such as https://example.com/faq.schema.json.",
                        ));
                    }
                }
            });
            if let Some(wrong) = wrong {
                return Err(wrong);
            }
        }
        Ok(())
    }
}

/// An error at a place.
pub(crate) fn error(file: usize, pointer: String, message: impl Into<String>, hint: &str) -> SchemaError {
    SchemaError { at: SchemaPlace { file, pointer }, message: message.into(), hint: hint.to_owned() }
}

fn read(index: usize, text: &str) -> Result<Value, SchemaError> {
    let of_file = |message: String, hint: &str| Err(error(index, String::new(), message, hint));
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return of_file("it is empty".to_owned(), "Write the schema of a record into it.");
    }
    let why = match serde_json::from_str(text) {
        Ok(value @ (Value::Object(_) | Value::Bool(_))) => return Ok(value),
        Ok(_) => {
            let hint = "Is it the dataset? Give the schema of a record.";
            return of_file("it is not a JSON Schema, which is an object".to_owned(), hint);
        }
        Err(why) => why,
    };
    let (line, column, said) = (why.line(), why.column(), why.to_string());
    if said.starts_with("recursion limit") {
        let message = format!("it is nested deeper than 127 levels, at line {line}, column {column}");
        return of_file(message, "Move what is deep into $defs, and refer to it.");
    }
    if said.starts_with("trailing characters") {
        let message = format!("a second value begins at line {line}, column {column}");
        return of_file(message, "Is it the dataset? A schema is one JSON object.");
    }
    let hint = "Correct it there; an editor shows where a bracket or a comma is missing.";
    of_file(format!("it cannot be read as JSON: {said}"), hint)
}

/// The address of a file: its name, if that is one.
fn address(index: usize, name: &str) -> Result<Uri<String>, SchemaError> {
    let path = encoded(&name.replace('\\', "/"));
    // Resolved, so that `..` in it is what it means.
    let file = || uri::resolve_against(&uri::from_str(FILE)?.borrow(), path.trim_start_matches('/'));
    let found = if name.contains("://") { uri::from_str(name) } else { file() };
    found.map_err(|why| {
        error(index, String::new(), format!("its name cannot be an address: {why}"), "Rename the file.")
    })
}

/// A path with the characters that an address cannot have in percent encoding.
fn encoded(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// A JSON Pointer without percent encoding.
fn decoded(pointer: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = pointer.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = (*first == b'%').then(|| after.get(..2)).flatten();
        let hex = hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(hex.unwrap_or(*first));
        rest = if hex.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether a JSON Pointer leads to a part of what another leads to.
fn is_within(pointer: &str, of: &str) -> bool {
    pointer.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Visits all values with their JSON Pointers, each before those in it.
pub(crate) fn walk(value: &Value, pointer: &mut String, visit: &mut dyn FnMut(&str, &Value)) {
    visit(pointer, value);
    let length = pointer.len();
    let mut enter = |step: &str, value: &Value| {
        pointer.push('/');
        pointer.push_str(&escaped(step));
        walk(value, pointer, visit);
        pointer.truncate(length);
    };
    match value {
        Value::Object(members) => members.iter().for_each(|(key, value)| enter(key, value)),
        Value::Array(elements) => {
            elements.iter().enumerate().for_each(|(index, value)| enter(&index.to_string(), value));
        }
        _ => {}
    }
}
