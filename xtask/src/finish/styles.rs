//! One style sheet instead of several: they are written apart and loaded together, and compress better as one.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::names::content_hash;
use super::tags::{Tag, tags};

/// Joins the style sheets that a page names, in their order, into one file named by its content; gives the page that
/// names it in the place of the first.
pub(super) fn join(folder: &Path, html: &str) -> Result<String> {
    let is_sheet = |tag: &Tag| tag.attribute("rel") == Some("stylesheet");
    let links: Vec<Tag> = tags(html, "link").into_iter().filter(is_sheet).collect();
    let mut styles = String::new();
    for link in &links {
        let path = folder.join(link.attribute("href").context("a style sheet has no address")?);
        let sheet = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        styles.push_str(&sheet);
        styles.push('\n');
        fs::remove_file(&path)?;
    }
    let name = format!("styles-{}.css", content_hash(&styles));
    fs::write(folder.join(&name), styles)?;
    let mut page = html.to_owned();
    for (index, link) in links.into_iter().enumerate().rev() {
        let joined = format!("<link rel=\"stylesheet\" href=\"./{name}\">");
        page.replace_range(link.range, if index == 0 { &joined } else { "" });
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn style_sheets_become_one_in_their_order() {
        let folder = std::env::temp_dir().join(format!("evalcheck-styles-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("one.css"), "a{color:red}").unwrap();
        fs::write(folder.join("two.css"), "b{color:red}").unwrap();
        let html = "<head><link rel=\"icon\" href=\"./i.svg\"><link rel=\"stylesheet\" href=\"./one.css\" \
            integrity=\"sha384-x\"/>\n<link rel=\"stylesheet\" href=\"./two.css\"></head>";
        let page = join(&folder, html).unwrap();
        let links = tags(&page, "link");
        let sheet = folder.join(links[1].attribute("href").unwrap());
        assert_eq!(links.len(), 2, "{page}");
        assert_eq!(fs::read_to_string(sheet).unwrap(), "a{color:red}\nb{color:red}\n");
        assert!(!folder.join("one.css").exists() && !folder.join("two.css").exists());
        fs::remove_dir_all(folder).unwrap();
    }
}
