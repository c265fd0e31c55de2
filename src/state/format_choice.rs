//! The format to check against.

use yew::AttrValue;
use yew::html::ImplicitClone;

/// A format that the user chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FormatChoice {
    /// Its id in the catalogue.
    pub(crate) id: AttrValue,
    /// One of its versions; `None` detects the version by content.
    pub(crate) version: Option<AttrValue>,
}

impl ImplicitClone for FormatChoice {}

impl FormatChoice {
    /// A format in any version.
    pub(crate) fn any_version(id: &str) -> Self {
        Self { id: AttrValue::from(id.to_owned()), version: None }
    }

    /// Parses the value of an `<option>`; `None` for the option that detects the format by content.
    pub(crate) fn from_value(value: &str) -> Option<Self> {
        match value.split_once(' ') {
            _ if value.is_empty() => None,
            None => Some(Self::any_version(value)),
            Some((id, version)) => {
                Some(Self { version: Some(AttrValue::from(version.to_owned())), ..Self::any_version(id) })
            }
        }
    }

    /// The value of an `<option>`.
    pub(crate) fn value(id: &str, version: Option<&str>) -> String {
        [id, version.unwrap_or_default()].join(" ").trim_end().to_owned()
    }

    /// Whether it is this format and version.
    pub(crate) fn is(&self, id: &str, version: Option<&str>) -> bool {
        self.id.as_str() == id && self.version.as_deref() == version
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
            assert!(choice.is(id, version));
        }
    }
}
