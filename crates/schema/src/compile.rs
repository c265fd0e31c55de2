//! Compiles the validator, and says in words why a schema cannot be used.

use evalcheck_core::suggest::nearest;
use evalcheck_wire::user_schema::{RootKeys, SchemaError, SchemaPlace};
use jsonschema::error::ValidationErrorKind;
use jsonschema::{
    Draft, PatternOptions, ReferencingError, Registry, ValidationError, ValidationOptions, Validator,
};
use serde_json::{Value, json};

use crate::expansion;
use crate::files::{FILE, Files, error};
use crate::patterns::LIMIT;
use crate::words;

/// The validator of a schema, and that of the elements of the array that it describes, whose schema is there.
pub(crate) fn validators(
    files: &Files,
    formats: bool,
    elements: Option<&SchemaPlace>,
) -> Result<(Validator, Option<Validator>), SchemaError> {
    let root = files.root();
    let draft = draft(files)?;
    let mut registry =
        Registry::new().draft(draft.unwrap_or_default()).retrieve_known_draft_meta_schemas(draft.is_none());
    for (uri, value) in files.all() {
        registry = registry.add(uri, value).map_err(|why| referencing(files, &why))?;
    }
    let registry = registry.prepare().map_err(|why| referencing(files, &why))?;
    let build = |registry: &Registry<'_>, uri: &str, schema: &Value| {
        let options = draft.into_iter().fold(jsonschema::options(), ValidationOptions::with_draft);
        options
            .with_registry(registry)
            .with_base_uri(uri)
            .should_validate_formats(formats)
            .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(LIMIT))
            .offline()
            .build(schema)
            .map_err(|why| unusable(files, &why))
    };
    let whole = build(&registry, root.uri.as_str(), &root.value)?;
    expansion::check(files)?;
    let Some(elements) = elements else { return Ok((whole, None)) };
    let items = json!({ "$ref": format!("{}#{}", root.uri, elements.pointer) });
    Ok((whole, Some(build(&registry, "evalcheck:items", &items)?)))
}

/// Fails if no keyword at the root says anything about a record, although there are keys: a record, or an object that has the schema in it.
pub(crate) fn says_something(root: &Value) -> Result<(), SchemaError> {
    const SAY: [&str; 46] = [
        "$ref",
        "$dynamicRef",
        "$recursiveRef",
        "additionalItems",
        "additionalProperties",
        "allOf",
        "anyOf",
        "const",
        "contains",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
        "dependencies",
        "dependentRequired",
        "dependentSchemas",
        "else",
        "enum",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "if",
        "items",
        "maxContains",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minContains",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "multipleOf",
        "not",
        "oneOf",
        "pattern",
        "patternProperties",
        "prefixItems",
        "properties",
        "propertyNames",
        "required",
        "then",
        "type",
        "unevaluatedItems",
        "unevaluatedProperties",
        "uniqueItems",
    ];
    let Some(keys) = root.as_object().filter(|root| !root.is_empty()) else { return Ok(()) };
    if keys.keys().any(|key| SAY.contains(&key.as_str())) {
        return Ok(());
    }
    let found = keys.keys().map(String::as_str).find(|key| !key.starts_with('$'));
    let near = found.and_then(|key| Some((key, nearest(key, SAY.into_iter())?)));
    let hint = match near {
        Some((key, near)) => format!("Did you mean \"{near}\" with \"{key}\"? If the schema is inside of another object, give it by itself."),
        None => "Is it a record, or does it have the schema inside? Give the schema by itself; {} is one that accepts all.".to_owned(),
    };
    Err(SchemaError {
        at: SchemaPlace::default(),
        message: "no keyword at its root says anything about a record".to_owned(),
        hint,
    })
}

