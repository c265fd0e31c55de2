//! The format to check against.

use yew::AttrValue;
use yew::html::ImplicitClone;

/// The mark of an option in the value of an `<option>`; no version begins with it.
const OPTION: char = '+';

/// A format that the user chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FormatChoice {
    /// Its id in the catalogue.
    pub(crate) id: AttrValue,
    /// One of its versions; `None` detects the version by content.
    pub(crate) version: Option<AttrValue>,
    /// One of its options.
    pub(crate) option: Option<AttrValue>,
}

impl ImplicitClone for FormatChoice {}

impl FormatChoice {
    /// A format in any version.
    pub(crate) fn any_version(id: &str) -> Self {
        Self { id: AttrValue::from(id.to_owned()), version: None, option: None }
    }

    /// Parses the value of an `<option>`, `id`, `id version` or `id +option`; `None` for the option that detects the format by content.
    pub(crate) fn from_value(value: &str) -> Option<Self> {
        let mut words = value.split_whitespace();
        let mut choice = Self::any_version(words.next()?);
        for word in words {
            match word.strip_prefix(OPTION) {
                Some(name) => choice.option = Some(AttrValue::from(name.to_owned())),
                None => choice.version = Some(AttrValue::from(word.to_owned())),
            }
        }
        Some(choice)
    }

    /// The value of the `<option>` of a version.
    pub(crate) fn value(id: &str, version: Option<&str>) -> String {
        [id, version.unwrap_or_default()].join(" ").trim_end().to_owned()
    }

    /// The value of the `<option>` of an option of a format.
    pub(crate) fn value_with(id: &str, option: &str) -> String {
        format!("{id} {OPTION}{option}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_values_round_trip() {
        assert_eq!(FormatChoice::from_value(""), None);
        for (id, version) in [("quest", None), ("eee-instance", Some("0.3.0"))] {
            let choice = FormatChoice::from_value(&FormatChoice::value(id, version)).unwrap();
            assert_eq!((&*choice.id, choice.version.as_deref(), choice.option), (id, version, None));
        }
        let choice = FormatChoice::from_value(&FormatChoice::value_with("openai-finetune", "azure")).unwrap();
        assert_eq!(
            (&*choice.id, choice.version, choice.option.as_deref()),
            ("openai-finetune", None, Some("azure"))
        );
    }
}
