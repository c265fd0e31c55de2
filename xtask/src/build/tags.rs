//! Finds tags in our own index.html; not a parser for HTML in general.

use std::ops::Range;

/// A start tag; for a script, with its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag {
    /// Its range; for a script up to the end tag.
    pub(super) range: Range<usize>,
    /// The range between start tag and end tag; empty except for scripts.
    pub(super) content: Range<usize>,
    /// The start tag.
    text: String,
}

impl Tag {
    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let start = self.text.to_ascii_lowercase().find(&format!(" {name}="))? + name.len() + 2;
        let rest = &self.text[start..];
        match rest.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next(),
            None => rest.split(['>', ' ', '\n']).next(),
        }
    }
}

/// All elements with a name: `script`, `link`, `meta`.
pub(super) fn tags(html: &str, name: &str) -> Vec<Tag> {
    // The same length as `html`, so that positions in one are valid in the other.
    let lower = html.to_ascii_lowercase();
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = lower[from..].find(&format!("<{name}")).map(|at| from + at) {
        let Some(open_end) = lower[start..].find('>').map(|at| start + at + 1) else { break };
        let text = html[start..open_end].to_owned();
        let mut tag = Tag { range: start..open_end, content: open_end..open_end, text };
        if name == "script" {
            let Some(close) = lower[open_end..].find("</script>").map(|at| open_end + at) else { break };
            tag.content = open_end..close;
            tag.range.end = close + "</script>".len();
        }
        from = tag.range.end;
        found.push(tag);
    }
    found
}

/// The ranges of the content of inline scripts.
pub(super) fn inline_scripts(html: &str) -> Vec<Range<usize>> {
    let scripts = tags(html, "script").into_iter();
    // A script element with another type holds data.
    let runs = |tag: &Tag| matches!(tag.attribute("type"), None | Some("module"));
    scripts.filter(|tag| runs(tag) && tag.attribute("src").is_none()).map(|tag| tag.content).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_their_attributes_are_found() {
        let html = r#"<LINK rel="a" href="./x.css"><link data-x rel=b /><script src="y"></script><script type="module">1 < 2</script>"#;
        let links = tags(html, "link");
        assert_eq!(links.len(), 2);
        assert_eq!((links[0].attribute("rel"), links[0].attribute("href")), (Some("a"), Some("./x.css")));
        assert_eq!((links[1].attribute("rel"), links[1].attribute("href")), (Some("b"), None));
        let scripts = inline_scripts(html);
        assert_eq!(scripts.into_iter().map(|range| &html[range]).collect::<Vec<_>>(), ["1 < 2"]);
    }
}
