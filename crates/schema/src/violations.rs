//! The answers of the validator as violations: one for each key, and of alternatives those of the one that was meant.

use evalcheck_wire::user_schema::{Part, SchemaPlace, SchemaRule, Step, Violation};
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonTypeSet, ValidationError, Validator};
use serde_json::Value;

use crate::files::Files;
use crate::words;
use crate::{remedies, words::quoted};

/// All violations of a record.
pub(crate) fn of(files: &Files, validator: &Validator, record: &Value) -> Vec<Violation> {
    let mut violations = without_remedies(files, validator, record);
    remedies::add(files, validator, record, &mut violations);
    violations
}

/// The violation of a record about which the validator says no more.
pub(crate) fn undescribed(message: &str) -> Violation {
    Violation {
        rule: SchemaRule::Type,
        value: Vec::new(),
        part: Part::Value,
        keyword: SchemaPlace::default(),
        message: message.to_owned(),
        hint: "Compare the record with the schema.".to_owned(),
        remedy: None,
    }
}

/// The same without changes that resolve them.
pub(crate) fn without_remedies(files: &Files, validator: &Validator, record: &Value) -> Vec<Violation> {
    let mut violations = Vec::new();
    for error in validator.iter_errors(record) {
        add(files, &error, record, &mut violations);
    }
    if violations.is_empty() && !validator.is_valid(record) {
        violations.push(undescribed("Does not follow the schema"));
    }
    violations
}

/// Adds the violations that an error means.
fn add(files: &Files, error: &ValidationError<'_>, record: &Value, out: &mut Vec<Violation>) {
    let keyword = place(files, error);
    let value = steps(error, record);
    let of_key = |rule: SchemaRule, key: &str, message: String, hint: String| Violation {
        rule,
        value: value.clone(),
        part: Part::Key(key.to_owned()),
        keyword: keyword.clone(),
        message,
        hint,
        remedy: None,
    };
    let is_closed = files.value(&keyword) == Some(&Value::Bool(false));
    let unknown = |key: &str| {
        if !is_closed {
            let name = keyword.pointer.rsplit('/').next().unwrap_or_default();
            let message =
                format!("The value of {} does not fit {name} of the schema", quoted(&Value::from(key)));
            let hint = format!("Correct the value, or {name} in the schema.");
            return of_key(SchemaRule::UnknownKey, key, message, hint);
        }
        let message = format!("Unrecognized key in object: {}", quoted(&Value::from(key)));
        of_key(SchemaRule::UnknownKey, key, message, "Remove the key, or allow it in the schema.".to_owned())
    };
    match error.kind() {
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            out.extend(unexpected.iter().map(|key| unknown(key)));
        }
        // Without properties in the schema, the validator names the object and no key.
        Kind::FalseSchema if keyword.pointer.ends_with("/additionalProperties") => {
            let object = record.pointer(error.instance_path().as_str()).and_then(Value::as_object);
            out.extend(object.into_iter().flat_map(serde_json::Map::keys).map(|key| unknown(key)));
        }
        Kind::PropertyNames { error: of_name } => {
            let key = of_name.instance().as_str().unwrap_or_default();
            let (message, _) = words::of(of_name);
            let hint = "Rename the key, or correct propertyNames in the schema.".to_owned();
            out.push(of_key(SchemaRule::UnknownKey, key, format!("Name of the key: {message}"), hint));
        }
        // The validator also names a key that is there and not allowed.
        Kind::Required { property }
            if property.as_str().is_some_and(|key| error.instance().get(key).is_some()) => {}
        Kind::Required { property } => {
            let (message, hint) = words::of(error);
            let key = property.as_str().unwrap_or_default();
            let part = Part::Missing(key.to_owned());
            out.push(Violation { part, ..of_key(SchemaRule::Required, key, message, hint) });
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            alternatives(files, error, context, record, out);
        }
        Kind::OneOfMultipleValid { context } => {
            let fit = (1..).zip(context).filter(|(_, errors)| errors.is_empty());
            let fit: Vec<String> = fit.map(|(number, _)| format!("#{number}")).collect();
            let message =
                format!("Fits {} of the alternatives, where one must fit: {}", fit.len(), fit.join(", "));
            let hint = "Add or remove what tells them apart, or use anyOf in the schema.".to_owned();
            out.push(of_value(SchemaRule::Alternatives, error, files, record, message, hint));
        }
        kind => {
            let (message, hint) = words::of(error);
            out.push(of_value(rule(kind), error, files, record, message, hint));
        }
    }
}

