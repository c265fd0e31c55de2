//! The effect of links, pipes and devices in a folder on its check.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const RECORD: &str =
    "{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]},\"usage_output\":null}\n";

const FIXABLE: &str = "{'input':{'messages':[{'role':'user','content':'Hi'}]},'usage_output':null}\n";

fn run(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalcheck"));
    command.current_dir(folder).args(args).stdin(Stdio::null()).env("SECRET", "{\"zebra\":").output().unwrap()
}

/// Standard output and standard error.
fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&*output.stdout, &*output.stderr].concat()).into_owned()
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// A folder `data` with a dataset.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("data")).unwrap();
    fs::write(folder.path().join("data/a.jsonl"), RECORD).unwrap();
    folder
}

#[test]
fn a_folder_opens_neither_the_system_nor_pipes() {
    let folder = folder();
    let data = folder.path().join("data");
    symlink("/proc/self/environ", data.join("b.jsonl")).unwrap();
    symlink("/proc/self/environ", data.join("environ")).unwrap();
    symlink("/dev/zero", data.join("c.json")).unwrap();
    symlink("/sys/kernel/notes", data.join("d.csv")).unwrap();
    symlink("b.jsonl", data.join("e.jsonl")).unwrap();
    pipe(&data.join("f.jsonl"));
    pipe(&data.join("pipe"));
    symlink("pipe", data.join("g.jsonl")).unwrap();
    let _socket = UnixListener::bind(data.join("h.jsonl")).unwrap();
    for command in [&["check"][..], &["stats"], &["find", "zebra"], &["loaded"], &["fix", "--in-place"]] {
        for what in [&["data"][..], &["data/*"], &["data", "--no-follow"]] {
            let output = run(folder.path(), &[command, what].concat());
            let text = said(&output);
            assert_eq!(output.status.code(), Some(3), "{command:?}: {text}");
            assert!(!text.contains("SECRET"), "{command:?}: {text}");
            for name in ["f.jsonl: a named pipe", "h.jsonl: a socket"] {
                assert!(text.contains(name), "{command:?}: {text}");
            }
            let is_named = what.contains(&"--no-follow")
                || text.contains("data/b.jsonl: a link to /proc/")
                    && text.contains("data/c.json: a link to /dev/zero");
            assert!(is_named, "{command:?}: {text}");
        }
    }
    // A named file is opened.
    let named = run(folder.path(), &["check", "data/environ"]);
    assert_eq!(named.status.code(), Some(1), "{}", said(&named));
    let script = format!(
        "cat data/a.jsonl | '{0}' /dev/stdin && '{0}' <(cat data/a.jsonl)",
        env!("CARGO_BIN_EXE_evalcheck")
    );
    let output = Command::new("bash").current_dir(folder.path()).args(["-c", &script]).output().unwrap();
    assert_eq!(said(&output).matches(": valid (juryarena): 1 record").count(), 2, "{}", said(&output));
}

