//! Outputs replace no input, no dataset, and nothing before the new file is complete.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const RECORD: &str =
    "{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]},\"usage_output\":null}\n";

const FIXABLE: &str = "{'input':{'messages':[{'role':'user','content':'Hi'}]},'usage_output':null}\n";

const INVALID: &str =
    "{\"input\":{\"messages\":[{\"role\":\"tool\",\"content\":\"Hi\"}]},\"usage_output\":null}\n";

fn run(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalcheck"));
    command.current_dir(folder).args(args).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder with datasets, a plan and parts.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let size = (RECORD.len() + INVALID.len()).to_string();
    fs::write(folder.path().join("a.jsonl"), format!("{RECORD}{INVALID}")).unwrap();
    fs::write(folder.path().join("other.jsonl"), INVALID).unwrap();
    fs::write(folder.path().join("rows.csv"), "query_id,query_text,expected_answers\n1,a,b\n").unwrap();
    fs::write(folder.path().join("data.txt"), format!("\n{INVALID}")).unwrap();
    fs::write(folder.path().join(".hidden.json"), "{}").unwrap();
    fs::write(folder.path().join("a.zip"), "PK\u{3}\u{4}").unwrap();
    assert_eq!(run(folder.path(), &["plan", "a.jsonl", "-o", "a.plan"]).status.code(), Some(0));
    let part = ["part", "a.jsonl", "--plan", "a.plan", "--range", &format!("0-{size}"), "-o", "a.part"];
    assert_eq!(run(folder.path(), &part).status.code(), Some(0));
    folder
}

/// The arguments of each command that writes a file. `OUT` is the path of that file.
fn writing() -> Vec<Vec<&'static str>> {
    let forms =
        ["text", "short", "json", "jsonl", "html", "sarif", "gitlab", "junit", "rdjson", "csv", "markdown"];
    let mut all: Vec<Vec<&str>> =
        forms.iter().map(|form| vec!["check", "a.jsonl", "--output-file", form, "OUT"]).collect();
    all.extend([
        vec!["check", "a.jsonl", "--state", "OUT"],
        vec!["check", "a.jsonl", "--write-baseline", "--baseline", "OUT"],
        vec!["plan", "a.jsonl", "-o", "OUT"],
        vec!["part", "a.jsonl", "--plan", "a.plan", "--range", "0-10", "-o", "OUT"],
        vec!["merge", "a.part", "--into", "OUT"],
        vec!["fix", "a.jsonl", "--rejects", "OUT"],
        vec!["fix", "a.jsonl", "-o", "OUT"],
    ]);
    all
}

