//! The built `index.html`, made from the one in the repository, which names sources.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use base64::prelude::{BASE64_STANDARD, Engine as _};

use super::names::{integrity, write_hashed};
use super::policy::Policy;
use super::tags::{Tag, inline_scripts, tags};
use super::wasm::Module;

const WORKER: &str = "__EVALCHECK_WORKER__";
const BYTES: &str = "__EVALCHECK_BYTES__";
const REST_BYTES: &str = "__EVALCHECK_REST_BYTES__";
const SCRIPT_HASHES: &str = "__EVALCHECK_SCRIPT_HASHES__";
/// The names of the page's script and its module in index.html.
const PAGE_SCRIPT: &str = "./page.js";
const PAGE_WASM: &str = "./page.wasm";
/// The folder of sources in index.html.
const SOURCES: &str = "./www/";

/// Replaces the references to `www/`: scripts become inline, style sheets are joined into one file whose name gets a hash, the icon
/// becomes a data URL.
pub(super) fn with_sources(html: &str, root: &Path, dist: &Path) -> Result<String> {
    let read = |address: &str| {
        fs::read_to_string(root.join(address)).with_context(|| format!("index.html names {address}"))
    };
    let mut changes = Vec::new();
    for tag in tags(html, "script") {
        if let Some(address) = tag.attribute("src").filter(|address| address.starts_with(SOURCES)) {
            changes.push((tag.range.clone(), format!("<script>{}</script>", read(address)?)));
        }
    }
    let mut styles = String::new();
    let mut sheets = Vec::new();
    for tag in tags(html, "link") {
        let Some(address) = tag.attribute("href").filter(|address| address.starts_with(SOURCES)) else {
            continue;
        };
        if tag.attribute("rel") == Some("stylesheet") {
            styles.push_str(&without_comments(&read(address)?));
            styles.push('\n');
            sheets.push(tag.range.clone());
        } else {
            // A browser loads the icon again with each change of the fragment, and the page makes no request after it has loaded.
            let icon = format!("data:image/svg+xml;base64,{}", BASE64_STANDARD.encode(read(address)?));
            changes.push((tag.range.clone(), html[tag.range.clone()].replace(address, &icon)));
        }
    }
    let sheet = write_hashed(dist, "styles", "css", styles.as_bytes())?;
    let links = std::iter::once(format!("<link rel=\"stylesheet\" href=\"./{sheet}\">"))
        .chain(std::iter::repeat(String::new()));
    changes.extend(sheets.into_iter().zip(links));
    changes.sort_by_key(|(range, _)| range.start);
    let mut page = html.to_owned();
    for (range, text) in changes.into_iter().rev() {
        page.replace_range(range, &text);
    }
    Ok(page)
}

/// Writes the page's module and script under names with a hash, and replaces the references to them.
pub(super) fn with_module(html: &str, module: &Module, dist: &Path) -> Result<String> {
    let wasm = write_hashed(dist, "page", "wasm", &fs::read(&module.wasm)?)?;
    let script = write_hashed(dist, "page", "js", without_comments(&module.script()?).as_bytes())?;
    for address in [PAGE_SCRIPT, PAGE_WASM] {
        ensure!(html.contains(address), "index.html does not load {address}");
    }
    Ok(html.replace(PAGE_SCRIPT, &format!("./{script}")).replace(PAGE_WASM, &format!("./{wasm}")))
}

