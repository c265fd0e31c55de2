//! A format is one file: the made-up format here is all in this one, up to the tests.
//!
//! Grades: a question with its answer and a grade a line. `{"id": "q1", "question": "...", "answer": "...", "grade": 3}`.
use std::io::Cursor;

use evalcheck_engine::catalogue;
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::detect::{Detector, Sign, Signature};
use evalcheck_engine::diagnose::RecordStart;
use evalcheck_engine::environment::Environment;
use evalcheck_engine::formats::checks::{
    Captures, Checks, DatasetChecks, Findings, Observations, Record, RecordChecks,
};
use evalcheck_engine::formats::preview::{Shown, text_part};
use evalcheck_engine::formats::{About, Example, Format, Formats, Layout, Rules, Variant};
use evalcheck_engine::schema::{Number, Object, Property, Schema, StringSchema, UnknownKeys};
use evalcheck_engine::seen_ids::SeenIds;
use evalcheck_report::view::{Sample, Turn};
use evalcheck_report::{Report, Severity};
use evalcheck_wire::catalogue::ExampleContent;
use evalcheck_wire::worker::CheckOptions;

evalcheck_core::rules! {
    /// Problems of a grade beyond its schema.
    GradeProblem {
        EmptyAnswer { grade: String } = "grades/empty-answer", Warning {
            summary: "An empty answer has a good grade.",
            message: "the answer is empty, and its grade is {grade}",
            hint: "Write the answer, or the grade 0.",
            meaning: "An empty answer is worth nothing, so the grade belongs to another answer.",
            invalid: r#"{"id":"q1","question":"1 + 1?","answer":"","grade":3}"#,
            valid: r#"{"id":"q1","question":"1 + 1?","answer":"","grade":0}"#,
        }
        RepeatedId { id: String, first_line: u64 } = "grades/repeated-id", Error {
            summary: "Two records have the same id.",
            message: "id \"{id}\" is already used on line {first_line}",
            hint: "Give each record its own id.",
            meaning: "Grades are stored by id.",
            invalid: "two lines with \"id\":\"q1\"",
            valid: "one line for each id",
        }
    }
}

const ID: u8 = 1;
const ANSWER: u8 = 2;
const GRADE: u8 = 3;

static RECORD: Schema = Schema::object(Object::new(
    &[
        Property::required("id", &Schema::text(StringSchema::NAME.captured(ID))),
        Property::required("question", &Schema::STRING),
        Property::required("answer", &Schema::text(StringSchema::ANY.captured_raw(ANSWER))),
        Property::required("grade", &Schema::number(Number::INTEGER.at_least(0)).captured(GRADE)),
    ],
    UnknownKeys::Ignore,
));

static GRADES: Format = Format {
    about: About {
        title: "Grades",
        system: "Schoolbook",
        link: "",
        summary: "One question per line, with its answer and a grade.",
        noun: "record",
    },
    detection: Detector {
        extensions: &["jsonl"],
        expected: "lines with \"question\", \"answer\" and \"grade\"",
        signatures: &[Signature::new(&[Sign::record(&["grade"])], 60, "line {line} has a {name}").up_to(90)],
        ..Detector::NONE
    },
    rules: Rules {
        checks: |_| Checks::new(Answered, Ids::default()),
        own: &[GradeProblem::RULES],
        ..Rules::NONE
    },
    preview: |shown: &Shown<'_>| {
        let turn = |key: &str| {
            let text = shown.root.get(key)?.as_str()?;
            Some(Turn {
                role: key.to_owned(),
                path: key.to_owned(),
                parts: vec![text_part(text)],
                ..Turn::default()
            })
        };
        Some(Sample { turns: vec![turn("question")?, turn("answer")?], ..Sample::default() })
    },
    examples: &[Example::text("minimal", "One question", "minimal.jsonl", GradeProblem::RULES[0].page.valid)],
    ..Format::new("grades", &[Variant { version: "", layout: Layout::Jsonl, schema: &RECORD }])
};

/// The check of one record.
struct Answered;

impl RecordChecks for Answered {
    fn is_clean(&self, captures: &Captures<'_>) -> bool {
        captures.contents(ANSWER).all(|answer| !answer.is_empty())
    }