#[test]
fn a_link_to_a_file_is_followed_and_its_target_named() {
    let folder = folder();
    fs::create_dir(folder.path().join("blobs")).unwrap();
    fs::write(folder.path().join("blobs/0a1b"), RECORD).unwrap();
    symlink("../blobs/0a1b", folder.path().join("data/b.jsonl")).unwrap();
    symlink("../blobs", folder.path().join("data/more")).unwrap();
    symlink("gone", folder.path().join("data/readme.txt")).unwrap();
    let output = run(folder.path(), &["check", "data"]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let target = fs::canonicalize(folder.path().join("blobs/0a1b")).unwrap();
    assert!(
        text.contains(&format!("data/b.jsonl: note: This is a link to {}.\n", target.display())),
        "{text}"
    );
    assert!(text.contains("data/b.jsonl: valid (juryarena)"), "{text}");
    assert!(
        text.contains("evalcheck: data/more: this link to ") && text.contains(" is not followed: "),
        "{text}"
    );
    let json = run(folder.path(), &["check", "data", "--output", "jsonl"]);
    assert!(said(&json).contains(&format!("\"This is a link to {}.\"", target.display())), "{}", said(&json));
    symlink("gone", folder.path().join("data/c.jsonl")).unwrap();
    let output = run(folder.path(), &["check", "data"]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains("data/c.jsonl: a link to gone: no such file"), "{}", said(&output));
}

#[test]
fn no_link_is_followed_where_that_is_asked_for() {
    let folder = folder();
    fs::write(folder.path().join("outside.jsonl"), "zebra").unwrap();
    symlink("../outside.jsonl", folder.path().join("data/b.jsonl")).unwrap();
    symlink("data", folder.path().join("link")).unwrap();
    let output = run(folder.path(), &["check", "--no-follow", "data"]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("data/b.jsonl: this link to ../outside.jsonl is not followed: "), "{text}");
    for named in ["data/b.jsonl", "link", "link/a.jsonl"] {
        let output = run(folder.path(), &["check", "--no-follow", named]);
        assert_eq!(output.status.code(), Some(3), "{named}: {}", said(&output));
        assert!(said(&output).contains("--no-follow leaves out"), "{named}: {}", said(&output));
        assert_ne!(run(folder.path(), &["check", named]).status.code(), Some(3));
    }
    fs::remove_file(folder.path().join("data/a.jsonl")).unwrap();
    let nothing = run(folder.path(), &["check", "--no-follow", "data"]);
    assert_eq!(nothing.status.code(), Some(3), "nothing was judged: {}", said(&nothing));
}

#[test]
fn nothing_is_written_through_a_link_that_leads_out() {
    let folder = folder();
    let outside = folder.path().join("outside.jsonl");
    fs::write(&outside, FIXABLE).unwrap();
    fs::write(folder.path().join("data/inside.txt"), FIXABLE).unwrap();
    symlink("../outside.jsonl", folder.path().join("data/out.jsonl")).unwrap();
    symlink("inside.txt", folder.path().join("data/in.jsonl")).unwrap();
    for args in [
        &["fix", "--in-place", "data"][..],
        &["fix", "--in-place", "data/*.jsonl"],
        &["fix", "--in-place", "data/out.jsonl"],
        &["check", "--fix", "data"],
        &["check", "--fix", "data/out.jsonl"],
    ] {
        let output = run(folder.path(), args);
        assert_eq!(output.status.code(), Some(3), "{args:?}: {}", said(&output));
        assert!(said(&output).contains("data/out.jsonl: a link out of its folder, to "), "{}", said(&output));
        assert_eq!(fs::read_to_string(&outside).unwrap(), FIXABLE, "{args:?}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("data/inside.txt")).unwrap(), RECORD);
    assert!(fs::symlink_metadata(folder.path().join("data/in.jsonl")).unwrap().is_symlink());
    // The user named the folder, so files are replaced even if it is a link.
    symlink("data", folder.path().join("link")).unwrap();
    fs::write(folder.path().join("data/a.jsonl"), FIXABLE).unwrap();
    run(folder.path(), &["fix", "--in-place", "link/a.jsonl"]);
    assert_eq!(fs::read_to_string(folder.path().join("data/a.jsonl")).unwrap(), RECORD);
}

#[test]
fn what_a_check_reads_beside_datasets_is_a_file() {
    for name in ["evalcheck.toml", "pyproject.toml", ".gitignore", ".ignore", "deep/.gitignore"] {
        for target in [None, Some("/dev/zero"), Some("/proc/self/environ")] {
            let folder = folder();
            fs::create_dir(folder.path().join("data/deep")).unwrap();
            let path = folder.path().join("data").join(name);
            match target {
                None => pipe(&path),
                Some(target) => symlink(target, &path).unwrap(),
            }
            let output = run(folder.path(), &["check", "data"]);
            let expected = if name.ends_with("toml") { 2 } else { 3 };
            assert_eq!(output.status.code(), Some(expected), "{name} {target:?}: {}", said(&output));
            let why = target.map_or("a named pipe".to_owned(), |_| "a link to /".to_owned());
            assert!(said(&output).contains(&why), "{name}: {}", said(&output));
        }
    }
    let folder = folder();
    pipe(&folder.path().join("pipe"));
    fs::write(folder.path().join("evalcheck.toml"), "baseline = \"pipe\"").unwrap();
    let output = run(folder.path(), &["check", "data"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("pipe: a named pipe"), "{}", said(&output));
    // A configuration may be a link to another file.
    fs::write(folder.path().join("shared"), "select = [\"json\"]").unwrap();
    fs::remove_file(folder.path().join("evalcheck.toml")).unwrap();
    symlink("shared", folder.path().join("evalcheck.toml")).unwrap();
    assert_eq!(run(folder.path(), &["check", "data"]).status.code(), Some(0));
}