/// The worker's script: the scripts of the engine and of the modules that it loads on demand, between its own.
pub(super) fn worker_script(root: &Path, engine: &Module, on_demand: &[Module]) -> Result<String> {
    let read = |name: &str| {
        let path = root.join(name);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let mut scripts = vec![read("crates/worker/watch.js")?];
    for module in std::iter::once(engine).chain(on_demand) {
        scripts.push(module.joinable_script()?);
    }
    for name in [
        "www/boot/rest.js",
        "crates/worker/modules.js",
        "crates/worker/helpers.js",
        "crates/worker/worker.js",
    ] {
        scripts.push(read(name)?);
    }
    let scripts: Vec<String> = scripts.iter().map(|script| without_comments(script)).collect();
    Ok(scripts.join("\n") + "\n")
}

/// The files that the page loads by script, and their sizes.
pub(super) struct Loaded {
    /// The address of the worker's script.
    pub(super) worker: String,
    /// The bytes of all that a check needs.
    pub(super) bytes: u64,
    /// The bytes of the rests of the engine and of the page; 0 if they are not split.
    pub(super) rest_bytes: u64,
}

/// Fills in the names and sizes of what the page loads, and the hashes of the inline scripts.
///
/// # Errors
/// A placeholder is missing, or an address is not relative: such a page would fail only in the browser.
pub(super) fn finish(html: &str, loaded: &Loaded) -> Result<String> {
    // A browser reads `\r\n` as `\n` before it hashes a script.
    let mut html = html.replace("\r\n", "\n");
    let values = [
        (WORKER, loaded.worker.clone()),
        (BYTES, loaded.bytes.to_string()),
        (REST_BYTES, loaded.rest_bytes.to_string()),
    ];
    for (placeholder, value) in values {
        ensure!(html.matches(placeholder).count() == 1, "index.html needs {placeholder} exactly once");
        html = html.replace(placeholder, &value);
    }
    for absolute in ["=\"/", "='/", "from '/", "from \"/", "path: '/"] {
        if let Some(at) = html.find(absolute) {
            let context: String = html[at..].chars().take(60).collect();
            bail!(
                "index.html has an address that is not relative, so it works only at the root of a host: {context}"
            );
        }
    }
    ensure!(html.matches(SCRIPT_HASHES).count() == 1, "the policy in index.html needs {SCRIPT_HASHES} once");
    for script in inline_scripts(&html).into_iter().rev() {
        let text = without_comments(&html[script.clone()]);
        html.replace_range(script, &text);
    }
    let hashes: Vec<String> = inline_scripts(&html).into_iter().map(|at| source(&html[at])).collect();
    Ok(html.replace(SCRIPT_HASHES, &hashes.join(" ")))
}

/// The policy of a finished page.
pub(super) fn policy(html: &str) -> Result<Policy> {
    let tag = policy_tag(html)?;
    Ok(Policy::parse(tag.attribute("content").context("the policy in index.html is empty")?))
}

/// The element that holds the policy.
pub(super) fn policy_tag(html: &str) -> Result<Tag> {
    let is_policy = |tag: &Tag| tag.attribute("http-equiv") == Some("Content-Security-Policy");
    tags(html, "meta").into_iter().find(is_policy).context("index.html has no content security policy")
}

/// A script or a style as a source of a content security policy.
pub(super) fn source(text: &str) -> String {
    format!("'{}'", integrity(text))
}

/// A script of ours or of wasm-bindgen, or a style sheet, without indentation and without lines that are only comments, to make it
/// smaller.
pub(super) fn without_comments(script: &str) -> String {
    let mut within = false;
    let is_code = |line: &&str| {
        let begins = within || line.starts_with("/*");
        within = begins && !line.contains("*/");
        !(begins || line.is_empty() || line.starts_with("//"))
    };
    script.lines().map(str::trim).filter(is_code).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = concat!(
        "<head><meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'self' __EVALCHECK_SCRIPT_HASHES__\">\n",
        "<meta name=\"evalcheck-worker\" content=\"__EVALCHECK_WORKER__\" data-bytes=\"__EVALCHECK_BYTES__\" data-rest-bytes=\"__EVALCHECK_REST_BYTES__\">\n",
        "<script src=\"./a.js\"></script><SCRIPT type=\"module\">alert('Hello, world.');</SCRIPT></head>"
    );

    fn loaded() -> Loaded {
        Loaded { worker: "./worker-1/worker.js".to_owned(), bytes: 20, rest_bytes: 10 }
    }

    #[test]
    fn inline_scripts_are_allowed_by_their_hash() {
        let done = finish(PAGE, &loaded()).unwrap();
        // The example of the specification: the hash of exactly these bytes.
        let hash = "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='";
        assert!(done.contains(&format!("script-src 'self' {hash}\"")), "{done}");
        assert!(done.contains("content=\"./worker-1/worker.js\" data-bytes=\"20\" data-rest-bytes=\"10\""));
        assert!(!done.contains("__EVALCHECK"));
        assert_eq!(policy(&done).unwrap().to_string(), format!("script-src 'self' {hash}"));
    }

    #[test]
    fn comments_and_line_ends_of_another_system_do_not_change_the_hash() {
        let unix = PAGE.replace("alert(", "\n  // Says hello.\n  /** So. */\n  alert(");
        let windows = unix.replace('\n', "\r\n");
        assert_eq!(finish(&unix, &loaded()).unwrap(), finish(&windows, &loaded()).unwrap());
        assert!(finish(&unix, &loaded()).unwrap().contains("sha256-qznLcsROx4GACP2dm0UCKCzCG"));
    }

    #[test]
    fn a_page_that_would_not_work_is_refused() {
        assert!(finish(&PAGE.replace(WORKER, ""), &loaded()).is_err());
        assert!(finish(&PAGE.replace(SCRIPT_HASHES, ""), &loaded()).is_err());
        assert!(finish(&PAGE.replace("./a.js", "/a.js"), &loaded()).is_err());
    }

    #[test]
    fn sources_are_put_in_joined_or_copied() {
        let root = std::env::temp_dir().join(format!("evalcheck-html-{}", std::process::id()));
        let dist = root.join("dist");
        fs::create_dir_all(root.join("www")).unwrap();
        fs::create_dir_all(&dist).unwrap();
        for (name, content) in
            [("one.css", "a{color:red}"), ("two.css", "b{color:red}"), ("a.js", "go()"), ("i.svg", "<svg/>")]
        {
            fs::write(root.join("www").join(name), content).unwrap();
        }
        let html = "<script src=\"./www/a.js\"></script><link rel=\"icon\" href=\"./www/i.svg\">\
            <link rel=\"stylesheet\" href=\"./www/one.css\">\n<link rel=\"stylesheet\" href=\"./www/two.css\">\
            <link rel=\"manifest\" href=\"./m\">";
        let page = with_sources(html, &root, &dist).unwrap();
        let links = tags(&page, "link");
        let content = |link: &Tag| fs::read_to_string(dist.join(link.attribute("href").unwrap())).unwrap();
        assert_eq!(links.len(), 3, "{page}");
        assert_eq!(links[0].attribute("href"), Some("data:image/svg+xml;base64,PHN2Zy8+"));
        assert_eq!(content(&links[1]), "a{color:red}\nb{color:red}\n");
        assert_eq!(links[2].attribute("href"), Some("./m"));
        assert!(page.starts_with("<script>go()</script><link rel=\"icon\" href=\"data:"), "{page}");
        assert!(with_sources("<script src=\"./www/none.js\"></script>", &root, &dist).is_err());
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn comments_are_left_out_and_code_is_not() {
        let script = "// Why.\n/** What. */\nconst a = 1; // kept\n  /**\n   * More.\n   */\n  f(a);\n\n";
        assert_eq!(without_comments(script), "const a = 1; // kept\nf(a);");
    }
}
