//! The two releases of Evret whose loaders differ, and the keys by which a file shows for which one it is.

use crate::detect::FileHead;

/// A release, as far as loaders differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    /// The one that the document describes.
    V001,
    /// The latest, which reads the ids of documents under another name.
    V003,
}

impl Version {
    /// The version that a variant of the format has.
    pub(super) fn of_variant(version: &str) -> Self {
        if version == Self::V003.name() { Self::V003 } else { Self::V001 }
    }

    /// `0.0.1`
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::V001 => "0.0.1",
            Self::V003 => "0.0.3",
        }
    }

    /// The name of the list of ids that it reads first.
    pub(super) fn ids(self) -> &'static str {
        match self {
            Self::V001 => "relevant_doc_ids",
            Self::V003 => "expected_doc_ids",
        }
    }

    /// What the other release does with a file that names its ids as this one reads them; `None` where it reads them too.
    pub(super) fn note_of_other(self, is_csv: bool) -> Option<String> {
        let other = match self {
            // It reads the key of a JSON document, and not the column of a CSV.
            Self::V001 if !is_csv => return None,
            Self::V001 => Self::V003,
            Self::V003 => Self::V001,
        };
        let list = if is_csv { "the column" } else { "the key" };
        let (own, ids, name) = (self.name(), self.ids(), other.name());
        Some(format!(
            "Release {own} of Evret reads {list} \"{ids}\". Release {name} does not, and loads the queries without these ids; \
            if you use release {name}, check for it with --format evret --format-version {name}."
        ))
    }

    /// The version that a file is written for, and why.
    pub(super) fn detect(head: &FileHead<'_>) -> (Self, String) {
        let named = |key: &&&str| head.mentions(&[key]);
        let of = |version: Self, keys: &[&str]| {
            let key = keys.iter().find(named)?;
            Some((version, format!("{key}, as in release {}", version.name())))
        };
        of(Self::V003, &[Self::V003.ids()])
            .or_else(|| of(Self::V001, &[Self::V001.ids(), "relevant_docs"]))
            .unwrap_or_else(|| {
                let why = format!("nothing says for which release, so {} is taken", Self::V001.name());
                (Self::V001, why)
            })
    }
}
