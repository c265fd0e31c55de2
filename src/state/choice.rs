//! The format that a file is to be checked against.

use yew::AttrValue;
use yew::html::ImplicitClone;

/// A format that the person chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FormatChoice {
    /// Its id in the catalogue.
    pub(crate) id: AttrValue,
    /// One of its versions; `None` lets the content decide.
    pub(crate) version: Option<AttrValue>,
}

impl ImplicitClone for FormatChoice {}

impl FormatChoice {
    /// A format in any of its versions.
    pub(crate) fn of(id: &str) -> Self {
        Self { id: AttrValue::from(id.to_owned()), version: None }
    }

    /// What a selector's option carries; `None` for the one that lets the content decide.
    pub(crate) fn from_value(value: &str) -> Option<Self> {
        match value.split_once(' ') {
            _ if value.is_empty() => None,
            None => Some(Self::of(value)),
            Some((id, version)) => {
                Some(Self { version: Some(AttrValue::from(version.to_owned())), ..Self::of(id) })
            }
        }
    }

    /// The value of a selector's option.
    pub(crate) fn value(id: &str, version: Option<&str>) -> String {
        [id, version.unwrap_or_default()].join(" ").trim_end().to_owned()
    }

    /// True for the option of this format and version.
    pub(crate) fn is(&self, id: &str, version: Option<&str>) -> bool {
        self.id.as_str() == id && self.version.as_deref() == version
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_says_format_and_version() {
        assert_eq!(FormatChoice::from_value(""), None);
        for (id, version) in [("quest", None), ("eee-instance", Some("0.3.0"))] {
            let choice = FormatChoice::from_value(&FormatChoice::value(id, version)).unwrap();
            assert!(choice.is(id, version));
        }
    }
}
