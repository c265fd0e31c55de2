//! A file that is split between workers gives the same report as one that is read in order, to the byte.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::io::Cursor;
use std::path::{Path, PathBuf};

use evalcheck_engine::digest::{Digester, Item, Reader};
use evalcheck_engine::formats::{FORMATS, Format, Layout};
use evalcheck_engine::job::{FileInfo, Job};
use evalcheck_wire::catalogue::ExampleContent;
use evalcheck_wire::worker::CheckOptions;
use support::Choices;

/// A file, and the format that it is checked as.
struct Input {
    name: String,
    file_name: &'static str,
    data: Vec<u8>,
    format: Option<String>,
}

impl Input {
    fn open(&self) -> Job {
        let file = FileInfo { name: self.file_name.to_owned(), size: self.data.len() as u64 };
        let options = CheckOptions { format: self.format.clone(), ..CheckOptions::default() };
        Job::open(&mut Cursor::new(&self.data), file, options)
    }

    /// The report as text, when every stretch of so many bytes goes to one of the workers in turn. The first of them is
    /// the check itself.
    fn report(&self, workers: usize, stretch: usize) -> String {
        let mut source = Cursor::new(&self.data);
        let mut job = self.open();
        let mut digesters: Vec<Option<Digester>> =
            (1..workers).map(|_| Digester::open(&mut source, self.open()).unwrap()).collect();
        for (number, bytes) in self.data.chunks(stretch).enumerate() {
            match (number % workers).checked_sub(1).and_then(|helper| digesters[helper].as_mut()) {
                None => read(&mut job, (number * stretch) as u64, bytes),
                Some(digester) => {
                    let mut at = number * stretch;
                    for piece in bytes.chunks(stretch / 3 + 1) {
                        digester.space(piece.len())[..piece.len()].copy_from_slice(piece);
                        digester.advance(piece.len());
                        at += piece.len();
                        // A digest is posted in parts; each ends where a record does.
                        let digest = std::mem::take(digester.digest());
                        job.take_digest(&digest, &mut source);
                        if let Some(wanted) = job.wanted() {
                            assert_eq!(wanted.start, (at - digester.left()) as u64, "{}", self.name);
                        }
                    }
                    digester.end_stretch();
                    let digest = std::mem::take(digester.digest());
                    job.take_digest(&digest, &mut source);
                }
            }
            if job.should_settle() {
                job.settle(&mut source);
            }
        }
        job.settle(&mut source);
        serde_json::to_string_pretty(&job.report()).unwrap()
    }
}

/// Hands over the bytes of a stretch, as far as they are wanted.
fn read(job: &mut Job, start: u64, bytes: &[u8]) {
    let end = start + bytes.len() as u64;
    while let Some(wanted) = job.wanted().filter(|wanted| wanted.start < end) {
        let rest = &bytes[usize::try_from(wanted.start - start).unwrap()..];
        let space = job.space(rest.len());
        let n = space.len();
        space.copy_from_slice(&rest[..n]);
        job.advance(n);
    }
}

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases")
}

/// The golden cases that are lines or rows.
fn golden() -> Vec<Input> {
    let mut inputs = Vec::new();
    for format in std::fs::read_dir(cases()).unwrap() {
        let format = format.unwrap();
        let Ok(cases) = std::fs::read_dir(format.path()) else { continue };
        for case in cases {
            let case = case.unwrap().path();
            let read = |name| std::fs::read(case.join(name)).ok().map(|data| (name, data));
            let Some((file_name, data)) = read("input.jsonl").or_else(|| read("input.csv")) else { continue };
            let name = format.file_name().into_string().unwrap();
            let format = FORMATS.iter().find(|format| format.id == name).map(|format| format.id.to_owned());
            inputs.push(Input { name: case.display().to_string(), file_name, data, format });
        }
    }
    inputs
}

/// Records of every format that has lines, spoiled here and there, between examples of the format.
fn made(format: &Format, seed: u64) -> Option<Input> {
    let shape = match &format.variants[0].layout {
        Layout::Lines | Layout::HeadedLines(_) => format.variants[0].shape,
        Layout::Csv(_) | Layout::Document(_) => return None,
    };
    let mut choices = Choices::new(seed);
    let mut data = Vec::new();
    let mut examples = format.examples.iter().filter_map(|example| match (example.content)() {
        ExampleContent::Text(text)
            if Path::new(example.file_name).extension().is_some_and(|extension| extension == "jsonl") =>
        {
            Some(text)
        }
        _ => None,
    });
    // Its first line may govern the others.
    data.extend_from_slice(examples.next().unwrap_or_default().as_bytes());
    support::spoiled_lines(shape, 30, &mut choices, &mut data);
    data.extend(examples.flat_map(String::into_bytes));
    if choices.chance(2) {
        data.pop();
    }
    let name = format!("{}, seed {seed}", format.id);
    Some(Input { name, file_name: "data.jsonl", data, format: Some(format.id.to_owned()) })
}

