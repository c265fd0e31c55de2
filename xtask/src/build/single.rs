//! The page as one self-contained HTML file that works from disk.
//!
//! From disk, a browser loads no modules and allows no requests. So the page's script is inline, and elements hold, compressed, the files
//! that the page would fetch; `www/boot/files.js` reads them from there.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::html::{policy, policy_tag, source};
use super::packed::gzip;
use super::tags::{Tag, inline_scripts, tags};
use super::wasm::on_demand_files;
use super::{ENGINE, PAGE_REST, REST, RULES, WORKER_SCRIPT};

/// The name under which `files.js` finds the page's own wasm.
const PAGE: &str = "page.wasm";

/// The built page in a folder as one file.
pub(crate) fn pack(dist: &Path) -> Result<String> {
    let mut page = fs::read_to_string(dist.join("index.html")).context("the folder holds no page")?;
    let read = |address: &str| {
        let path = dist.join(address.trim_start_matches("./"));
        fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let text = |address: &str| Ok::<_, anyhow::Error>(String::from_utf8(read(address)?)?);

    let worker =
        tags(&page, "meta").into_iter().find(|tag| tag.attribute("name") == Some("evalcheck-worker"));
    let script = worker.as_ref().and_then(|tag| tag.attribute("content")).context("no worker is named")?;
    let folder =
        script.strip_suffix(WORKER_SCRIPT).context("the worker's script has another name")?.to_owned();
    let start = Start::find(&page)?;
    let mut data = element(PAGE, &read(&start.wasm)?)?;
    let is_there = |name: &&str| dist.join(&folder).join(name).is_file();
    let rests = [REST, PAGE_REST].into_iter().filter(is_there).map(ToOwned::to_owned);
    for name in [ENGINE, RULES].map(ToOwned::to_owned).into_iter().chain(rests).chain(on_demand_files()) {
        data += &element(&name, &read(&format!("{folder}{name}"))?)?;
    }
    data += &element(WORKER_SCRIPT, &read(&format!("{folder}{WORKER_SCRIPT}"))?)?;
    let module = module(&text(&start.glue)?, is_there(&PAGE_REST))?;

    let mut styles = Vec::new();
    let mut changes = vec![(start.tag.range, module)];
    for link in tags(&page, "link") {
        let address = link.attribute("href").unwrap_or_default();
        let inline = match link.attribute("rel") {
            Some("stylesheet") => {
                let style = text(address)?;
                ensure!(
                    !style.contains("url(") && !style.contains("</"),
                    "{address} does not fit into the page"
                );
                styles.push(source(&style));
                format!("<style>{style}</style>")
            }
            // Its address contains it.
            Some("icon") => continue,
            // Preloads, and files that are only needed to install the page.
            _ => String::new(),
        };
        changes.push((link.range, inline));
    }
    let first = tags(&page, "script").into_iter().next().context("the page has no script")?.range.start;
    changes.push((first..first, data));
    changes.sort_by_key(|(range, _)| range.start);
    for (range, text) in changes.into_iter().rev() {
        page.replace_range(range, &text);
    }
    with_policy(page, &styles)
}

/// The script that starts the page.
struct Start {
    tag: Tag,
    glue: String,
    wasm: String,
}

impl Start {
    fn find(page: &str) -> Result<Self> {
        let between = |text: &str, before: &str| -> Option<String> {
            Some(text.split_once(before)?.1.split_once('\'')?.0.to_owned())
        };
        tags(page, "script")
            .into_iter()
            .find_map(|tag| {
                let text = &page[tag.content.clone()];
                let (glue, wasm) = (between(text, "import('")?, between(text, "asset('page.wasm', '")?);
                Some(Self { tag, glue, wasm })
            })
            .context("index.html has no script with `import('./` and `asset('page.wasm', './`")
    }
}

/// The page's script, inline, with the call that starts it. The rest of its module is there from the start: it could not be loaded later.
fn module(glue: &str, is_split: bool) -> Result<String> {
    ensure!(glue.contains("__wbg_init as default"), "wasm-bindgen names its beginning differently");
    ensure!(!glue.contains("</script"), "the page's script does not fit into the page");
    ensure!(!glue.lines().any(|line| line.starts_with("import ")), "the page's script wants other files");
    let rest =
        if is_split { format!("await evalcheckFiles.module(\"{PAGE_REST}\")") } else { "null".to_owned() };
    Ok(format!(
        "<script type=\"module\">await evalcheckBoot.painted;\n{glue}\nconst rest = {rest}; evalcheckBoot.pageStarted(await __wbg_init({{ module_or_path: evalcheckFiles.asset(\"{PAGE}\") }}), rest);</script>"
    ))
}

/// An element that holds a file.
fn element(name: &str, content: &[u8]) -> Result<String> {
    Ok(format!("<script type=\"application/gzip\" id=\"{name}\">{}</script>\n", packed(content)?))
}

/// Bytes as text that a script element can hold: base64 of gzip.
pub(super) fn packed(content: &[u8]) -> Result<String> {
    Ok(BASE64_STANDARD.encode(gzip(content)?))
}

/// The same policy for inline content, without the sources for other files: there are none.
fn with_policy(mut page: String, styles: &[String]) -> Result<String> {
    let mut policy = policy(&page)?;
    policy.forget(|source| source == "'self'" || source.starts_with("'sha256-"));
    for script in inline_scripts(&page) {
        policy.allow("script-src", source(&page[script]))?;
    }
    policy.add("style-src", &styles.iter().map(String::as_str).collect::<Vec<_>>());
    let tag = policy_tag(&page)?;
    let element = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
    page.replace_range(tag.range, &element);
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INDEX: &str = concat!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'sha256-old='; ",
        "style-src 'self'; img-src 'self' data: blob:; connect-src 'self'\">",
        "<meta name=\"evalcheck-worker\" content=\"./worker-1/worker.js\">",
        "<link rel=\"icon\" href=\"data:,\"><link rel=\"manifest\" href=\"./m\"><script>boot()</script>",
        "<link rel=\"stylesheet\" href=\"./a.css\">",
        "<script type=\"module\">const wasm = evalcheckFiles.asset('page.wasm', './page.wasm'); const { default: init } = await import('./page.js'); await init({ module_or_path: wasm });</script>"
    );

    #[test]
    fn everything_is_in_the_file_and_nothing_else_is_allowed() {
        let dist = std::env::temp_dir().join(format!("evalcheck-single-{}", std::process::id()));
        fs::create_dir_all(dist.join("worker-1")).unwrap();
        for (name, content) in [
            ("index.html", INDEX),
            ("a.css", "a { color: red }"),
            ("page.js", "export { __wbg_init as default };"),
            ("page.wasm", "page"),
            ("worker-1/worker.js", "worker"),
            ("worker-1/engine.wasm", "engine"),
            ("worker-1/rules.json", "[]"),
            ("worker-1/regex.wasm", "regex"),
            ("worker-1/markdown.wasm", "markdown"),
            ("worker-1/schema.wasm", "schema"),
        ] {
            fs::write(dist.join(name), content).unwrap();
        }
        let page = pack(&dist).unwrap();
        fs::remove_dir_all(&dist).unwrap();
        for gone in ["./", "'self'", "sha256-old", "manifest", "connect-src"] {
            let without_worker = page.replace("./worker-1/worker.js", "");
            assert!(!without_worker.contains(gone), "{gone} in {page}");
        }
        assert!(page.contains("<style>a { color: red }</style>"));
        assert!(page.contains(&format!("style-src {}", source("a { color: red }"))));
        assert!(page.contains(&format!("'wasm-unsafe-eval' {} 'sha256-", source("boot()"))));
        let at = |text: &str| page.find(text).unwrap();
        assert!(at("id=\"worker.js\"") < at("boot()") && at("boot()") < at("__wbg_init"));
    }
}
