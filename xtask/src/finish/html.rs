//! The finishing touches to `index.html`: the worker's address, and the content security policy.

use anyhow::{Result, bail, ensure};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

const WORKER: &str = "__EVALCHECK_WORKER__";
const SCRIPT_HASHES: &str = "__EVALCHECK_SCRIPT_HASHES__";
/// Stands in the script that Trunk adds under `trunk serve`, until Trunk's server replaces it.
const RELOAD_SCRIPT: &str = "__TRUNK_ADDRESS__";

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
    let policies = html.matches(SCRIPT_HASHES).count();
    ensure!(
        policies == 1,
        "the content security policy in index.html needs {SCRIPT_HASHES} once, it is there {policies} times"
    );
    if html.contains(RELOAD_SCRIPT) {
        // The server changes that script as it sends it, and the script talks to the server.
        remove_element_around(&mut html, SCRIPT_HASHES);
    } else {
        let hashes: Vec<String> = inline_scripts(&html).into_iter().map(source_hash).collect();
        html = html.replace(SCRIPT_HASHES, &hashes.join(" "));
    }
    Ok(html)
}

/// A script's text as a source of a content security policy.
fn source_hash(script: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(script)))
}

/// What stands between `<script>` and `</script>` wherever the element has no `src`.
fn inline_scripts(html: &str) -> Vec<&str> {
    // Same length as `html`, so places in one are places in the other.
    let lower = html.to_ascii_lowercase();
    let mut scripts = Vec::new();
    let mut from = 0;
    while let Some(start) = lower[from..].find("<script").map(|at| from + at) {
        let Some(open_end) = lower[start..].find('>').map(|at| start + at + 1) else { break };
        let Some(close) = lower[open_end..].find("</script").map(|at| open_end + at) else { break };
        let attributes = &lower[start + "<script".len()..open_end];
        if !attributes.split_ascii_whitespace().any(|attribute| attribute.starts_with("src=")) {
            scripts.push(&html[open_end..close]);
        }
        from = close;
    }
    scripts
}

/// Removes the tag in which a text stands.
fn remove_element_around(html: &mut String, text: &str) {
    if let Some(at) = html.find(text)
        && let Some(start) = html[..at].rfind('<')
        && let Some(end) = html[at..].find('>').map(|end| at + end + 1)
    {
        html.replace_range(start..end, "");
    }
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
        assert!(
            done.contains("script-src 'self' 'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='\""),
            "{done}"
        );
        assert!(done.contains("content=\"./worker-1/worker.js\""));
        assert!(!done.contains("__EVALCHECK"));
    }

    #[test]
    fn line_ends_of_another_system_do_not_change_the_hash() {
        let unix = PAGE.replace("alert(", "\nalert(");
        let windows = unix.replace('\n', "\r\n");
        assert_eq!(finish(&unix, "./w.js").unwrap(), finish(&windows, "./w.js").unwrap());
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
}
