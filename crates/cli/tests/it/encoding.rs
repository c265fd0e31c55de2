//! `--encoding` in a shell.
use std::fs;
use std::io::{Cursor, Read, Write};
use std::process::{Command, Output, Stdio};

use encoding_rs::{Encoding, GBK, IBM866, SHIFT_JIS, UTF_16LE, WINDOWS_1252};
use tempfile::TempDir;
use zip::write::SimpleFileOptions;

const JAPANESE: &str = "\
{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"表示できますか。\"}]}}
{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"日本の首都はどこですか。\"}]}}
";

fn encoded(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    if encoding == UTF_16LE {
        return text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    }
    let (bytes, _, is_lossy) = encoding.encode(text);
    assert!(!is_lossy);
    bytes.into_owned()
}

fn zip(dataset: &[u8]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("samples.jsonl", SimpleFileOptions::default()).unwrap();
    writer.write_all(dataset).unwrap();
    writer.finish().unwrap().into_inner()
}

/// Runs the command on a file with this name; returns the output, and the file afterwards.
fn run(args: &[&str], name: &str, bytes: &[u8]) -> (Output, Vec<u8>) {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(name), bytes).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalcheck"));
    let output = command.current_dir(&folder).args(args).arg(name).stdin(Stdio::null()).output().unwrap();
    (output, fs::read(folder.path().join(name)).unwrap())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_dataset_is_converted_as_a_whole() {
    let french = JAPANESE
        .replace("表示できますか。", "Ça va, été comme hiver ?")
        .replace("日本の首都はどこですか。", "€");
    for (encoding, dataset) in
        [(SHIFT_JIS, JAPANESE), (GBK, JAPANESE), (UTF_16LE, JAPANESE), (WINDOWS_1252, &french)]
    {
        let args = ["fix", "--encoding", encoding.name()];
        let (output, _) = run(&args, "data.jsonl", &encoded(dataset, encoding));
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout), *dataset);
        assert!(
            text(&output.stderr).ends_with(": valid (juryarena): 2 records\nApplied 1 fix.\n"),
            "{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn the_dataset_in_a_zip_is_converted() {
    let args = ["fix", "--in-place", "--encoding", "sjis"];
    let (output, file) = run(&args, "data.zip", &zip(&encoded(JAPANESE, SHIFT_JIS)));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let mut archive = zip::ZipArchive::new(Cursor::new(file)).unwrap();
    let mut dataset = String::new();
    archive.by_name("samples.jsonl").unwrap().read_to_string(&mut dataset).unwrap();
    assert_eq!(dataset, JAPANESE);
}

/// A ZIP of stored files whose names are these bytes, not marked as UTF-8.
fn zip_with_names(files: &[(&[u8], &[u8])]) -> Vec<u8> {
    // The writer marks names as UTF-8, so ASCII names of the same length are replaced.
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let placeholder = |index: usize, name: &[u8]| {
        if name.is_ascii() {
            String::from_utf8(name.to_vec()).unwrap()
        } else {
            format!("{index}").repeat(name.len())
        }
    };
    for (index, (name, contents)) in files.iter().enumerate() {
        writer.start_file(placeholder(index, name), stored).unwrap();
        writer.write_all(contents).unwrap();
    }
    let mut bytes = writer.finish().unwrap().into_inner();
    for (index, (name, _)) in files.iter().enumerate().filter(|(_, (name, _))| !name.is_ascii()) {
        let placeholder = placeholder(index, name).into_bytes();
        let places: Vec<usize> = bytes
            .windows(name.len())
            .enumerate()
            .filter(|(_, window)| **window == *placeholder)
            .map(|(at, _)| at)
            .collect();
        assert_eq!(places.len(), 2, "in the local header and in the directory");
        for at in places {
            bytes[at..at + name.len()].copy_from_slice(name);
        }
    }
    bytes
}

#[test]
fn names_of_a_zip_are_converted_and_a_dataset_in_utf_8_is_not() {
    let reference = |name: &str| {
        format!(
            "{{\"input\":{{\"messages\":[{{\"role\":\"user\",\"content\":[{{\"type\":\"file_ref\",\"path\":\"{name}\"}}]}}]}},\"usage_output\":null}}\n"
        )
    };
    for (encoding, name) in
        [(SHIFT_JIS, "attachments/表.txt"), (GBK, "attachments/中.txt"), (IBM866, "attachments/ж.txt")]
    {
        for is_utf8 in [true, false] {
            let dataset = reference(name);
            let dataset = if is_utf8 { dataset.into_bytes() } else { encoded(&dataset, encoding) };
            let name_bytes = encoded(name, encoding);
            let zip = zip_with_names(&[(b"samples.jsonl", &dataset), (&name_bytes, b"contents")]);
            let args = ["fix", "--in-place", "--encoding", encoding.name()];
            let (output, file) = run(&args, "data.zip", &zip);
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            let mut archive = zip::ZipArchive::new(Cursor::new(file)).unwrap();
            let mut dataset = String::new();
            archive.by_name("samples.jsonl").unwrap().read_to_string(&mut dataset).unwrap();
            assert_eq!(dataset, reference(name));
            assert!(archive.by_name(name).is_ok(), "{name}");
        }
    }
}

#[test]
fn the_file_itself_is_not_valid() {
    let bytes = encoded(&JAPANESE.replacen("user", "User", 1), SHIFT_JIS);
    let (output, _) = run(&["check", "--encoding", "shift_jis"], "data.jsonl", &bytes);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert!(said.starts_with("data.jsonl: error[file/other-encoding]: the file is not UTF-8"), "{said}");
    assert!(said.contains("--encoding shift_jis FILE"), "{said}");
    assert!(
        said.contains("data.jsonl:1:31: error[shape/invalid-enum-value]: input.messages.0.role:"),
        "{said}"
    );
    assert!(said.contains("\nFound 2 errors."), "{said}");
    let (output, _) = run(&["loaded", "--encoding", "shift_jis"], "data.jsonl", &bytes);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("日本の首都はどこですか。"));
}

#[test]
fn a_file_that_is_the_same_in_utf_8_is_as_valid_as_without() {
    let ascii = b"{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}}\n";
    for encoding in ["shift_jis", "utf-8"] {
        let (output, _) = run(&["check", "--encoding", encoding], "data.jsonl", ascii);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    }
}

#[test]
fn bytes_that_are_not_of_the_encoding_are_not_lost() {
    let mut bytes = encoded(JAPANESE, SHIFT_JIS);
    let at = bytes.len() - 10;
    bytes[at] = 0xff;
    let (output, file) = run(&["fix", "--in-place", "--encoding", "shift_jis"], "data.jsonl", &bytes);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains(&format!("byte {at} of the dataset")), "{}", text(&output.stderr));
    assert_eq!(file, bytes, "the file is not touched");
}

#[test]
fn an_unknown_name_is_refused() {
    for name in ["latin", "iso-2022-kr"] {
        let (output, _) = run(&["check", "--encoding", name], "data.jsonl", b"{}");
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("shift_jis, gbk"), "{}", text(&output.stderr));
    }
}

#[test]
fn a_check_guesses_the_encoding_of_the_whole_file() {
    let (output, _) = run(&["check"], "data.jsonl", &encoded(JAPANESE, SHIFT_JIS));
    let said = text(&output.stdout);
    assert!(said.contains("The whole file may be Shift_JIS, which is a guess"), "{said}");
    let (output, _) = run(&["check"], "data.jsonl", JAPANESE.as_bytes());
    assert!(!text(&output.stdout).contains("guess"));
}
