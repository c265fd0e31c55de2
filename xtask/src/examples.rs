//! The example sites of `www/examples/`, built into `target/examples/` for the browser tests, which serve them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process::output;
use crate::{npm, python};

/// The path below which the browser tests serve the sites: `VitePress` has to know it.
const BASE: &str = "/docs/";

/// The result of building them.
pub(crate) struct Built {
    /// The names of the sites that were built.
    pub(crate) sites: Vec<&'static str>,
    /// The reason why a site was not built.
    pub(crate) missing: Option<String>,
}

/// Builds all sites. Without Python there is no `MkDocs`, which is not a failure.
pub(crate) fn build() -> Result<Built> {
    let sources = crate::root().join("www").join("examples");
    let folder = crate::root().join("target").join("examples");
    // No test may use a site of an earlier build.
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let mut sites = vec!["plain", "vitepress"];
    plain(&sources.join("plain"), &folder.join("plain"))?;
    vitepress(&sources.join("vitepress"), &folder.join("vitepress"))?;
    let source = sources.join("mkdocs");
    let environment = python::environment("mkdocs", &source.join("requirements.txt"), "MkDocs Material");
    let missing = match environment {
        Ok(python) => {
            mkdocs(&python, &source, &folder.join("mkdocs"))?;
            sites.push("mkdocs");
            None
        }
        Err(error) => Some(format!("no MkDocs Material, and its site is NOT TESTED: {error:#}")),
    };
    Ok(Built { sites, missing })
}

fn plain(source: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(source).with_context(|| format!("there is no {}", source.display()))? {
        let path = entry?.path();
        fs::copy(&path, to.join(path.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

fn vitepress(source: &Path, to: &Path) -> Result<()> {
    npm::install_locked(source)?;
    let script: PathBuf = ["node_modules", "vitepress", "bin", "vitepress.js"].iter().collect();
    let mut command = npm::node()?;
    command
        .arg(source.join(script))
        .args(["build", "--outDir"])
        .arg(to)
        .current_dir(source)
        .env("SITE_BASE", format!("{BASE}vitepress/"));
    output(&mut command).map(drop)
}

fn mkdocs(python: &Path, source: &Path, to: &Path) -> Result<()> {
    let mut command = Command::new(python);
    command.args(["-m", "mkdocs", "build", "--quiet", "--strict", "--config-file"]);
    output(command.arg(source.join("mkdocs.yml")).arg("--site-dir").arg(to)).map(drop)
}
