//! The finishing touches to `index.html`: the worker's address, and the content security policy.

use anyhow::{Context, Result, bail, ensure};

use super::names::integrity;
use super::policy::Policy;
use super::tags::{Tag, inline_scripts, tags};

const WORKER: &str = "__EVALCHECK_WORKER__";
const SCRIPT_HASHES: &str = "__EVALCHECK_SCRIPT_HASHES__";
/// Stands in the script that Trunk adds under `trunk serve`, until Trunk's server replaces it.
const RELOAD_SCRIPT: &str = "__TRUNK_ADDRESS__";

/// Whether Trunk will serve the page and change it as it does.
pub(super) fn is_watched(html: &str) -> bool {
    html.contains(RELOAD_SCRIPT)
}

/// Puts in the worker's address and the hashes of the inline scripts.
///
/// # Errors
/// When a placeholder is missing, or an address is not relative: the page would not work, and would say so only in
/// somebody's browser.
pub(super) fn finish(html: &str, worker: &str) -> Result<String> {
    // A browser reads `\r\n` as `\n` before it hashes a script.
    let mut html = html.replace("\r\n", "\n");
    ensure!(
        html.matches(WORKER).count() == 1,
        "index.html needs `<meta name=\"evalcheck-worker\" content=\"{WORKER}\">` exactly once"
    );
    html = html.replace(WORKER, worker);
    for absolute in ["=\"/", "='/", "from '/", "from \"/", "path: '/"] {
        if let Some(at) = html.find(absolute) {
            let context: String = html[at..].chars().take(60).collect();
            bail!(
                "index.html has an address that is not relative, so it works only at the root of a host: {context}"
            );
        }
    }
    ensure!(html.matches(SCRIPT_HASHES).count() == 1, "the policy in index.html needs {SCRIPT_HASHES} once");
    if is_watched(&html) {
        // The server changes that script as it sends it, and the script talks to the server.
        let policy = policy_tag(&html)?;
        html.replace_range(policy.range, "");
    } else {
        for script in inline_scripts(&html).into_iter().rev() {
            let text = without_comments(&html[script.clone()]);
            html.replace_range(script, &text);
        }
        let hashes: Vec<String> = inline_scripts(&html).into_iter().map(|at| source(&html[at])).collect();
        html = html.replace(SCRIPT_HASHES, &hashes.join(" "));
    }
    Ok(html)
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

/// A script of ours or of wasm-bindgen without indentation and without the lines that only comment: a visitor loads them,
/// and who wants to read finds them in the sources.
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
        "<meta name=\"evalcheck-worker\" content=\"__EVALCHECK_WORKER__\">\n",
        "<script src=\"./a.js\"></script><SCRIPT type=\"module\">alert('Hello, world.');</SCRIPT></head>"
    );

    #[test]
    fn inline_scripts_are_allowed_by_their_hash() {
        let done = finish(PAGE, "./worker-1/worker.js").unwrap();
        // The example of the specification: the hash of exactly these bytes.
        let hash = "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='";
        assert!(done.contains(&format!("script-src 'self' {hash}\"")), "{done}");
        assert!(done.contains("content=\"./worker-1/worker.js\""));
        assert!(!done.contains("__EVALCHECK"));
        assert_eq!(policy(&done).unwrap().to_string(), format!("script-src 'self' {hash}"));
    }

    #[test]
    fn comments_and_line_ends_of_another_system_do_not_change_the_hash() {
        let unix = PAGE.replace("alert(", "\n  // Says hello.\n  /** So. */\n  alert(");
        let windows = unix.replace('\n', "\r\n");
        assert_eq!(finish(&unix, "./w.js").unwrap(), finish(&windows, "./w.js").unwrap());
        assert!(finish(&unix, "./w.js").unwrap().contains("sha256-qznLcsROx4GACP2dm0UCKCzCG"));
    }

    #[test]
    fn a_page_that_would_not_work_is_refused() {
        assert!(finish(&PAGE.replace(WORKER, ""), "./w.js").is_err());
        assert!(finish(&PAGE.replace(SCRIPT_HASHES, ""), "./w.js").is_err());
        assert!(finish(&PAGE.replace("./a.js", "/a.js"), "./w.js").is_err());
    }

    #[test]
    fn the_policy_makes_way_for_the_reload_script() {
        let served = PAGE.replace("alert(", "connect('{{__TRUNK_ADDRESS__}}', ");
        let done = finish(&served, "./w.js").unwrap();
        assert!(!done.contains("Content-Security-Policy"));
        assert!(done.contains("./w.js"));
    }

    #[test]
    fn comments_are_left_out_and_code_is_not() {
        let script = "// Why.\n/** What. */\nconst a = 1; // kept\n  /**\n   * More.\n   */\n  f(a);\n\n";
        assert_eq!(without_comments(script), "const a = 1; // kept\nf(a);");
    }
}