    fn check(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        let (answer, grade) = (record.root.get("answer"), record.root.get("grade"));
        if let (Some(answer), Some(grade)) = (answer, grade)
            && answer.as_str() == Some("")
            && record.text.bytes[grade.span.clone()] != *b"0"
        {
            let grade = String::from_utf8_lossy(&record.text.bytes[grade.span.clone()]).into_owned();
            out.report(GradeProblem::EmptyAnswer { grade }, record.at(answer));
        }
    }
}

/// The check of the dataset. Remembers each id as [`SeenIds`] does.
#[derive(Default)]
struct Ids(SeenIds);

impl DatasetChecks for Ids {
    fn observe(&mut self, captures: &Captures<'_>, at: RecordStart, out: &mut Observations) {
        for (index, (number, range)) in captures.strings.iter().enumerate() {
            if *number == ID
                && let Some(first_line) = self.0.repeated(&[captures.bytes(range)], at.line)
            {
                let id = captures.text(range).to_owned();
                out.report(index, GradeProblem::RepeatedId { id, first_line });
            }
        }
    }
}

// That was the format. The rest shows that nothing else has to know it.

static FORMATS: Formats = &[&GRADES];

const DATASET: &str = r#"{"id":"q1","question":"1 + 1?","answer":"2","grade":3}
{"id":"q2","question":"1 + 2?","answer":"","grade":2}
{"id":"q1","question":"1 + 3?","answer":"4","grade":3}
{"id":"q\u0031","question":"1 + 4?","answer":"","grade":"3"}
"#;

fn check(data: &str) -> Check {
    let file = FileInfo { name: "grades.jsonl".to_owned(), size: data.len() as u64 };
    let mut check = Check::open_in(
        &Environment { formats: FORMATS, ..Environment::default() },
        &mut Cursor::new(data),
        file,
        CheckOptions::default(),
    );
    check.read_all(data.as_bytes(), 7);
    check
}

/// The findings as `line code path message`.
fn findings(report: &Report) -> Vec<String> {
    let shown = |finding: &evalcheck_report::Finding| {
        let path = finding.path.as_deref().unwrap_or_default();
        format!("{} {} {path}: {}", finding.line.unwrap_or(0), finding.code, finding.message)
    };
    report.findings.iter().map(shown).collect()
}

#[test]
fn it_is_detected_and_checked() {
    let report = check(DATASET).report();
    assert_eq!(report.format.id, "grades");
    assert_eq!(report.format.reason, "line 1 has a grade");
    assert_eq!(
        findings(&report),
        [
            "2 grades/empty-answer answer: the answer is empty, and its grade is 2",
            // The scanner found this line clean.
            "3 grades/repeated-id id: id \"q1\" is already used on line 1",
            // And this one not.
            "4 shape/wrong-type grade: Expected integer, received string",
            "4 grades/empty-answer answer: the answer is empty, and its grade is \"3\"",
            "4 grades/repeated-id id: id \"q1\" is already used on line 1",
        ]
    );
    assert_eq!((report.counts.valid, report.counts.invalid), (2, 2));
}

#[test]
fn a_record_is_previewed() {
    let mut check = check(DATASET);
    let record = check.view(&mut Cursor::new(DATASET)).record(2, None).unwrap().unwrap();
    let roles: Vec<&str> = record.sample.as_ref().unwrap().turns.iter().map(|turn| &*turn.role).collect();
    assert_eq!(roles, ["question", "answer"]);
    assert_eq!(record.findings[0].code, "grades/empty-answer");
    // The findings of the checks of the dataset are kept.
    let record = check.view(&mut Cursor::new(DATASET)).record(3, None).unwrap().unwrap();
    assert_eq!(record.findings[0].severity, Severity::Error);
}

#[test]
fn its_examples_are_valid_and_it_is_in_the_catalogue() {
    let ExampleContent::Text(example) = GRADES.examples[0].content() else {
        unreachable!("the example is text");
    };
    assert!(check(&example).report().valid);
    let invalid = check(GradeProblem::RULES[0].page.invalid).report();
    assert_eq!(invalid.findings[0].code, GradeProblem::RULES[0].code);

    let catalogue = catalogue::catalogue_of(FORMATS);
    assert_eq!(catalogue.formats[0].id, "grades");
    assert!(catalogue.rules.iter().any(|rule| rule.code == "grades/repeated-id"));
}
