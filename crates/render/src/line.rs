//! A line of text output whose parts have roles, so that a terminal can colour them.

use std::borrow::Cow;
use std::fmt::{self, Display};

use evalcheck_report::text::Inert;
use evalcheck_report::{Severity, Verdict};

/// One line of text output, without a line break at its end. `Display` writes its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line(pub Vec<Part>);

/// A part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its role.
    pub role: Role,
    /// Its text.
    pub text: String,
}

/// The role of a part of a line, which determines its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Text without an emphasis.
    Plain,
    /// The message of a finding, and the word before a note.
    Strong,
    /// The severity of a finding with its code, and the mark below a quoted line.
    Severity(Severity),
    /// The line number and the bar before a quoted line.
    Margin,
    /// The word before a hint.
    Help,
    /// The match of a search.
    Match,
    /// Less important text.
    Dimmed,
    /// The verdict on a file.
    Verdict(Verdict),
}

impl Line {
    /// A line of parts.
    ///
    /// ```
    /// use evalcheck_render::line::{Line, Role};
    ///
    /// let line = Line::of([(Role::Help, "  help: ".to_owned()), (Role::Plain, "Add the key.".to_owned())]);
    /// assert_eq!(line.to_string(), "  help: Add the key.");
    /// ```
    pub fn of(parts: impl IntoIterator<Item = (Role, String)>) -> Self {
        Self(parts.into_iter().map(|(role, text)| Part { role, text }).collect())
    }

    /// The parts as they are shown: text of a dataset has no effect, even across two parts.
    pub fn shown(&self) -> impl Iterator<Item = (Role, Cow<'_, str>)> {
        let mut line = Inert::default();
        self.0.iter().map(move |part| (part.role, line.joined(&part.text)))
    }
}

impl Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shown().try_for_each(|(_, text)| f.write_str(&text))
    }
}
