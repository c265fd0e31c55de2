//! Rules of a JSON Schema of the user's own. Messages and hints come from the module that validates.

use evalcheck_core::rule::Cause;
use evalcheck_wire::user_schema::SchemaRule;

use crate::finding::Location;
use crate::rules::AnyProblem;

evalcheck_core::rules! {
    /// Differences between a record and the user's schema, and schemas that cannot be used.
    UserSchemaProblem for UserSchema {
        Unusable { place: String, why: String, hint: String, at: Location } = "schema/unusable", Error {
            summary: "The schema of one's own cannot be used.",
            message: "nothing was checked: the schema cannot be used, {place}: {why}",
            hint: "{hint}",
            related: "in the schema" => at.clone(),
            meaning: "The file given as a schema is not a JSON Schema, or it refers to something that was not given. Nothing is held against a part of it.",
            invalid: "a schema with \"$ref\": \"#/$defs/anser\" and no such definition",
            valid: "the same schema with \"$ref\": \"#/$defs/answer\"",
        }
        OtherDataset { lacking: String, has: String } = "schema/other-dataset", Error {
            summary: "The dataset is evidently not the one that the schema describes.",
            message: "nothing was checked: the first records lack the keys of the schema, {lacking}; they have {has}",
            hint: "Give the schema of this dataset, or the dataset of this schema. If the keys were renamed, rename them in one of both.",
            meaning: "Each of the first records violates the schema, lacks most of the keys that it requires, and has other keys instead. Every record would have several findings that say the same, so nothing was checked.",
            invalid: "records with prompt and response, and a schema that requires question, answer and source",
            valid: "records with question, answer and source",
        }
        Type { message: String, hint: String, at: Location } = "schema/type", Error {
            summary: "A value has another type than the schema says.",
            title: "has the wrong type",
            message: "{message}",
            hint: "{hint}",
            related: "wanted here" => at.clone(),
            fix: Either,
            meaning: "The schema states the types of this value (`type`). JSON has the types string, number, boolean, null, array and object; an integer is a number without a fraction, also when it is written 3.0.",
            invalid: "\"42\" where the schema says integer",
            valid: "42",
        }
        Required { message: String, hint: String, at: Location, of_every: Option<String> } = "schema/required", Error {
            summary: "A key is missing that the schema requires.",
            title: "is missing",
            message: "{message}",
            hint: "{hint}",
            related: "wanted here" => at.clone(),
            cause: of_every.clone().map(Cause::EveryRecord),
            fix: Unsafe,
            meaning: "The schema requires this key (`required`, `dependentRequired`). Of a CSV, an empty cell counts as missing where the schema allows neither a string nor null.",
            invalid: "a record without \"answer\" where the schema requires it",
            valid: "the record with its answer",
        }
        UnknownKey { message: String, hint: String, at: Location, of_every: Option<String> } = "schema/unknown-key", Error {
            summary: "A key that the schema does not allow.",
            title: "is not allowed",
            message: "{message}",
            hint: "{hint}",
            related: "refused here" => at.clone(),
            cause: of_every.clone().map(Cause::EveryRecord),
            fix: Either,
            meaning: "The schema allows only the keys that it names (`additionalProperties`, `unevaluatedProperties`, `propertyNames`).",
            invalid: "\"anser\" where the schema names \"answer\" and no other key",
            valid: "\"answer\"",
        }
        Enum { message: String, hint: String, at: Location } = "schema/enum", Error {
            summary: "A value is none of those that the schema lists.",
            title: "is not one of the allowed values",
            message: "{message}",
            hint: "{hint}",
            related: "listed here" => at.clone(),
            fix: Either,
            meaning: "The schema lists the allowed values (`enum`, `const`). They are compared as JSON: letters, case and spaces count.",
            invalid: "\"Easy\" where the schema lists easy and hard",
            valid: "\"easy\"",
        }
        Pattern { message: String, hint: String, at: Location } = "schema/pattern", Error {
            summary: "A string does not match the pattern of the schema.",
            title: "does not match the pattern",
            message: "{message}",
            hint: "{hint}",
            related: "wanted here" => at.clone(),
            meaning: "The schema has a regular expression for the string (`pattern`). It may match anywhere in the string unless it begins with ^ and ends with $.",
            invalid: "\"q7\" where the pattern is ^q-[0-9]+$",
            valid: "\"q-7\"",
        }
        Format { message: String, hint: String, at: Location } = "schema/format", Error {
            summary: "A string is not in the format that the schema names.",
            title: "is not in the format",
            message: "{message}",
            hint: "{hint}",
            related: "wanted here" => at.clone(),
            meaning: "The schema names a format such as date-time or uri (`format`). Formats are held against strings only if that is asked for, because JSON Schema takes them as a remark.",
            invalid: "\"30/11/2026\" where the format is date",
            valid: "\"2026-11-30\"",
        }
        Length { message: String, hint: String, at: Location } = "schema/length", Error {
            summary: "A string is shorter or longer than the schema allows.",
            title: "has the wrong length",
            message: "{message}",
            hint: "{hint}",
            related: "wanted here" => at.clone(),
            meaning: "The schema bounds the number of characters (`minLength`, `maxLength`); a character is a Unicode code point.",
            invalid: "an empty string where minLength is 1",
            valid: "a string of one character or more",
        }
        Range { message: String, hint: String, at: Location } = "schema/range", Error {
            summary: "A number is outside of the range of the schema.",
            title: "is out of range",
            message: "{message}",
            hint: "{hint}",
            related: "wanted here" => at.clone(),
            meaning: "The schema bounds the number (`minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf`).",
            invalid: "2 where the maximum is 1",
            valid: "0.5",
        }
        Size { message: String, hint: String, at: Location } = "schema/size", Error {
            summary: "An array or an object has other elements than the schema allows.",
            title: "has the wrong elements",
            message: "{message}",
            hint: "{hint}",
            related: "wanted here" => at.clone(),
            meaning: "The schema bounds the number of elements or members, requires that elements differ, or that some of them fit (`minItems`, `maxItems`, `uniqueItems`, `contains`, `minProperties`, `maxProperties` and those like them).",
            invalid: "an empty array where minItems is 1",
            valid: "an array of one element or more",
        }
        Alternatives { message: String, hint: String, at: Location } = "schema/alternatives", Error {
            summary: "A value fits none of the alternatives of the schema, or one that is excluded.",
            title: "fits no alternative",
            message: "{message}",
            hint: "{hint}",
            related: "wanted here" => at.clone(),
            meaning: "The schema has several alternatives (`anyOf`, `oneOf`), or excludes some values (`not`).",
            invalid: "{\"text\": 1} where the value is a string, or an object with a string \"text\"",
            valid: "{\"text\": \"1\"}",
        }
        Nothing { message: String, hint: String, at: Location } = "schema/nothing-allowed", Error {
            summary: "There is a value where the schema allows none.",
            title: "is not allowed",
            message: "{message}",
            hint: "{hint}",
            related: "refused here" => at.clone(),
            meaning: "The schema is `false` here: no value is valid.",
            invalid: "a value for a property whose schema is false",
            valid: "the record without it",
        }
        TooSlow { message: String, hint: String, at: Location } = "schema/too-slow", Error {
            summary: "A regular expression of the schema takes too many steps.",
            message: "neither this record nor later ones can be judged: {message}",
            hint: "{hint}",
            related: "this expression" => at.clone(),
            cause: Cause::File("schema/too-slow".to_owned()),
            meaning: "Some regular expressions with lookaround or backreferences take exponential time for some strings. Whether such a string matches is not decided: from there on no record is held against the schema, none counts as valid, and the file counts as not checked.",
            invalid: "^(?=(a+)+$) and a string of fifty a and a b",
            valid: "^a+$",
        }
    }
}

impl UserSchemaProblem {
    /// The problem of a violation, wanted at a place in the schema. `of_every` is a key of the record that every other record may have, or lack, too: then only the
    /// first finding is listed.
    pub(super) fn of(
        rule: SchemaRule,
        message: String,
        hint: String,
        at: Location,
        of_every: Option<String>,
    ) -> AnyProblem {
        let problem = match rule {
            SchemaRule::Type => Self::Type { message, hint, at },
            SchemaRule::Required => Self::Required { message, hint, at, of_every },
            SchemaRule::UnknownKey => Self::UnknownKey { message, hint, at, of_every },
            SchemaRule::Enum => Self::Enum { message, hint, at },
            SchemaRule::Pattern => Self::Pattern { message, hint, at },
            SchemaRule::Format => Self::Format { message, hint, at },
            SchemaRule::Length => Self::Length { message, hint, at },
            SchemaRule::Range => Self::Range { message, hint, at },
            SchemaRule::Size => Self::Size { message, hint, at },
            SchemaRule::Alternatives => Self::Alternatives { message, hint, at },
            SchemaRule::Nothing => Self::Nothing { message, hint, at },
            SchemaRule::TooSlow => Self::TooSlow { message, hint, at },
        };
        problem.into()
    }
}
