//! Anomalies: bytes, characters, keys and numbers that a reader accepts but that systems treat differently.

use std::mem::discriminant;
use std::ops::Range;

/// An unusual detail that the parser noted in a record that is valid JSON. [`check_anomalies`](super::check_anomalies) decides by the
/// format whether to report it, and as which problem.
#[derive(Debug, Clone, PartialEq)]
pub enum Anomaly {
    /// Bytes of a text that are not UTF-8.
    InvalidUtf8(TextSpans),
    /// A key that occurs more than once in its object.
    DuplicateKey {
        /// The later key.
        key: Range<usize>,
        /// The first one.
        first: Range<usize>,
    },
    /// An integer that loses digits as a 64-bit float.
    InexactInteger(Range<usize>),
    /// Escapes of a text that are half of a surrogate pair.
    LoneSurrogate(TextSpans),
    /// `\u0000` in a text.
    Nul(TextSpans),
    /// An escape `\b` or `\f` of a text that is probably a backslash that was not doubled.
    SingleBackslash(TextSpans),
}

/// The spans of one text that have the same anomaly, as a summary: there may be as many as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextSpans {
    /// The first.
    pub first: Range<usize>,
    /// The end of the last.
    pub end: usize,
    /// The number of spans.
    pub count: usize,
}

impl From<Range<usize>> for TextSpans {
    fn from(only: Range<usize>) -> Self {
        Self { end: only.end, first: only, count: 1 }
    }
}

impl Anomaly {
    /// Its bytes in the record; for a duplicate key, the bytes of the later key.
    pub fn span(&self) -> Range<usize> {
        match self {
            Self::DuplicateKey { key: span, .. } | Self::InexactInteger(span) => span.clone(),
            Self::InvalidUtf8(spans)
            | Self::LoneSurrogate(spans)
            | Self::Nul(spans)
            | Self::SingleBackslash(spans) => spans.first.clone(),
        }
    }

    /// Adds it to the anomalies of a record. The first `before` of them are in other texts.
    pub fn note(self, before: usize, anomalies: &mut Vec<Self>) {
        let same = anomalies[before..].iter_mut().find(|other| discriminant(*other) == discriminant(&self));
        match (same.and_then(Self::in_text_mut), self.in_text()) {
            (Some(known), Some(further)) => {
                known.end = further.end;
                known.count += further.count;
            }
            _ => anomalies.push(self),
        }
    }

    /// The spans of an anomaly that a text may have many times.
    pub(super) fn in_text(&self) -> Option<&TextSpans> {
        match self {
            Self::InvalidUtf8(spans)
            | Self::LoneSurrogate(spans)
            | Self::Nul(spans)
            | Self::SingleBackslash(spans) => Some(spans),
            Self::DuplicateKey { .. } | Self::InexactInteger(_) => None,
        }
    }

    fn in_text_mut(&mut self) -> Option<&mut TextSpans> {
        match self {
            Self::InvalidUtf8(spans)
            | Self::LoneSurrogate(spans)
            | Self::Nul(spans)
            | Self::SingleBackslash(spans) => Some(spans),
            Self::DuplicateKey { .. } | Self::InexactInteger(_) => None,
        }
    }
}