/// Runs a command of [`writing`] with a name for `OUT`.
fn write(folder: &Path, command: &[&str], out: &str) -> Output {
    let mut args: Vec<String> = command.iter().map(|arg| arg.replace("OUT", out)).collect();
    if args.get(2).is_some_and(|arg| arg == "--output-file") {
        let out = args.pop().unwrap();
        let form = args.pop().unwrap();
        args.push(format!("{form}={out}"));
    }
    run(folder, &args.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn no_output_replaces_a_dataset_or_an_input() {
    let folder = folder();
    let before = |name: &str| fs::read(folder.path().join(name)).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("a.jsonl", folder.path().join("link")).unwrap();
        fs::hard_link(folder.path().join("a.jsonl"), folder.path().join("hard")).unwrap();
    }
    for command in writing() {
        let mut names =
            vec!["a.jsonl", "./a.jsonl", "other.jsonl", "rows.csv", "data.txt", ".hidden.json", "a.zip"];
        if cfg!(unix) {
            names.extend(["link", "hard"]);
        }
        if command.contains(&"a.plan") {
            names.push("a.plan");
        }
        if command.contains(&"a.part") {
            names.push("a.part");
        }
        for name in names {
            let content = before(name);
            let output = write(folder.path(), &command, name);
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{command:?} {name}: {said}");
            assert!(said.contains(name) && output.stdout.is_empty(), "{command:?} {name}: {said}");
            assert!(before(name) == content, "{command:?} {name}");
        }
    }
}

#[test]
fn an_output_replaces_what_the_same_command_wrote_before() {
    let folder = folder();
    for (number, command) in writing().iter().enumerate() {
        let is_text =
            ["text", "short", "html", "junit", "markdown"].iter().any(|form| command.contains(form));
        // An output without data has no name of a dataset.
        let names = if is_text { vec!["out", "txt"] } else { vec!["json", "jsonl", "csv", "out"] };
        for name in names.iter().map(|extension| format!("{number}.{extension}")) {
            let first = write(folder.path(), command, &name);
            assert_ne!(first.status.code(), Some(2), "{command:?} {name}: {}", text(&first.stderr));
            let content = fs::read(folder.path().join(&name)).unwrap();
            let again = write(folder.path(), command, &name);
            assert_eq!(
                again.status.code(),
                first.status.code(),
                "{command:?} {name}: {}",
                text(&again.stderr)
            );
            assert!(fs::read(folder.path().join(&name)).unwrap() == content, "{command:?} {name}");
        }
    }
    // Also for a dataset without findings, and over an empty file.
    fs::write(folder.path().join("a.jsonl"), RECORD).unwrap();
    for form in ["json", "jsonl", "sarif", "gitlab", "rdjson", "csv"] {
        let command = ["check", "a.jsonl", "--output-file", form, "OUT"];
        fs::write(folder.path().join("empty.json"), "").unwrap();
        for _ in 0..2 {
            let output = write(folder.path(), &command, "empty.json");
            assert_eq!(output.status.code(), Some(0), "{form}: {}", text(&output.stderr));
        }
    }
}

#[test]
fn a_fixed_dataset_replaces_another_one_only_on_demand() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("out.jsonl");
    fs::write(folder.path().join("a.jsonl"), FIXABLE).unwrap();
    fs::write(&path, INVALID).unwrap();
    let refused = run(folder.path(), &["fix", "a.jsonl", "-o", "out.jsonl"]);
    assert_eq!((refused.status.code(), fs::read_to_string(&path).unwrap().as_str()), (Some(2), INVALID));
    assert!(text(&refused.stderr).contains("add --overwrite"), "{}", text(&refused.stderr));
    let replaced = run(folder.path(), &["fix", "a.jsonl", "-o", "out.jsonl", "--overwrite"]);
    assert_eq!((replaced.status.code(), fs::read_to_string(&path).unwrap().as_str()), (Some(0), RECORD));
    let same = run(folder.path(), &["fix", "a.jsonl", "-o", "out.jsonl"]);
    assert_eq!(same.status.code(), Some(0), "the same is written again: {}", text(&same.stderr));
    let own = run(folder.path(), &["fix", "a.jsonl", "-o", "a.jsonl", "--overwrite"]);
    assert_eq!(own.status.code(), Some(2), "{}", text(&own.stderr));
    assert_eq!(fs::read_to_string(folder.path().join("a.jsonl")).unwrap(), FIXABLE);
}

#[test]
fn two_outputs_are_two_files() {
    let folder = folder();
    for args in [
        &["check", "a.jsonl", "--output-file", "json=x", "--output-file", "sarif=./x"][..],
        &["check", "a.jsonl", "--output-file", "json=x", "--state", "x"],
        &["fix", "a.jsonl", "-o", "x", "--rejects", "x"],
    ] {
        let output = run(folder.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("two outputs cannot be one file"), "{}", text(&output.stderr));
        assert!(!folder.path().join("x").exists());
    }
}

#[test]
fn the_outputs_of_a_run_are_not_read_by_it() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.jsonl"), RECORD).unwrap();
    for _ in 0..2 {
        let output =
            run(folder.path(), &["check", ".", "--output-file", "jsonl=b.jsonl", "--output-file", "sarif=c"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout), "a.jsonl: valid (juryarena): 1 record\n");
    }
}