fn of_value(
    rule: SchemaRule,
    error: &ValidationError<'_>,
    files: &Files,
    record: &Value,
    message: String,
    hint: String,
) -> Violation {
    Violation {
        rule,
        value: steps(error, record),
        part: Part::Value,
        keyword: place(files, error),
        message,
        hint,
        remedy: None,
    }
}

fn rule(kind: &Kind) -> SchemaRule {
    match kind {
        Kind::Type { .. } => SchemaRule::Type,
        Kind::Required { .. } => SchemaRule::Required,
        Kind::AdditionalProperties { .. }
        | Kind::UnevaluatedProperties { .. }
        | Kind::PropertyNames { .. } => SchemaRule::UnknownKey,
        Kind::Enum { .. } | Kind::Constant { .. } => SchemaRule::Enum,
        Kind::Pattern { .. } => SchemaRule::Pattern,
        Kind::Format { .. }
        | Kind::ContentEncoding { .. }
        | Kind::ContentMediaType { .. }
        | Kind::FromUtf8 { .. } => SchemaRule::Format,
        Kind::MinLength { .. } | Kind::MaxLength { .. } => SchemaRule::Length,
        Kind::Minimum { .. }
        | Kind::Maximum { .. }
        | Kind::ExclusiveMinimum { .. }
        | Kind::ExclusiveMaximum { .. }
        | Kind::MultipleOf { .. } => SchemaRule::Range,
        Kind::MinItems { .. }
        | Kind::MaxItems { .. }
        | Kind::UniqueItems
        | Kind::Contains
        | Kind::AdditionalItems { .. }
        | Kind::UnevaluatedItems { .. }
        | Kind::MinProperties { .. }
        | Kind::MaxProperties { .. } => SchemaRule::Size,
        Kind::FalseSchema => SchemaRule::Nothing,
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => SchemaRule::TooSlow,
        Kind::AnyOf { .. }
        | Kind::OneOfMultipleValid { .. }
        | Kind::OneOfNotValid { .. }
        | Kind::Not { .. }
        | Kind::Custom { .. }
        | Kind::Referencing(_) => SchemaRule::Alternatives,
    }
}