/// The draft that `$schema` names; `None` for a meta-schema that was given.
fn draft(files: &Files) -> Result<Option<Draft>, SchemaError> {
    let Some(named) = files.root().value.get("$schema") else { return Ok(Some(Draft::Draft202012)) };
    let uri = named.as_str().unwrap_or_default().trim_end_matches('#');
    let (_, name) = uri.split_once("://").unwrap_or_default();
    match name {
        "json-schema.org/draft-04/schema" => Ok(Some(Draft::Draft4)),
        "json-schema.org/draft-06/schema" => Ok(Some(Draft::Draft6)),
        "json-schema.org/draft-07/schema" => Ok(Some(Draft::Draft7)),
        "json-schema.org/draft/2019-09/schema" => Ok(Some(Draft::Draft201909)),
        "json-schema.org/draft/2020-12/schema" => Ok(Some(Draft::Draft202012)),
        _ if files.place(uri).is_some() => Ok(None),
        _ => {
            let message = format!("{named} is no draft of JSON Schema that is known here");
            let hint = "Known are drafts 4, 6 and 7, 2019-09 and 2020-12, such as \"https://json-schema.org/draft/2020-12/schema\".";
            Err(error(0, "/$schema".to_owned(), message, hint))
        }
    }
}

/// The reason of the validator, in words.
fn unusable(files: &Files, why: &ValidationError<'_>) -> SchemaError {
    if let ValidationErrorKind::Referencing(why) = why.kind() {
        return referencing(files, why);
    }
    let pointer = why.instance_path().to_string();
    let hint = if pointer.ends_with("/pattern") || pointer.ends_with("/patternProperties") {
        "Correct the expression; in a class, a hyphen that is meant is written \\-."
    } else {
        "Correct the keyword there; the specification at json-schema.org says what it may be."
    };
    let said = words::of_schema(why);
    error(0, pointer, said, hint)
}

/// A reference that leads nowhere.
fn referencing(files: &Files, why: &ReferencingError) -> SchemaError {
    const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];
    let at = files
        .find(&REFERENCES, |place, reference| !reference.is_empty() && files.leads_nowhere(place, reference));
    let reference = files.value(&at).and_then(Value::as_str).unwrap_or_default();
    match why {
        ReferencingError::Unretrievable { uri, .. } => {
            let name = uri.strip_prefix(FILE).unwrap_or(uri);
            let message = format!("it refers to {name}, which is not among the files that were given");
            SchemaError {
                at,
                message,
                hint: "Give that file too, after the schema: nothing is fetched.".to_owned(),
            }
        }
        ReferencingError::UnknownSpecification { specification } => {
            let message = format!("{specification} is no draft of JSON Schema that is known here");
            error(
                at.file,
                "/$schema".to_owned(),
                message,
                "Known are drafts 4, 6 and 7, 2019-09 and 2020-12.",
            )
        }
        _ => {
            let message = format!("it refers to \"{reference}\", which is not there");
            SchemaError { at: at.clone(), message, hint: near(files, &at, reference) }
        }
    }
}

/// A hint for a reference that leads nowhere.
fn near(files: &Files, at: &SchemaPlace, reference: &str) -> String {
    let (before, name) = reference.rsplit_once('/').unwrap_or(("", reference));
    let holder = files.follow(at, before).and_then(|(_, holder)| holder.as_object());
    match holder.and_then(|holder| nearest(name, holder.keys().map(String::as_str))) {
        Some(near) => format!("Did you mean \"{before}/{near}\"?"),
        None => "Add the definition, or correct the reference.".to_owned(),
    }
}

/// The keys that the schema of a record names, and those that it requires, also through `$ref` and `allOf`.
pub(crate) fn root_keys(files: &Files, record: &SchemaPlace) -> RootKeys {
    let mut keys = RootKeys::default();
    let mut seen = Vec::new();
    add_keys(files, record, &mut keys, &mut seen);
    keys
}

fn add_keys(files: &Files, at: &SchemaPlace, keys: &mut RootKeys, seen: &mut Vec<SchemaPlace>) {
    let Some(schema) = files.value(at).filter(|_| !seen.contains(at)) else { return };
    let texts = |list: Option<&Value>| -> Vec<String> {
        let elements = list.and_then(Value::as_array).into_iter().flatten();
        elements.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let required = texts(schema.get("required"));
    let properties = schema.get("properties").and_then(Value::as_object);
    keys.required.extend(required.iter().cloned());
    for key in required.into_iter().chain(properties.into_iter().flat_map(|of| of.keys().cloned())) {
        if !keys.named.contains(&key) {
            keys.named.push(key);
        }
    }
    seen.push(at.clone());
    for part in files.referred(at).into_iter().chain(files.listed(at, "allOf")) {
        add_keys(files, &part, keys, seen);
    }
}
