//! The messages between the page and a page that embeds it, version 1. `docs/embed.md` describes them for authors of the other side;
//! `www/embed/embed.js` is the other side.
//!
//! Every message is an object `{ evalcheck: 1, type, .. }`, a structured clone. Two of them make the connection: the embedded page sends
//! `hello` to its parent, and the parent answers `connect` with a `MessagePort`. All other messages use that port. A message of another
//! version, of another type or with a field of the wrong type is not answered.
//!
//! Both structs are flat, with one optional field for each value that any message has: serde reads and writes them with a fraction of the
//! code that an internally tagged enum takes.

use serde::{Deserialize, Serialize};

use crate::user_schema::SchemaFile;
use crate::worker::Progress;
use evalcheck_report::Report;

/// The version of the messages.
pub const VERSION: u32 = 1;

/// Options of the embedded page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// A format of the catalogue, with a version after a space if one is chosen; `None` detects it from the content.
    pub format: Option<String>,
    /// `light`, `dark`, or anything else for the system's.
    pub theme: String,
    /// Without header and examples.
    pub compact: bool,
    /// The frame becomes as tall as the page is.
    pub grow: bool,
    /// A built-in example to begin with: the id of an example of that format, or `format/example`.
    pub example: Option<String>,
    /// The JSON Schema to check against, until the user gives another one; none without one.
    pub schema: Option<SchemaFile>,
}

/// A message of the embedding page, as received.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct FromHost {
    evalcheck: u32,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    id: Option<u32>,
    #[serde(default)]
    format: Option<String>,
    #[serde(default)]
    theme: Option<String>,
    #[serde(default)]
    compact: Option<bool>,
    #[serde(default)]
    grow: Option<bool>,
    #[serde(default)]
    example: Option<String>,
    /// Hosts of earlier versions do not send it.
    #[serde(default)]
    schema: Option<SchemaFile>,
}

/// A request of the embedding page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Connect, over the port that is transferred with the message.
    Connect(Options),
    /// Change the options of the page.
    Configure(Options),
    /// Check the file in the field `file` of the message.
    Check {
        /// The host's number of the check, which the answer repeats.
        id: u32,
    },
}

impl FromHost {
    /// The request; `None` if this version does not know it.
    pub fn into_request(self) -> Option<Request> {
        if self.evalcheck != VERSION {
            return None;
        }
        if self.kind == "check" {
            return self.id.map(|id| Request::Check { id });
        }
        let make = match self.kind.as_str() {
            "connect" => Request::Connect,
            "configure" => Request::Configure,
            _ => return None,
        };
        let some = |text: Option<String>| text.filter(|text| !text.is_empty());
        // A message without one of the fields is not from the host's element; a valid one may follow.
        Some(make(Options {
            format: some(Some(self.format?)),
            theme: self.theme?,
            compact: self.compact?,
            grow: self.grow?,
            example: some(Some(self.example?)),
            schema: self.schema,
        }))
    }
}

/// A message of the embedded page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToHost<'a> {
    evalcheck: u32,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<Progress>,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<&'a Report>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

impl<'a> ToHost<'a> {
    fn of(kind: &'static str) -> Self {
        Self {
            evalcheck: VERSION,
            kind,
            id: None,
            height: None,
            file: None,
            progress: None,
            report: None,
            code: None,
            message: None,
        }
    }

    /// The page is ready to be connected.
    pub fn hello() -> Self {
        Self::of("hello")
    }

    /// The height of the page, in CSS pixels.
    pub fn size(height: f64) -> Self {
        Self { height: Some(height), ..Self::of("size") }
    }

    /// The progress of the check of a file; `id` if the host asked for the check.
    pub fn progress(id: Option<u32>, file: &'a str, progress: Progress) -> Self {
        Self { id, file: Some(file), progress: Some(progress), ..Self::of("progress") }
    }

    /// A check is done.
    pub fn report(id: Option<u32>, report: &'a Report) -> Self {
        Self { id, report: Some(report), ..Self::of("report") }
    }

    /// There will be no report; `message` gives the reason, for a person.
    pub fn error(id: Option<u32>, code: &'static str, message: &'a str) -> Self {
        Self { id, code: Some(code), message: Some(message), ..Self::of("error") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: &str) -> FromHost {
        FromHost { evalcheck: VERSION, kind: kind.into(), ..FromHost::default() }
    }

    /// A message with all fields, as the element of the host sends it.
    fn whole(kind: &str) -> FromHost {
        let text = || Some(String::new());
        let (compact, grow) = (Some(false), Some(false));
        FromHost { format: text(), theme: text(), example: text(), compact, grow, ..message(kind) }
    }

    #[test]
    fn requests_are_known_by_version_and_type() {
        assert_eq!(whole("configure").into_request(), Some(Request::Configure(Options::default())));
        assert_eq!(message("connect").into_request(), None, "another message may have the fields");
        assert_eq!(
            FromHost { format: Some("quest".into()), ..whole("connect") }.into_request(),
            Some(Request::Connect(Options { format: Some("quest".into()), ..Options::default() }))
        );
        assert_eq!(
            FromHost { id: Some(3), ..message("check") }.into_request(),
            Some(Request::Check { id: 3 })
        );
        assert_eq!(message("check").into_request(), None, "a check without a number cannot be answered");
        assert_eq!(message("hello").into_request(), None);
        assert_eq!(FromHost { evalcheck: 2, ..whole("configure") }.into_request(), None);
    }
}