/// A run that ends early keeps the previous file, and leaves no other file.
#[test]
fn an_output_that_is_not_complete_has_no_name() {
    let folder = folder();
    fs::write(folder.path().join("report"), "as it was").unwrap();
    let files = || fs::read_dir(folder.path()).unwrap().count();
    let before = files();
    let args = [
        "check",
        "a.jsonl",
        "--where",
        "score:>1",
        "--output-file",
        "json=report",
        "--output-file=csv=no/folder",
    ];
    let output = run(folder.path(), &args);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert_eq!(fs::read_to_string(folder.path().join("report")).unwrap(), "as it was");
    assert_eq!(files(), before);
}

/// `ulimit -f` simulates a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_what_was_there() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.jsonl"), FIXABLE.repeat(20_000)).unwrap();
    let size = fs::metadata(folder.path().join("a.jsonl")).unwrap().len();
    let command = env!("CARGO_BIN_EXE_evalcheck");
    run(folder.path(), &["plan", "a.jsonl", "-o", "a.plan"]);
    let part = format!("part a.jsonl --plan a.plan --range 0-{size}");
    for (args, out) in [
        ("fix a.jsonl -o x".to_owned(), "x"),
        ("fix a.jsonl --in-place".to_owned(), "a.jsonl"),
        (format!("{part} -o x"), "x"),
        ("check a.jsonl --all --output short --output-file json=x".to_owned(), "x"),
        ("check a.jsonl --all --output short --output-file csv=x".to_owned(), "x"),
        ("check a.jsonl --state x".to_owned(), "x"),
    ] {
        let before = fs::read(folder.path().join(out)).ok();
        let script = format!("trap '' XFSZ; ulimit -f 1; TMPDIR=/dev/shm exec '{command}' {args} >/dev/null");
        let output = Command::new("bash").current_dir(folder.path()).args(["-c", &script]).output().unwrap();
        // The output may be small enough.
        let is_small = fs::metadata(folder.path().join(out)).is_ok_and(|file| file.len() <= 1024);
        assert!(output.status.code() == Some(2) || is_small, "{args}: {output:?}");
        if !is_small {
            assert!(fs::read(folder.path().join(out)).ok() == before, "{args}");
        }
        fs::remove_file(folder.path().join("x")).ok();
        let left = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 2, "{args}: the dataset and the plan");
    }
}

#[cfg(unix)]
#[test]
fn a_new_file_has_the_usual_mode_and_a_link_stays_a_link() {
    use std::os::unix::fs::PermissionsExt;

    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.jsonl"), RECORD).unwrap();
    fs::write(folder.path().join("usual"), "").unwrap();
    std::os::unix::fs::symlink("target.json", folder.path().join("link.json")).unwrap();
    for _ in 0..2 {
        let output = run(folder.path(), &["check", "a.jsonl", "--output-file", "json=link.json"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
    let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
    assert_eq!(mode("target.json"), mode("usual"));
    assert!(fs::symlink_metadata(folder.path().join("link.json")).unwrap().is_symlink());
    // A device is written directly.
    for out in ["/dev/null", "/dev/stdout"] {
        let output = run(folder.path(), &["fix", "a.jsonl", "-o", out]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
}

#[cfg(unix)]
#[test]
fn what_is_fixed_in_place_keeps_its_owner_mode_and_attributes() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

    const NAME: &str = "user.evalcheck";

    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.jsonl");
    fs::write(&path, FIXABLE).unwrap();
    // Only the superuser can change owners, and some file systems have no attributes: then the file has the defaults.
    let _ = chown(&path, Some(4242), Some(4243));
    let _ = xattr::set(&path, NAME, b"kept");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let state = || {
        let metadata = fs::metadata(&path).unwrap();
        let attribute = xattr::get(&path, NAME).ok().flatten();
        (metadata.uid(), metadata.gid(), metadata.permissions().mode(), attribute)
    };
    let before = state();
    let output = run(folder.path(), &["fix", "--in-place", "a.jsonl"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(fs::read_to_string(&path).unwrap(), RECORD);
    assert_eq!(state(), before);
}