/// Rows under the header of a format's CSV, many right and some spoiled; `odd` says that one in so many is.
fn made_rows(format: &str, header: &str, odd: usize, seed: u64) -> Input {
    const TEXTS: [&str; 9] = [
        "How far?",
        "One, two",
        "Two lines\nof text",
        "\"Why?\" she asked",
        "日本語",
        "x",
        "ends with a comma,",
        ",\nbegins with one",
        "",
    ];
    const SPOILT: [&[u8]; 10] = [
        b"\xff,a,b\n",
        b"one,two,three,four,five,six\n",
        b"stray \" quote,x,y\n",
        b"\"closed\" early,x,y\n",
        b"\r\n\n  \n",
        b"=1+1,=2,+3\n",
        b"q1,seen before,[1]\n",
        b"carriage\rreturn,x,y\n",
        b"\"open to the end of the file,x\n",
        b"nul\0,x,y\n",
    ];
    let mut choices = Choices::new(seed);
    let mut data = format!("{header}\n").into_bytes();
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    for row in 0..400 {
        if choices.chance(odd) {
            // The one that swallows all behind it only rarely.
            let kinds = if choices.chance(20) { SPOILT.len() } else { SPOILT.len() - 2 };
            data.extend_from_slice(SPOILT[choices.below(kinds)]);
            continue;
        }
        // An id, and then whatever the columns want.
        let repeated = choices.chance(40) && row > 0;
        let mut cells = vec![format!("q{}", if repeated { choices.below(row) } else { row })];
        for column in 1..header.split(',').count() {
            let text: String = (0..=choices.below(3)).map(|_| TEXTS[choices.below(TEXTS.len())]).collect();
            let is_list = column == 2 && format == "evret";
            cells.push(quoted(&if is_list { format!("[\"doc_{row}\",\"doc\"]") } else { text }));
        }
        data.extend_from_slice(cells.join(",").as_bytes());
        data.extend_from_slice(if seed.is_multiple_of(3) { b"\r\n" } else { b"\n" });
    }
    let name = format!("rows of {format}, seed {seed}, one odd in {odd}");
    Input { name, file_name: "data.csv", data, format: Some(format.to_owned()) }
}

const HEADERS: [(&str, &str); 2] =
    [("evret", "query_id,query_text,relevant_doc_ids"), ("tencent-manual", "system,prompt,answer")];

fn compare(input: &Input, stretches: &[usize]) {
    let alone = input.report(1, usize::MAX / 4);
    for workers in [1, 2, 7] {
        // The smallest stretches only for small files: each is a call.
        for &stretch in stretches.iter().filter(|&&stretch| input.data.len() / stretch < 600) {
            let split = input.report(workers, stretch);
            let mut lines = alone.lines().zip(split.lines());
            assert!(
                split == alone,
                "{}: {workers} workers, stretches of {stretch} bytes; first difference: {:#?}",
                input.name,
                lines.find(|(alone, split)| alone != split)
            );
        }
    }
}

#[test]
fn golden_cases_read_the_same_by_one_two_and_seven_workers() {
    let inputs = golden();
    assert!(inputs.len() > 150, "only {} cases", inputs.len());
    for input in inputs {
        compare(&input, &[1, 7, 61, 500, 4096]);
    }
}

#[test]
fn made_datasets_read_the_same_by_one_two_and_seven_workers() {
    let mut compared = 0;
    for format in FORMATS {
        for input in (0..12).filter_map(|seed| made(format, seed)) {
            compare(&input, &[3, 100, 1000, 5000]);
            compared += 1;
        }
    }
    assert!(compared >= 60, "only {compared}");
}

#[test]
fn made_rows_read_the_same_by_one_two_and_seven_workers() {
    for (format, header) in HEADERS {
        for seed in 0..6 {
            for odd in [3, 30, 100_000] {
                compare(&made_rows(format, header, odd, seed), &[700, 5000, 20_000]);
            }
        }
    }
}

/// What helpers do is of use: most rows come as records, wherever their stretches begin.
#[test]
fn rows_are_found_in_the_middle_of_a_file() {
    for seed in 0..12 {
        let (format, header) = HEADERS[0];
        let input = made_rows(format, header, 100_000, seed);
        let mut digester = Digester::open(&mut Cursor::new(&input.data), input.open()).unwrap().unwrap();
        let stretch = &input.data[input.data.len() / 5 + usize::try_from(seed).unwrap() * 7..];
        digester.space(stretch.len())[..stretch.len()].copy_from_slice(stretch);
        digester.advance(stretch.len());
        digester.end_stretch();
        let (mut raw, mut records) = (0, 0);
        for item in Reader::new(digester.digest()) {
            match item {
                Item::Raw(bytes) => raw += bytes.len(),
                Item::Record(_) => records += 1,
            }
        }
        // A blank text is for the check.
        assert!(
            records > 200 && raw < stretch.len() / 4,
            "seed {seed}: {records} rows, {raw} bytes as they are"
        );
    }
}

#[test]
fn a_digest_of_clean_lines_is_small() {
    let line = br#"{"input":{"messages":[{"role":"user","content":"How far is it from here to the sea, and back?"}]}}"#;
    let data: Vec<u8> =
        std::iter::repeat_n(&line[..], 1000).flat_map(|line| [line, b"\n"].concat()).collect();
    let input = Input { name: "clean".to_owned(), file_name: "data.jsonl", data, format: None };
    let mut digester = Digester::open(&mut Cursor::new(&input.data), input.open()).unwrap().unwrap();
    digester.space(input.data.len())[..input.data.len()].copy_from_slice(&input.data);
    digester.advance(input.data.len());
    digester.end_stretch();
    // The first line as it is, then two bytes a line.
    assert_eq!(digester.digest().len(), 2 + line.len() + 1 + 999 * 2);
}