/// The violations of a value that fits none of several alternatives.
fn alternatives(
    files: &Files,
    error: &ValidationError<'_>,
    context: &[Vec<ValidationError<'static>>],
    record: &Value,
    out: &mut Vec<Violation>,
) {
    let at = error.instance_path().as_str();
    let of_type = |errors: &[ValidationError<'_>]| {
        errors.iter().find_map(|error| match error.kind() {
            Kind::Type { kind } if error.instance_path().as_str() == at => Some(set(kind)),
            _ => None,
        })
    };
    let types: Vec<Option<JsonTypeSet>> = context.iter().map(|errors| of_type(errors)).collect();
    if types.iter().all(Option::is_some) && !types.is_empty() {
        let wanted = types.iter().flatten().fold(JsonTypeSet::empty(), |all, types| all.union(*types));
        let (message, hint) = words::of_type(&TypeKind::Multiple(wanted), error.instance());
        out.push(of_value(SchemaRule::Type, error, files, record, message, hint));
        return;
    }
    if let Some(meant) = meant(at, context, &types) {
        for error in meant {
            add(files, error, record, out);
        }
        return;
    }
    let fewest = context.iter().map(Vec::len).min().unwrap_or(0);
    let mut nearest = (1..).zip(context).filter(|(_, errors)| errors.len() == fewest);
    let nearest = nearest.next().filter(|_| nearest.next().is_none());
    let lacks = nearest.and_then(|(number, errors)| {
        let mut first = Vec::new();
        add(files, errors.first()?, record, &mut first);
        let Violation { message, value, part, .. } = first.into_iter().next()?;
        let path: Vec<String> = value[steps(error, record).len().min(value.len())..]
            .iter()
            .map(|step| match step {
                Step::Key(key) => key.clone(),
                Step::Index(index) => index.to_string(),
            })
            .chain(match part {
                Part::Value => None,
                Part::Key(key) | Part::Missing(key) => Some(key),
            })
            .collect();
        let path = if path.is_empty() { String::new() } else { format!("{}: ", path.join(".")) };
        Some(format!("; the nearest is #{number}, with {path}{message}"))
    });
    let message = format!("Fits none of the {} alternatives{}", context.len(), lacks.unwrap_or_default());
    let hint = "Compare the value with the alternatives in the schema.".to_owned();
    out.push(of_value(SchemaRule::Alternatives, error, files, record, message, hint));
}

/// The errors of the alternative that was meant: the only one of this type, or the only one in which no key has a wrong fixed value.
fn meant<'c>(
    at: &str,
    context: &'c [Vec<ValidationError<'static>>],
    types: &[Option<JsonTypeSet>],
) -> Option<&'c [ValidationError<'static>]> {
    let only = |is_meant: &dyn Fn(usize) -> bool| {
        let mut fit = (0..context.len()).filter(|index| is_meant(*index));
        fit.next().filter(|_| fit.next().is_none()).and_then(|index| context.get(index)).map(Vec::as_slice)
    };
    let has_type = |index: usize| types.get(index).is_some_and(Option::is_none);
    let names_another = |index: usize| {
        context[index].iter().any(|error| {
            let is_of_key = error
                .instance_path()
                .as_str()
                .strip_prefix(at)
                .is_some_and(|rest| rest.matches('/').count() == 1);
            is_of_key && matches!(error.kind(), Kind::Enum { .. } | Kind::Constant { .. })
        })
    };
    only(&has_type).or_else(|| {
        let some_do = (0..context.len()).any(|index| has_type(index) && names_another(index));
        if some_do { only(&|index| has_type(index) && !names_another(index)) } else { None }
    })
}

fn set(kind: &TypeKind) -> JsonTypeSet {
    match kind {
        TypeKind::Single(one) => JsonTypeSet::from(*one),
        TypeKind::Multiple(several) => *several,
    }
}

/// The place of the keyword that an error is about.
fn place(files: &Files, error: &ValidationError<'_>) -> SchemaPlace {
    let absolute = error.absolute_keyword_location().and_then(|uri| files.place(uri.as_str()));
    let at =
        absolute.unwrap_or_else(|| SchemaPlace { file: 0, pointer: error.schema_path().as_str().to_owned() });
    // Of some keywords, the validator adds a step that is not in the schema.
    let mut pointer = at.pointer.as_str();
    while let (None, Some((before, _))) =
        (files.value(&SchemaPlace { pointer: pointer.to_owned(), ..at }), pointer.rsplit_once('/'))
    {
        pointer = before;
    }
    SchemaPlace { pointer: pointer.to_owned(), ..at }
}

/// The path from the record to the value of an error.
fn steps(error: &ValidationError<'_>, record: &Value) -> Vec<Step> {
    let mut value = Some(record);
    let step = |step: &str| {
        let key = step.replace("~1", "/").replace("~0", "~");
        if let Some(Value::Array(elements)) = value {
            let index = key.parse().unwrap_or_default();
            value = elements.get(index);
            Step::Index(index)
        } else {
            value = value.and_then(|object| object.get(&key));
            Step::Key(key)
        }
    };
    error.instance_path().as_str().split('/').skip(1).map(step).collect()
}
