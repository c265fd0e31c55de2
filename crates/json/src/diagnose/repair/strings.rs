//! Strings in the place of values of other types.

use evalcheck_wire::report::Applicability::{Safe, Unsafe};

use super::{Repair, Repairer};
use crate::diagnose::advice::such_as;
use crate::diagnose::fix::is_one_entry;
use crate::diagnose::fix::value::{Guess, is_boolean, is_exact_number, localized, wrapped};
use crate::diagnose::value::Value;
use crate::schema::Schema;

impl Repairer<'_> {
    /// A string where the schema requires another type.
    pub(super) fn of_string(self, value: &Value<'_>, text: &str, schema: &'static Schema) -> Repair {
        let replaced = |safety, advice: String, title: &'static str, by: &str| {
            self.repair(safety, &|| advice.clone(), &|fix| fix.titled(title).replace(value.span.clone(), by))
        };
        if let Some(number) = &schema.number {
            let trimmed = text.trim();
            if trimmed.parse::<f64>().is_ok_and(f64::is_finite) {
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
            let advice = format!("Write {word} without quotes.");
            return replaced(Some(Safe), advice, "Write the word without quotes", &word);
        }
        self.encoded(value, text, schema).unwrap_or_else(|| self.enclosed(value, text, schema))
    }

    /// A text that the schema requires inside of a list or an object.
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
