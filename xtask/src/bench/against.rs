//! The page and the command of another revision, built by its own `cargo xtask build` and with the compiler of this one.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::Built;
use crate::process::{built_program, cargo, output, run, timed};

/// Builds a revision in a worktree below `target/bench/against`. The worktree and cargo's output are kept: the next revision builds
/// faster, and this one need not be built again. Returns its commit too.
pub(super) fn build(revision: &str, page: bool, command: bool) -> Result<(String, Built)> {
    let git = || {
        let mut git = Command::new("git");
        git.current_dir(crate::root());
        git
    };
    let commit =
        output(git().args(["rev-parse", "--verify", "--short=10"]).arg(format!("{revision}^{{commit}}")))?;
    let commit = commit.trim();
    let folder = super::folder().join("against");
    let (worktree, target, kept) = (folder.join("worktree"), folder.join("target"), folder.join(commit));
    let (dist, program) =
        (kept.join("dist"), kept.join(format!("evalcheck{}", std::env::consts::EXE_SUFFIX)));
    let (build_page, build_command) = (page && !dist.exists(), command && !program.exists());
    if build_page || build_command {
        fs::create_dir_all(&kept)?;
        if worktree.exists() {
            run(git().arg("-C").arg(&worktree).args(["checkout", "--quiet", "--force", "--detach", commit]))?;
        } else {
            // By force, because the worktree may be registered from before `target` was removed.
            run(git()
                .args(["worktree", "add", "--quiet", "--force", "--detach"])
                .arg(&worktree)
                .arg(commit))?;
        }
    }
    let cargo = || {
        let mut cargo = cargo();
        cargo.current_dir(&worktree).env("CARGO_TARGET_DIR", &target).env_remove("EVALCHECK_TARGET");
        cargo
    };
    if build_page {
        timed(&format!("building the page of {commit}"), || run(cargo().args(["xtask", "build"])))?;
        keep(&worktree.join("dist"), &dist)?;
    }
    if build_command {
        let mut build = cargo();
        build.args(["build", "--quiet", "--release", "--package", "evalcheck-cli", "--bin", "evalcheck"]);
        let program_built =
            timed(&format!("compiling the command of {commit}"), || built_program(&mut build, "evalcheck"))?;
        keep(&program_built, &program)?;
    }
    Ok((commit.to_owned(), Built { dist: page.then_some(dist), command: command.then_some(program) }))
}

/// Moves a built file to a place where the next build does not replace it.
fn keep(built: &Path, kept: &Path) -> Result<()> {
    fs::rename(built, kept).with_context(|| format!("cannot move {} to {}", built.display(), kept.display()))
}
