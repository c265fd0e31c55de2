//! The releases of Evret whose loaders differ, and the keys that show for which one a file is written.

use crate::detect::FileHead;

/// A release, as far as loaders differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    /// The release that the document describes.
    V001,
    /// A release of one month, which reads no ids of documents. It is never detected, only named.
    V002,
    /// The latest, which reads the ids of documents under another name.
    V003,
}

impl Version {
    /// The version of a variant of the format.
    pub(super) fn of_variant(version: &str) -> Self {
        let is_named = |known: &Self| known.name() == version;
        [Self::V002, Self::V003].into_iter().find(is_named).unwrap_or(Self::V001)
    }

    /// `0.0.1`
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::V001 => "0.0.1",
            Self::V002 => "0.0.2",
            Self::V003 => "0.0.3",
        }
    }

    /// The name of the list of ids that it reads first; `None` if it reads none.
    pub(super) fn ids(self) -> Option<&'static str> {
        match self {
            Self::V001 => Some("relevant_doc_ids"),
            Self::V002 => None,
            Self::V003 => Some("expected_doc_ids"),
        }
    }

    /// The lists to score against, all missing, as the beginning of a sentence.
    pub(super) fn nothing_to_score(self) -> &'static str {
        match self {
            Self::V001 => "neither \"relevant_doc_ids\" nor \"expected_answers\" is given",
            Self::V002 => "\"expected_answers\" is not given",
            Self::V003 => "neither \"expected_doc_ids\" nor \"expected_answers\" is given",
        }
    }

    /// The advice if they are missing.
    pub(super) fn advice_of_nothing(self) -> &'static str {
        match self {
            Self::V001 | Self::V003 => {
                "Give the ids of the relevant documents, or the answers that are expected."
            }
            Self::V002 => "Give the answers that are expected.",
        }
    }

    /// The advice for ids under a name that another release reads, but not this one.
    pub(super) fn advice_of_unread(self, name: &str, is_csv: bool) -> String {
        if self == Self::V003 {
            return "Rename it to expected_doc_ids, or choose version 0.0.1 if that release reads the file."
                .to_owned();
        }
        let readers = match name {
            "expected_doc_ids" => "0.0.3",
            "relevant_doc_ids" if !is_csv => "0.0.1 or 0.0.3",
            _ => "0.0.1",
        };
        format!(
            "Choose version {readers} (--format-version) if that release reads the file; release 0.0.2 needs texts in expected_answers."
        )
    }

    /// How other releases treat a file that names its ids for this one; `None` if this one reads no ids.
    pub(super) fn note_of_others(self, is_csv: bool) -> Option<&'static str> {
        Some(match (self, is_csv) {
            (Self::V001, true) => {
                "Release 0.0.1 of Evret reads the column \"relevant_doc_ids\". Releases 0.0.2 and 0.0.3 do not, and load the queries \
                without these ids; if you use one of them, check for it with --format evret --format-version 0.0.2 or 0.0.3."
            }
            // 0.0.3 reads the key of a JSON document, but not the column of a CSV.
            (Self::V001, false) => {
                "Releases 0.0.1 and 0.0.3 of Evret read the key \"relevant_doc_ids\". Release 0.0.2 does not, and loads the queries \
                without these ids; if you use another release than 0.0.1, check for it with --format evret --format-version 0.0.2 or 0.0.3."
            }
            (Self::V002, _) => return None,
            (Self::V003, true) => {
                "Release 0.0.3 of Evret reads the column \"expected_doc_ids\". Releases 0.0.1 and 0.0.2 do not, and load the queries \
                without these ids; if you use one of them, check for it with --format evret --format-version 0.0.1 or 0.0.2."
            }
            (Self::V003, false) => {
                "Release 0.0.3 of Evret reads the key \"expected_doc_ids\". Releases 0.0.1 and 0.0.2 do not, and load the queries \
                without these ids; if you use one of them, check for it with --format evret --format-version 0.0.1 or 0.0.2."
            }
        })
    }

    /// The version that a file is written for, and why.
    pub(super) fn detect(head: &FileHead<'_>, is_csv: bool) -> (Self, String) {
        let has = |key| head.mentions(&[key]);
        let (version, why) = if has("expected_doc_ids") {
            (Self::V003, "expected_doc_ids, as in release 0.0.3")
        } else if has("relevant_docs") {
            (Self::V001, "relevant_docs, as in release 0.0.1")
        } else if has("relevant_doc_ids") && is_csv {
            (Self::V001, "relevant_doc_ids, as in release 0.0.1")
        } else if has("relevant_doc_ids") {
            (
                Self::V001,
                "relevant_doc_ids, which releases 0.0.1 and 0.0.3 read, so 0.0.1 is taken; --format-version chooses another",
            )
        } else {
            (
                Self::V001,
                "nothing says for which release, so 0.0.1 is taken; --format-version chooses another",
            )
        };
        (version, why.to_owned())
    }
}
