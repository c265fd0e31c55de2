//! The version of a release. CHANGELOG.md determines it, so that the released version is the documented one.

use std::fs;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::process::{cargo, output, say};

/// The heading of the changes since the last release.
const UNRELEASED: &str = "Unreleased";

/// The variable in which GitHub names the repository whose workflow runs, as `owner/name`.
const REPOSITORY_VARIABLE: &str = "GITHUB_REPOSITORY";

/// A manifest, and its version.
type Manifest = (String, String);

/// The version of this release, on which CHANGELOG.md and all manifests agree, with the tag if there is one.
pub(super) fn checked(tag: Option<&str>) -> Result<String> {
    let changelog =
        fs::read_to_string(crate::root().join("CHANGELOG.md")).context("there is no CHANGELOG.md")?;
    let package = fs::read_to_string(crate::root().join("crates/js/package.json"))?;
    let package: Value = serde_json::from_str(&package).context("crates/js/package.json is not JSON")?;
    let packages = packages()?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut manifests: Vec<Manifest> = packages
        .iter()
        .map(|package| (format!("Cargo.toml of {}", text(&package["name"])), text(&package["version"])))
        .collect();
    manifests.push(("crates/js/package.json".to_owned(), text(&package["version"])));
    let version = agreed(released(&changelog)?.as_deref(), &manifests, tag)?;
    if tag.is_some()
        && let Ok(repository) = std::env::var(REPOSITORY_VARIABLE)
    {
        let named = packages.iter().filter_map(|package| package["repository"].as_str());
        let named = named.map(|url| ("Cargo.toml", url));
        let npm = package["repository"]["url"].as_str().unwrap_or_default();
        belongs_to(&repository, named.chain([("crates/js/package.json", npm)]))?;
    }
    Ok(version)
}

/// Fails if a manifest names another repository on GitHub than `owner/name`: people and registries would look for it there.
fn belongs_to<'a>(repository: &str, named: impl Iterator<Item = (&'a str, &'a str)>) -> Result<()> {
    for (manifest, url) in named {
        // npm writes `git+https://github.com/owner/name.git`.
        let address = url.trim_start_matches("git+").trim_end_matches(".git");
        ensure!(
            address.strip_prefix("https://github.com/") == Some(repository),
            "the repository in {manifest} is {url:?}, and the release is of {repository}"
        );
    }
    Ok(())
}

/// The metadata of cargo for the packages of the workspace.
pub(super) fn packages() -> Result<Vec<Value>> {
    let metadata = output(cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let mut metadata: Value = serde_json::from_str(&metadata).context("cargo did not write JSON")?;
    match metadata["packages"].take() {
        Value::Array(packages) => Ok(packages),
        _ => bail!("cargo names no packages"),
    }
}

/// The version of the latest release in a changelog: its first heading except `Unreleased`, such as `## 1.2.0 (2026-11-27)`.
fn released(changelog: &str) -> Result<Option<String>> {
    let headings = changelog.lines().filter_map(|line| line.strip_prefix("## "));
    let Some(heading) = headings.map(str::trim).find(|heading| *heading != UNRELEASED) else {
        return Ok(None);
    };
    let version = heading.split_whitespace().next().unwrap_or_default();
    let numbers: Vec<&str> = version.split('-').next().unwrap_or_default().split('.').collect();
    let is_version = numbers.len() == 3 && numbers.iter().all(|number| number.parse::<u32>().is_ok());
    ensure!(is_version, "CHANGELOG.md: the heading {heading:?} has no version such as 1.2.0");
    Ok(Some(version.to_owned()))
}

/// The common version of the changelog, of the manifests and of the tag. Before the first release, and without a tag, that of the
/// manifests.
fn agreed(released: Option<&str>, manifests: &[Manifest], tag: Option<&str>) -> Result<String> {
    let version = match (released, manifests) {
        (Some(version), _) => version,
        (None, _) if tag.is_some() => bail!("CHANGELOG.md has no release: give {UNRELEASED:?} its version"),
        (None, [(_, version), ..]) => {
            say(format!("NOTE: CHANGELOG.md has no release; what is built is called {version}"));
            version
        }
        (None, []) => bail!("there is no manifest"),
    };
    for (name, found) in manifests {
        ensure!(found == version, "{name} has version {found:?}, and the release is {version}");
    }
    if let Some(tag) = tag {
        ensure!(tag == format!("v{version}"), "the tag is {tag:?}, and the release is {version}");
    }
    Ok(version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifests(versions: [&str; 2]) -> Vec<Manifest> {
        ["Cargo.toml", "package.json"]
            .iter()
            .zip(versions)
            .map(|(name, version)| ((*name).to_owned(), version.to_owned()))
            .collect()
    }

    #[test]
    fn the_changelog_has_the_version() {
        let of = |text: &str| released(text).unwrap();
        assert_eq!(of("# Changelog\n\n## Unreleased\n\n- More\n"), None);
        assert_eq!(of("## Unreleased\n## 1.2.0 (2026-11-27)\n## 1.1.0\n").as_deref(), Some("1.2.0"));
        assert_eq!(of("## 2.0.0-rc.1\n").as_deref(), Some("2.0.0-rc.1"));
        for heading in ["## Soon\n", "## 1.2\n", "## v1.2.0\n", "## \n"] {
            assert!(released(heading).is_err(), "{heading}");
        }
    }

    #[test]
    fn versions_that_differ_are_no_release() {
        let same = manifests(["1.2.0", "1.2.0"]);
        assert_eq!(agreed(Some("1.2.0"), &same, Some("v1.2.0")).unwrap(), "1.2.0");
        assert_eq!(agreed(None, &same, None).unwrap(), "1.2.0");
        let message =
            |released, manifests: &[Manifest], tag| agreed(released, manifests, tag).unwrap_err().to_string();
        assert!(message(Some("1.2.1"), &same, None).contains("Cargo.toml"));
        assert!(message(Some("1.2.0"), &manifests(["1.2.0", "1.1.0"]), None).contains("package.json"));
        assert!(message(None, &manifests(["1.2.0", "1.1.0"]), None).contains("package.json"));
        for tag in ["1.2.0", "v1.2", "v1.2.1"] {
            assert!(message(Some("1.2.0"), &same, Some(tag)).contains("tag"), "{tag}");
        }
        assert!(message(None, &same, Some("v1.2.0")).contains("CHANGELOG.md"));
    }

    #[test]
    fn manifests_name_the_repository_of_the_release() {
        let is_ours = |url| belongs_to("owner/evalcheck", [("Cargo.toml", url)].into_iter());
        for url in ["https://github.com/owner/evalcheck", "git+https://github.com/owner/evalcheck.git"] {
            assert!(is_ours(url).is_ok(), "{url}");
        }
        for url in ["", "https://github.com/OWNER/evalcheck", "https://example.org/owner/evalcheck"] {
            assert!(is_ours(url).unwrap_err().to_string().contains("Cargo.toml"), "{url}");
        }
    }

    /// A version that `dist` refuses to build is found before a release.
    #[test]
    fn the_versions_of_this_workspace_agree() {
        checked(None).unwrap();
    }
}
