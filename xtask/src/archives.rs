//! Prepares `tests/archives`: the command, the constructed archives, and programs that write and read archives.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::process::{TESTED, built_example, say};
use crate::{debian, npm, python};

/// Programs, and the Debian packages that contain them. A `jar` is only used if there is one.
const PROGRAMS: [(&str, &str); 4] =
    [("unzip", "unzip"), ("zip", "zip"), ("7z", "p7zip-full"), ("bsdtar", "libarchive-tools")];

/// Node.js in the folder of the tests, with everything they need to run a command.
pub(crate) fn tests(command: &Path) -> Result<Command> {
    let folder = crate::root().join("tests").join("archives");
    npm::install_locked(&folder)?;
    for (program, package) in PROGRAMS {
        // The tests report missing programs.
        if which::which(program).is_err()
            && let Err(error) = debian::install(package)
        {
            say(format!("NOTE: {error:#}"));
        }
    }
    let mut node = npm::node()?;
    node.current_dir(folder)
        .env("EVALCHECK_CLI", command)
        .env("EVALCHECK_ARCHIVES", built_example(&TESTED, "archives")?);
    if let Some(python) = python::system() {
        node.env("EVALCHECK_PYTHON", python);
    }
    Ok(node)
}

/// Shows the counts of the tests, and the programs that were missing.
pub(crate) fn show_counts(output: &str) {
    for line in
        output.lines().filter_map(|line| line.trim_start_matches(['#', ' ']).strip_prefix("archives: "))
    {
        say(line);
    }
}
