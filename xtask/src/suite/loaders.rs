//! The systems whose loaders the step `loaders` runs.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::choice::changed_since;
use super::step::Suite;

/// The system that the quick suite tries where no folder of a system has changed.
const USUAL: &str = "evret";

/// The tests of the examples of rules, which need the loaders of several systems.
const OF_RULES: &str = "rules";

/// The systems to try, by the ids of their formats.
pub(super) struct Tried {
    pub(super) systems: Vec<String>,
    /// The packages for Python: a name, and the file that lists them.
    environments: Vec<(String, PathBuf)>,
}

impl Tried {
    pub(super) fn has(&self, system: &str) -> bool {
        self.systems.iter().any(|tried| tried == system)
    }

    /// The packages for Python that the loaders need. Their names begin with the id of the format.
    pub(super) fn environments(&self) -> impl Iterator<Item = (&str, &Path)> {
        let is_needed = |name: &str| self.systems.iter().any(|system| name.starts_with(&**system));
        let all = self.environments.iter().map(|(name, path)| (&**name, &**path));
        all.filter(move |(name, _)| is_needed(name))
    }

    /// The files of tests.
    pub(super) fn tests(&self) -> Vec<String> {
        self.systems.iter().map(|system| format!("{system}.test.js")).collect()
    }
}

/// All systems in the full suite; in the quick one those whose folder the last commit or the working tree changes, or else one.
pub(super) fn tried(suite: Suite, folder: &Path) -> Result<Tried> {
    let (mut systems, mut environments) = (Vec::new(), Vec::new());
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if let Some(system) = name.strip_suffix(".test.js") {
            systems.push(system.to_owned());
        } else if let Some(name) =
            name.strip_prefix("requirements-").and_then(|name| name.strip_suffix(".txt"))
        {
            environments.push((name.to_owned(), path.clone()));
        }
    }
    systems.sort();
    if suite == Suite::Quick {
        // Without a history, as in an archive of the sources, all count as changed.
        let changed = changed_since("HEAD~1").unwrap_or_else(|_| vec!["crates/formats/src/".to_owned()]);
        systems = chosen(systems, &changed);
    }
    Ok(Tried { systems, environments })
}

/// The systems whose folder is among changed paths.
fn chosen(systems: Vec<String>, changed: &[String]) -> Vec<String> {
    let is_all = changed.iter().any(|path| path == "crates/formats/src/");
    let has_changed = |system: &String| {
        let module = format!("crates/formats/src/{}", system.replace('-', "_"));
        let tests = format!("tests/loaders/{system}");
        changed.iter().any(|path| path.starts_with(&module) || path.starts_with(&tests))
    };
    let mut of_systems = systems.into_iter().filter(|system| system != OF_RULES);
    let some: Vec<String> = of_systems.by_ref().filter(|system| is_all || has_changed(system)).collect();
    if some.is_empty() { vec![USUAL.to_owned()] } else { some }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_suite_tries_the_systems_that_have_changed() {
        let systems = || ["evret", "hf-datasets", "quest", "rules"].map(str::to_owned).to_vec();
        let of =
            |paths: &[&str]| chosen(systems(), &paths.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(of(&["README.md", "tests/loaders/support.js"]), [USUAL]);
        assert_eq!(of(&["crates/formats/src/hf_datasets/csv.rs"]), ["hf-datasets"]);
        assert_eq!(of(&["crates/formats/src/quest.rs", "tests/loaders/evret.test.js"]), ["evret", "quest"]);
        assert_eq!(of(&["crates/formats/src/"]), ["evret", "hf-datasets", "quest"]);
    }
}
