//! Writes the last files of a built page: the service worker, which knows all other files by their hashes, and headers for hosts that
//! read them from a file.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value};

use super::html;
use super::names::{files_below, hash_of, integrity, is_hashed};

const SERVICE_WORKER: &str = "sw.js";
const HEADERS: &str = "_headers";
/// Loaded by other sites, never by the page.
const FOR_OTHERS: [&str; 3] = ["embed.js", "embed.d.ts", "types.d.ts"];
/// The page as one file, if it was built into the same folder.
pub(crate) const SINGLE_FILE: &str = "evalcheck.html";

/// The service worker under `serve --watch`: any other would show its cached build instead of the new one.
const NO_SERVICE_WORKER: &str = "\
addEventListener(\"install\", () => skipWaiting());
addEventListener(\"activate\", (event) => event.waitUntil(registration.unregister()));
";

/// Sites that may show the page in a frame: it has no accounts and nothing that a click could give away, and is made to be embedded.
const ANCESTORS: &[&str] = &["'self'", "https:"];

/// Writes the service worker and the headers of the page in a folder.
pub(crate) fn seal(folder: &Path) -> Result<()> {
    let index = fs::read_to_string(folder.join("index.html")).context("the folder holds no page")?;
    let mut files = files_below(folder)?;
    files.retain(|(path, _)| is_of_the_page(path));
    let mut hashes = Map::new();
    for (path, file) in &files {
        hashes.insert(path.clone(), Value::String(integrity(fs::read(file)?)));
    }
    let template = crate::root().join("www").join(SERVICE_WORKER);
    let template = fs::read_to_string(&template).with_context(|| format!("no {}", template.display()))?;
    let script = service_worker(&template, &hash_of(&files)?, &Value::Object(hashes))?;
    fs::write(folder.join(SERVICE_WORKER), script).context("cannot write sw.js")?;

    let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    fs::write(folder.join(HEADERS), headers(&paths, &index)?).context("cannot write _headers")
}

/// Replaces the service worker of a built page by one that removes itself.
pub(crate) fn without_service_worker(folder: &Path) -> Result<()> {
    fs::write(folder.join(SERVICE_WORKER), NO_SERVICE_WORKER).context("cannot write sw.js")
}

/// Whether the page needs the file to work without a network.
fn is_of_the_page(path: &str) -> bool {
    let beside = [SERVICE_WORKER, HEADERS, SINGLE_FILE].contains(&path) || FOR_OTHERS.contains(&path);
    // Examples of the embed, and files that hosts and systems create.
    !(beside || path.starts_with("examples/") || path.split('/').any(|part| part.starts_with('.')))
}

fn service_worker(template: &str, version: &str, files: &Value) -> Result<String> {
    let mut script = html::without_comments(&template.replace("\r\n", "\n"));
    for (placeholder, value) in
        [("__EVALCHECK_VERSION__", version), ("__EVALCHECK_FILES__", &files.to_string())]
    {
        ensure!(script.matches(placeholder).count() == 1, "www/sw.js needs {placeholder} once");
        script = script.replace(placeholder, value);
    }
    Ok(script + "\n")
}

/// Headers in the format of Netlify and others: a path, and below it, indented, its headers.
fn headers(paths: &[&str], index: &str) -> Result<String> {
    let mut policy = html::policy(index)?;
    policy.add("frame-ancestors", ANCESTORS);
    let policy = format!("Content-Security-Policy: {policy}");
    let fresh = "Cache-Control: no-cache";
    let mut text = String::new();
    let mut rule = |path: &str, headers: &[&str]| {
        writeln!(text, "{path}")?;
        headers.iter().try_for_each(|header| writeln!(text, "  {header}"))
    };
    rule("/*", &["X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer"])?;
    rule("/", &[fresh, &policy])?;
    rule("/index.html", &[fresh, &policy])?;
    rule("/sw.js", &[fresh, "Content-Security-Policy: default-src 'none'; connect-src 'self'"])?;
    // Its name never changes, and other origins may load it only with permission.
    rule(
        "/embed.js",
        &[fresh, "Access-Control-Allow-Origin: *", "Cross-Origin-Resource-Policy: cross-origin"],
    )?;
    for path in paths.iter().filter(|path| **path != "index.html") {
        let lasting =
            if is_hashed(path) { "Cache-Control: public, max-age=31536000, immutable" } else { fresh };
        rule(&format!("/{path}"), &[lasting])?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_service_worker_knows_version_and_files() {
        let template =
            "// Why.\nconst VERSION = \"__EVALCHECK_VERSION__\";\nconst FILES = __EVALCHECK_FILES__;\n";
        let files = serde_json::json!({"index.html": "sha256-x"});
        assert_eq!(
            service_worker(template, "1f", &files).unwrap(),
            "const VERSION = \"1f\";\nconst FILES = {\"index.html\":\"sha256-x\"};\n"
        );
        assert!(service_worker("", "1f", &files).is_err());
    }

    #[test]
    fn files_that_the_page_does_not_load_are_not_kept() {
        for path in ["index.html", "worker-1f2e3d4c5b6a7988/worker.js", "icons/icon-192.png"] {
            assert!(is_of_the_page(path), "{path}");
        }
        for path in [
            "sw.js",
            "_headers",
            "evalcheck.html",
            "embed.js",
            "examples/plain/index.html",
            ".DS_Store",
            ".nojekyll",
        ] {
            assert!(!is_of_the_page(path), "{path}");
        }
    }

    #[test]
    fn only_names_with_a_hash_are_kept_for_long() {
        let index = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">";
        let headers =
            headers(&["index.html", "a-1f2e3d4c5b6a7988.css", "manifest.webmanifest"], index).unwrap();
        let rule = |path: &str| {
            let start = headers.find(&format!("{path}\n")).unwrap();
            headers[start..].lines().skip(1).take_while(|line| line.starts_with(' ')).collect::<String>()
        };
        assert!(rule("/a-1f2e3d4c5b6a7988.css").contains("immutable"));
        for path in ["/", "/index.html", "/sw.js", "/embed.js", "/manifest.webmanifest"] {
            assert!(rule(path).contains("no-cache") && !rule(path).contains("immutable"), "{path}");
        }
        assert!(rule("/index.html").contains("default-src 'none'; frame-ancestors 'self' https:"));
    }
}
