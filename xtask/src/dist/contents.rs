//! The contents of the archive of the command: the program, its manual and completions, and documents.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::archive::Archive;
use crate::process::{output, program_for};

/// The documents of the repository in the archive.
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Shells, and the names of the files in which they look for completions.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "evalcheck.bash"),
    ("zsh", "_evalcheck"),
    ("fish", "evalcheck.fish"),
    ("elvish", "evalcheck.elv"),
    ("powershell", "_evalcheck.ps1"),
];

/// Adds all contents to an archive. `speaker` is the command for this machine.
pub(super) fn add(archive: &mut Archive, target: &str, program: &Path, speaker: &Path) -> Result<()> {
    let content = fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
    archive.add_program(&program_for(target), content);
    for document in DOCUMENTS {
        let content = fs::read(crate::root().join(document));
        archive.add(document, content.with_context(|| format!("there is no {document}"))?);
    }
    for (shell, name) in SHELLS {
        let written = output(Command::new(speaker).args(["completions", shell]))?;
        archive.add(&format!("completions/{name}"), written.into_bytes());
    }
    let main = output(Command::new(speaker).arg("man"))?;
    for command in commands(&main)? {
        let page = output(Command::new(speaker).args(["man", &command]))?;
        archive.add(&format!("man/man1/evalcheck-{command}.1"), page.into_bytes());
    }
    archive.add("man/man1/evalcheck.1", main.into_bytes());
    Ok(())
}

/// The commands to whose pages the main page of the manual refers, as `evalcheck\-check(1)`.
fn commands(main: &str) -> Result<BTreeSet<String>> {
    let references = main.lines().filter_map(|line| {
        line.trim().strip_suffix("(1)")?.replace("\\-", "-").strip_prefix("evalcheck-").map(str::to_owned)
    });
    // The pages themselves describe `help`.
    let commands: BTreeSet<String> = references.filter(|command| command != "help").collect();
    ensure!(commands.contains("check"), "the manual page refers to no page of `evalcheck check`");
    Ok(commands)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_names_the_pages_of_the_commands() {
        let main =
            ".SH SUBCOMMANDS\n.TP\nevalcheck\\-check(1)\nCheck files\n.TP\nevalcheck\\-help(1)\nPrint\n";
        assert_eq!(commands(main).unwrap().into_iter().collect::<Vec<_>>(), ["check"]);
        assert!(commands("no page").is_err());
    }
}
