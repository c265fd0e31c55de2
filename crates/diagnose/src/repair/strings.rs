//! Strings in the place of values of other types.

use evalcheck_core::excerpt::clip;
use evalcheck_report::Applicability::{Safe, Unsafe};

use super::{Repair, Repairer, is_name};
use crate::advice::{in_range, such_as};
use crate::fix::value::{Guess, is_boolean, is_exact_number, localized, wrapped};
use crate::fix::{is_one_entry, json_string};
use crate::value::Value;
use evalcheck_json::schema::Schema;

/// The length of the longest list in a hint, in characters.
const LONGEST_LIST: usize = 200;

/// The text that JavaScript makes of an object.
const LOST_OBJECT: &str = "[object Object]";

impl Repairer<'_> {
    /// A string in place of another type.
    pub(super) fn of_string(self, value: &Value<'_>, text: &str, schema: &'static Schema) -> Repair {
        let replaced = |safety, advice: String, title: &'static str, by: &str| {
            self.repair(safety, &|| advice.clone(), &|fix| fix.titled(title).replace(value.span.clone(), by))
        };
        if let Some(number) = &schema.number {
            let trimmed = text.trim();
            if let Some(found) = trimmed.parse::<f64>().ok().filter(|found| found.is_finite()) {
                if !number.has_in_range(found) {
                    return self.hint(&|| in_range(number));
                }
                let advice = "Write the number without quotes.".to_owned();
                let safety = is_exact_number(trimmed).then_some(Safe);
                return replaced(safety, advice, "Write the number without quotes", trimmed);
            }
            if !number.integer
                && let Some((number, title)) = localized(text)
            {
                let advice = format!("Write a number, such as {number}.");
                return replaced(Some(Unsafe), advice, title, &number);
            }
        }
        if schema.boolean && is_boolean(text) {
            let word = text.trim().to_ascii_lowercase();
            let advice =
                if text == word { format!("Write {word} without quotes.") } else { format!("Write {word}.") };
            return replaced(Some(Safe), advice, "Write the word without quotes", &word);
        }
        if text.split(',').all(|part| part.trim() == LOST_OBJECT) {
            return self.hint(&|| {
                format!("JavaScript wrote {LOST_OBJECT} in place of an object, whose content is lost here. Export it again with JSON.stringify.")
            });
        }
        let repair = self.encoded(value, text, schema).or_else(|| self.separated(value, text, schema));
        repair.unwrap_or_else(|| self.enclosed(value, text, schema))
    }

    /// A text of several names, separated by commas, in place of a list of names.
    fn separated(self, value: &Value<'_>, text: &str, schema: &'static Schema) -> Option<Repair> {
        schema.array.as_ref().filter(|array| is_name(array.items))?;
        let names = || text.split(',').map(str::trim).filter(|name| !name.is_empty());
        (text.contains(',') && names().next().is_some()).then(|| {
            let list = || format!("[{}]", names().map(json_string).collect::<Vec<_>>().join(", "));
            self.repair(
                (!text.contains('\u{fffd}')).then_some(Unsafe),
                &|| format!("Split the text at its commas: {}.", clip(&list(), LONGEST_LIST)),
                &|fix| {
                    fix.titled("Split the text at its commas, which guesses that none belongs to a name")
                        .replace(value.span.clone(), list())
                },
            )
        })
    }

    /// A text that the schema requires inside a list or an object.
    fn enclosed(self, value: &Value<'_>, text: &str, schema: &'static Schema) -> Repair {
        let advice = || format!("Write {}.", such_as(schema, value));
        let raw = self.text(&value.span).map(|raw| if self.is_kept { raw } else { "" });
        let Some((wrapped, guess)) = raw.and_then(|raw| wrapped(raw, schema)) else {
            return self.hint(&advice);
        };
        let (safety, title) = match guess {
            Guess::Role => (Unsafe, "Put the text where the schema has one, with a guessed role"),
            Guess::OneEntry if !is_one_entry(text) => {
                (Unsafe, "Put the text in a list, which guesses that it is one entry")
            }
            Guess::OneEntry | Guess::Nothing => (Safe, "Put the text where the schema has one"),
        };
        self.repair(Some(safety), &advice, &|fix| {
            fix.titled(title).replace(value.span.clone(), wrapped.as_str())
        })
    }
}
