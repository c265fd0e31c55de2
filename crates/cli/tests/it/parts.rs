//! The parts of a check give the output of the check of the whole file; so does the state of a file that grows.
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

fn evalcheck(folder: &TempDir, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalcheck"));
    command.env_remove("CLICOLOR_FORCE").current_dir(folder.path()).args(args).output().unwrap()
}

/// Runs the command, which must end with this status and print nothing to standard error.
fn ends(folder: &TempDir, args: &[&str], status: i32) -> String {
    let output = evalcheck(folder, args);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*error), (Some(status), ""), "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The message on standard error of a command that must end with this status.
fn fails(folder: &TempDir, args: &[&str], status: i32) -> String {
    let output = evalcheck(folder, args);
    assert_eq!(output.status.code(), Some(status), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

const HEADER: &str =
    "{\"total_samples\":9,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[]}\n";

/// Lines with ids from `from` on. Some lines repeat an id, are blank or are malformed.
fn lines(random: &mut fastrand::Rng, from: u32, count: u32) -> String {
    let mut data = String::new();
    for id in from..from + count {
        let text = "a".repeat(random.usize(0..300));
        match random.u32(0..1000) {
            0 => data.push_str(" \n"),
            1 => data.push_str("[{\"type\":\"text\",\n\"id\":\"b\",\"text\":\"One.\"}]\n"),
            2 => data.push_str("[{\"type\":\"text\",\"id\":1,\"text\":\"One.\"}]\n"),
            3 => {
                let id = random.u32(0..=id);
                writeln!(data, r#"[{{"type":"text","id":"{id}","text":"{text}"}}]"#).unwrap();
            }
            _ => writeln!(data, r#"[{{"type":"text","id":"{id}","text":"{text}"}}]"#).unwrap(),
        }
    }
    data
}

fn write(folder: &TempDir, name: &str, data: &str) {
    fs::write(folder.path().join(name), data).unwrap();
}

/// Plans a file, and makes the parts of its ranges. Returns their names.
fn make_parts(folder: &TempDir, more: &[&str]) -> Vec<String> {
    let listed =
        ends(folder, &[&["plan", "data.jsonl", "--bytes", "100000", "-o", "plan.json"], more].concat(), 0);
    let plan: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.path().join("plan.json")).unwrap()).unwrap();
    let ranges = plan["ranges"].as_array().unwrap();
    let names = ranges.iter().map(|range| {
        let range = format!("{}-{}", range[0], range[1]);
        let name = format!("{range}.part");
        ends(folder, &["part", "data.jsonl", "--plan", "plan.json", "--range", &range, "-o", &name], 0);
        name
    });
    let names: Vec<String> = names.collect();
    let listed: Vec<String> = listed.lines().map(|range| format!("{range}.part")).collect();
    assert_eq!(listed, names);
    names
}

#[test]
fn merged_parts_have_the_output_of_the_whole_file() {
    let folder = TempDir::new().unwrap();
    let data = HEADER.to_owned() + &lines(&mut fastrand::Rng::with_seed(1), 0, 10_000);
    write(&folder, "data.jsonl", &data);
    let mut parts = make_parts(&folder, &[]);
    assert!(parts.len() > 15, "{}", parts.len());
    fastrand::Rng::with_seed(1).shuffle(&mut parts);
    let names: Vec<&str> = parts.iter().map(String::as_str).collect();
    for more in [&[][..], &["--output", "json"], &["--output", "sarif"], &["--max-findings", "2"], &["--all"]]
    {
        let merged = ends(&folder, &[&["merge"], &names[..], more].concat(), 1);
        assert_eq!(merged, ends(&folder, &[&["check", "data.jsonl"], more].concat(), 1), "{more:?}");
    }
    // Groups of parts, and the file elsewhere.
    let plan = fs::read_to_string(folder.path().join("plan.json")).unwrap();
    assert_eq!(plan.lines().count(), parts.len() + 2, "a line for each range");
    parts.sort_by_key(|name| name.split('-').next().unwrap().parse::<u64>().unwrap());
    let (first, second) = parts.split_at(7);
    for (into, group) in [("one.part", first), ("other.part", second)] {
        let group: Vec<&str> = group.iter().map(String::as_str).collect();
        ends(&folder, &[&["merge", "--into", into], &group[..]].concat(), 0);
    }
    let merged = ends(&folder, &["merge", "other.part", "one.part"], 1);
    assert_eq!(merged, ends(&folder, &["check", "data.jsonl"], 1));
}

#[test]
fn most_of_a_file_is_not_read_again() {
    let folder = TempDir::new().unwrap();
    let data = HEADER.to_owned() + &lines(&mut fastrand::Rng::with_seed(1), 0, 3_000);
    write(&folder, "data.jsonl", &data);
    let parts = make_parts(&folder, &["--without-time"]);
    let of_data = ends(&folder, &["check", "--output", "json", "data.jsonl"], 1);
    // Merging parts does not read known lines, so a copy may differ there: users guarantee that it does not.
    let other =
        data.replacen("aaaa\"}]", "bbbb\"}]", 900).replacen("\"type\":\"text\"", "\"type\":\"xxxx\"", 800);
    write(&folder, "data.jsonl", &other);
    let names: Vec<&str> = parts.iter().map(String::as_str).collect();
    let merged = ends(&folder, &[&["merge", "--output", "json"], &names[..]].concat(), 1);
    let of_other = ends(&folder, &["check", "--output", "json", "data.jsonl"], 1);
    let errors = |report: &str| {
        let report: serde_json::Value = serde_json::from_str(report).unwrap();
        report["counts"]["errors"].as_u64().unwrap()
    };
    let [one, merged, other] = [of_data, merged, of_other].map(|report| errors(&report));
    assert!((merged - one) * 3 < other - one, "{one} {merged} {other}");
}

#[test]
fn parts_that_are_missing_or_of_another_file_are_refused() {
    let folder = TempDir::new().unwrap();
    let data = HEADER.to_owned() + &lines(&mut fastrand::Rng::with_seed(1), 0, 3_000);
    write(&folder, "data.jsonl", &data);
    let parts = make_parts(&folder, &[]);
    let names: Vec<&str> = parts.iter().map(String::as_str).collect();
    let without_one = [&["merge"], &names[1..]].concat();
    assert_eq!(
        fails(&folder, &without_one, 3),
        "evalcheck: merge: the part of the range 0-100000 is missing: what was not read is not valid\n"
    );
    let twice = [&["merge", names[0]], &names[..]].concat();
    assert!(fails(&folder, &twice, 3).contains("have bytes in common"));
    assert!(fails(&folder, &["merge", "data.jsonl"], 3).contains("this is not a part of a check"));
    let range = ["part", "data.jsonl", "--plan", "plan.json", "-o", "x", "--range"];
    assert!(fails(&folder, &[&range[..], &["5-99999999"]].concat(), 3).contains("is not in the file"));
    assert!(fails(&folder, &[&range[..], &["7-5"]].concat(), 2).contains("it ends before it begins"));
    // The file is rewritten, and then grows.
    write(&folder, "data.jsonl", &data);
    let all = [&["merge"], &names[..]].concat();
    assert!(fails(&folder, &all, 3).contains("the file was changed after it was planned"));
    write(&folder, "data.jsonl", &(data.clone() + "\n"));
    assert!(fails(&folder, &all, 3).contains("when it was planned"));
    assert!(fails(&folder, &[&range[..], &["0-5"]].concat(), 3).contains("when it was planned"));
    assert!(fails(&folder, &["plan", "-"], 3).contains("a plan is for a file"));
    // An unknown version.
    let plan = fs::read_to_string(folder.path().join("plan.json")).unwrap();
    write(&folder, "plan.json", &plan.replace("evalcheck-plan/1", "evalcheck-plan/2"));
    let refused = fails(&folder, &[&range[..], &["0-5"]].concat(), 3);
    assert!(refused.contains("of the version evalcheck-plan/2"), "{refused}");
}

#[test]
fn a_csv_is_one_range() {
    let folder = TempDir::new().unwrap();
    write(&folder, "data.csv", "system,prompt,response\n,1,2\n,,\n");
    ends(&folder, &["plan", "data.csv", "--bytes", "5", "-o", "plan.json"], 0);
    ends(&folder, &["part", "data.csv", "--plan", "plan.json", "--range", "0-31", "-o", "one.part"], 0);
    assert_eq!(ends(&folder, &["merge", "one.part"], 1), ends(&folder, &["check", "data.csv"], 1));
}

#[test]
fn of_a_file_that_grows_only_what_was_added_is_read() {
    let folder = TempDir::new().unwrap();
    let mut random = fastrand::Rng::with_seed(3);
    let mut data = HEADER.to_owned();
    let check = ["check", "data.jsonl", "--state", "data.state"];
    for round in 0..6 {
        data += &lines(&mut random, round * 2_000, 2_000);
        if round == 3 {
            // A line is still being written.
            data.truncate(data.len() - 10);
        }
        write(&folder, "data.jsonl", &data);
        for more in [&[][..], &["--output", "json"]] {
            let grown = ends(&folder, &[&check, more].concat(), 1);
            assert_eq!(grown, ends(&folder, &[&["check", "data.jsonl"], more].concat(), 1), "round {round}");
        }
        if round == 3 {
            data += "one.\"}]\n";
        }
    }
    // A file that is not longer is read again; in a longer file, a known line in the middle is not.
    let middle = data.len() / 2;
    let line = data[middle..].find("[{\"type\":\"text\",\"id\":\"").unwrap() + middle;
    let mut changed = data.clone();
    changed.replace_range(line + 10..line + 14, "xxxx");
    write(&folder, "data.jsonl", &changed);
    assert_eq!(ends(&folder, &["check", "data.jsonl"], 1), ends(&folder, &check, 1));
    write(&folder, "data.jsonl", &data);
    ends(&folder, &check, 1);
    write(&folder, "data.jsonl", &(changed + "{}\n"));
    assert_ne!(ends(&folder, &["check", "data.jsonl"], 1), ends(&folder, &check, 1));
    // Another file, a shorter file, and a file with a damaged state are read from the beginning.
    let other = HEADER.to_owned() + &lines(&mut random, 0, 20_000);
    for data in [&other, &other[..other.len() / 2], &data] {
        write(&folder, "data.jsonl", data);
        assert_eq!(ends(&folder, &check, 1), ends(&folder, &["check", "data.jsonl"], 1));
    }
    fs::write(folder.path().join("data.state"), b"evalcheck-part/1\n{").unwrap();
    assert_eq!(ends(&folder, &check, 1), ends(&folder, &["check", "data.jsonl"], 1));
}

#[test]
fn a_state_is_kept_for_one_file_of_lines() {
    let folder = TempDir::new().unwrap();
    write(&folder, "data.csv", "system,prompt,response\n,1,2\n");
    write(&folder, "other.csv", "system,prompt,response\n,1,2\n");
    let two = fails(&folder, &["check", "data.csv", "other.csv", "--state", "x"], 2);
    assert!(two.contains("it is kept for one file"), "{two}");
    let csv = fails(&folder, &["check", "data.csv", "--state", "x"], 0);
    assert!(csv.contains("only JSONL"), "{csv}");
    assert!(!Path::new(&folder.path().join("x")).exists());
}

#[test]
fn ids_that_are_sorted_in_files_give_the_same_report() {
    let folder = TempDir::new().unwrap();
    let mut random = fastrand::Rng::with_seed(5);
    let results: String = (0..2_000)
        .map(|_| {
            let (id, second) = (random.u32(0..1_500), random.u32(10..60));
            format!(
                r#"{{"sample":{{"type":"text","id":"{id}","text":"One."}},"feedback":{{"quality":3}},"timestamp":"2025-02-10T20:11:{second}.000Z"}}"#
            ) + "\n"
        })
        .collect();
    // Twice, so that many ids are repeated, and none in the second half of the last.
    let samples = lines(&mut random, 0, 2_000);
    let twice = HEADER.to_owned() + &samples + &samples + &lines(&mut random, 9_000, 2_000);
    let repeated = ["more findings", "is used again", "already used", "repeated", "duplicate"];
    for (data, format) in [(&twice, "quest"), (&results, "quest-results")] {
        write(&folder, "data.jsonl", data);
        for more in [&[][..], &["--output", "json"], &["--max-findings", "3"], &["--all"], &["--jobs", "1"]] {
            let check = [&["check", "--format", format, "data.jsonl"], more].concat();
            let code = evalcheck(&folder, &check).status.code().unwrap();
            let wanted = ends(&folder, &check, code);
            assert!(repeated.iter().any(|words| wanted.contains(words)), "{format}: {wanted}");
            let sorted = ends(&folder, &[&check[..], &["--sort-ids-in", "."]].concat(), code);
            assert_eq!(sorted, wanted, "{check:?}");
        }
    }
    write(&folder, "data.jsonl", &twice);
    let parts = make_parts(&folder, &[]);
    let names: Vec<&str> = parts.iter().map(String::as_str).collect();
    let files = || fs::read_dir(folder.path()).unwrap().count();
    let before = files();
    let merged = ends(&folder, &[&["merge", "--sort-ids-in", "."], &names[..]].concat(), 1);
    assert_eq!(merged, ends(&folder, &["check", "data.jsonl"], 1));
    assert_eq!(files(), before);
    let none = fails(&folder, &["check", "data.jsonl", "--sort-ids-in", "missing"], 3);
    assert!(none.contains("data.jsonl: ids cannot be sorted in missing: "), "{none}");
}
