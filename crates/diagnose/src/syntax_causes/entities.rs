//! JSON that was copied from an HTML page, with entities in place of quotes.

use crate::parse::Parser;
use crate::syntax_error::SyntaxError;
use crate::syntax_problem::SyntaxProblem;

/// The entities that programs write for characters that HTML does not accept.
const ENTITIES: &[(&[u8], &str)] = &[
    (b"&quot;", "\""),
    (b"&#34;", "\""),
    (b"&#x22;", "\""),
    (b"&amp;", "&"),
    (b"&lt;", "<"),
    (b"&gt;", ">"),
    (b"&#39;", "'"),
    (b"&#x27;", "'"),
    (b"&apos;", "'"),
];

/// An entity of HTML, as written.
pub(crate) struct HtmlEntity {
    /// The number of its bytes.
    pub(crate) length: usize,
    /// Its character.
    pub(crate) character: &'static str,
}

impl HtmlEntity {
    /// The entity at the beginning of these bytes.
    pub(crate) fn at(bytes: &[u8]) -> Option<Self> {
        let (entity, character) = ENTITIES.iter().find(|(entity, _)| bytes.starts_with(entity))?;
        Some(Self { length: entity.len(), character })
    }
}

impl Parser<'_> {
    /// The error at an entity in place of a quote.
    pub(super) fn entity(&self) -> Option<SyntaxError> {
        let entity = HtmlEntity::at(&self.bytes[self.at..]).filter(|entity| entity.character == "\"")?;
        let span = self.at..self.at + entity.length;
        let name = format!(
            "an entity of HTML, {}, in place of a quote",
            String::from_utf8_lossy(&self.bytes[span.clone()])
        );
        let advice = "Replace the entities of HTML by their characters, &quot; by \" and &amp; by &: the record was copied out of a page.".to_owned();
        Some(self.error(span, |column| SyntaxProblem::StrayCharacter { column, name, advice }))
    }
}
