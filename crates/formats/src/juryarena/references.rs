//! References from records to files in the ZIP: `file_ref` parts.

use std::ops::Range;

use evalcheck_archive::{Attachments, names};
use evalcheck_core::suggest::{Reason, Suggestion};

use super::super::checks::{Findings, Record};
use crate::diagnose::{RecordFix, Value, clip, json_string};
use evalcheck_core::rule::{AnyProblem, Cause};
use evalcheck_core::unicode;

/// The folder that must contain the attachments.
const FOLDER: &str = "attachments/";

/// The extensions of the files that JuryArena's worker sends to a model, from its source.
const READ_BY_WORKER: [&str; 6] = [".pdf", ".png", ".jpg", ".jpeg", ".gif", ".webp"];

evalcheck_core::rules! {
    /// Problems of a reference to a file in the ZIP.
    ReferenceProblem {
        Missing { path: String, suggestion: String, advice: &'static str } = "attachment/missing", Error {
            summary: "The referenced file is not in the ZIP.",
            message: "no file \"{path}\" in the ZIP{suggestion}",
            hint: "{advice}",
            fix: Either,
            meaning: "A path is compared with the names in the ZIP character by character (after Unicode normalisation to NFC). The file must exist when the record is evaluated.",
            invalid: "the path attachments/Doc1.pdf when the ZIP contains attachments/doc1.pdf",
            valid: "the path attachments/doc1.pdf",
        }
        WrongFolder { path: String, place: String } = "attachment/wrong-folder", Error {
            summary: "The attachments are in another folder than attachments/.",
            message: "no file \"{path}\" in the ZIP: nothing is under attachments/, and the file is {place}",
            hint: "Move the files there to attachments/ beside the dataset, and pack the ZIP again; the paths in the records stay as they are.",
            cause: Cause::File(place.clone()),
            fix: Safe,
            meaning: "References are looked up from the folder of the dataset, and attachments/ is not there under that name. Each record that references a file fails, for one reason; the first of them is listed.",
            invalid: "files/doc1.pdf in the ZIP, referenced as attachments/doc1.pdf",
            valid: "attachments/doc1.pdf in the ZIP, referenced by this path",
        }
        NoAttachments { path: String } = "attachment/none", Error {
            summary: "The ZIP contains no attachments.",
            message: "no file \"{path}\" in the ZIP: it contains only the dataset",
            hint: "Add the folder attachments/ with the referenced files beside the dataset, and pack the ZIP again.",
            meaning: "Records reference files, and the ZIP was packed without them. Each of these records fails until its file is in the ZIP.",
            invalid: "a ZIP with samples.jsonl alone, whose records reference attachments/doc1.pdf and others",
            valid: "a ZIP with samples.jsonl and the folder attachments/",
        }
        Outside { path: String } = "attachment/outside-folder", Error {
            summary: "The referenced file is not under attachments/.",
            message: "\"{path}\" is not under attachments/",
            hint: "Move the file under attachments/ in the ZIP, and write its path from the root of the ZIP.",
            fix: Safe,
            meaning: "The system's document requires attached files to be under attachments/.",
            invalid: r#"in a ZIP dataset: {"type":"file_ref","path":"doc1.pdf"}"#,
            valid: r#"in a ZIP dataset: {"type":"file_ref","path":"attachments/doc1.pdf"}"#,
        }
        EmptyPath = "attachment/empty-path", Error {
            summary: "The path of a reference is empty.",
            message: "the path is empty",
            hint: "Write the path of the file in the ZIP, such as attachments/doc1.pdf, or remove the part.",
            meaning: "A reference must name a file.",
            invalid: r#"in a ZIP dataset: {"type":"file_ref","path":""}"#,
            valid: r#"in a ZIP dataset: {"type":"file_ref","path":"attachments/doc1.pdf"}"#,
        }
        Absolute { path: String } = "attachment/absolute-path", Error {
            summary: "The path of a reference is absolute.",
            message: "\"{path}\" is an absolute path",
            hint: "Write the path inside the ZIP, beginning with attachments/. If the file is not there, add it.",
            fix: Safe,
            meaning: "The path is looked up in the ZIP. A path on the disk of the author means nothing to the system.",
            invalid: r#"in a ZIP dataset: {"type":"file_ref","path":"/home/me/doc1.pdf"}"#,
            valid: r#"in a ZIP dataset: {"type":"file_ref","path":"attachments/doc1.pdf"}"#,
        }
        Traversal { path: String } = "attachment/parent-folder", Error {
            summary: "The path of a reference contains `..`.",
            message: "\"{path}\" goes up a folder with \"..\"",
            hint: "Write the path from the root of the ZIP, without \"..\".",
            fix: Safe,
            meaning: "The path is compared with the names in the ZIP and not resolved like a path on a disk. A step to a parent folder is refused.",
            invalid: r#"in a ZIP dataset: {"type":"file_ref","path":"attachments/../doc1.pdf"}"#,
            valid: r#"in a ZIP dataset: {"type":"file_ref","path":"attachments/doc1.pdf"}"#,
        }
        Backslash { path: String } = "attachment/backslash", Error {
            summary: "The path of a reference contains a backslash.",
            message: "\"{path}\" separates folders by a backslash",
            hint: "Write \"/\" between folders.",
            fix: Safe,
            meaning: "Names in a ZIP separate folders by \"/\" on every operating system. A path with backslashes matches no file.",
            invalid: r#"in a ZIP dataset: {"type":"file_ref","path":"attachments\\doc1.pdf"}"#,
            valid: r#"in a ZIP dataset: {"type":"file_ref","path":"attachments/doc1.pdf"}"#,
        }
        Url { path: String } = "attachment/url", Error {
            summary: "The path of a reference is a URL.",
            message: "\"{path}\" is a URL",
            hint: "Put the file into the ZIP under attachments/ and write its path.",
            meaning: "A reference names a file in the ZIP. Nothing is fetched from a URL.",
            invalid: r#"in a ZIP dataset: {"type":"file_ref","path":"https://example.org/doc1.pdf"}"#,
            valid: r#"in a ZIP dataset: {"type":"file_ref","path":"attachments/doc1.pdf"}"#,
        }
        NoArchive { path: String } = "attachment/no-archive", Warning {
            summary: "A dataset that is not a ZIP references a file.",
            message: "\"{path}\" cannot be found at run time, because the dataset is a bare .jsonl",
            hint: "Pack the .jsonl as samples.jsonl into a ZIP together with the folder attachments.",
            cause: Cause::File(String::new()),
            meaning: "The dataset loads, but only a ZIP can contain attachments. The reference leads nowhere when the record is evaluated.",
            invalid: "data.jsonl that references a file, uploaded without a ZIP",
            valid: "a ZIP with the dataset and the referenced file",
        }
        UnsupportedType { file_type: String, advice: String } = "attachment/unsupported-type", Warning {
            summary: "JuryArena's worker does not read files of this type.",
            message: "the dataset loads, and the run of this sample fails: Unsupported file type: {file_type}",
            hint: "{advice}",
            meaning: "The loader takes any file. The worker that sends the sample to a model takes files that end in .pdf, .png, .jpg, .jpeg, .gif or .webp, and ends the run of the sample at any other.",
            invalid: r#"in a ZIP dataset: {"type":"file_ref","path":"attachments/report.docx"}"#,
            valid: r#"in a ZIP dataset: {"type":"file_ref","path":"attachments/report.pdf"}"#,
        }
        Decomposed { path: String } = "attachment/decomposed-path", Warning {
            summary: "A path with decomposed characters, which is not found at run time.",
            message: "the dataset loads, and the run of this sample fails: \"{path}\" is not in Unicode NFC, and the file is stored under its NFC name",
            hint: "Write the path in NFC, with composed characters. The name in the ZIP may stay as it is.",
            fix: Safe,
            meaning: "macOS writes names with decomposed characters: a letter, then its accent. The loader compares paths in NFC and stores the files under their NFC names; the worker opens the path as the sample spells it, and on Linux finds nothing.",
            invalid: "attachments/résumé.pdf with two characters for each é",
            valid: "the same path with one character for each é",
        }
        Unreferenced = "attachment/unreferenced", Warning {
            summary: "No record references this file.",
            message: "no sample references this file",
            hint: "Leave it out of the ZIP; or, if a record needs it, put it under attachments/ and reference it by a file_ref.",
            fix: Unsafe,
            meaning: "The file is uploaded and never used. Often a path in a record is misspelled, or a record is missing.",
            invalid: "dataset.zip with attachments/doc2.pdf, which no record references",
            valid: "dataset.zip without attachments/doc2.pdf",
        }
    }
}

/// A reference with a problem.
#[derive(Debug, Clone, PartialEq)]
struct BadReference {
    problem: ReferenceProblem,
    /// The entry that is evidently meant, if there is one: it counts as referenced, because reporting it as unreferenced would only repeat
    /// this problem.
    meant: Option<usize>,
    /// Whether no other entry can be meant.
    is_certain: bool,
    /// Whether no file is at the path, in any spelling.
    is_missing: bool,
    /// If so, the entry with the nearest path, if there is one.
    nearest: Option<usize>,
}

impl BadReference {
    /// A reference to an existing file: the path has to be written differently, or the file moved.
    const fn of_file(problem: ReferenceProblem, file: Option<usize>) -> Self {
        Self { problem, meant: file, is_certain: true, is_missing: false, nearest: None }
    }

    /// Replaces the reference by the path of the entry that is meant, or that has the closest name; or moves the entry to attachments/.
    fn fix(&self, attachments: &Attachments, path: &str, span: Range<usize>) -> Option<RecordFix> {
        let is_missing = matches!(self.problem, ReferenceProblem::Missing { .. });
        let near = || attachments.suggest(path).filter(|_| is_missing).map(|close| close.index);
        let entry = self.meant.or_else(near)?;
        if let Some(found) = attachments.path(entry).filter(|path| is_usable(path)) {
            let fix = if self.is_certain {
                RecordFix::safe("Write the path of the file as it is in the ZIP")
            } else {
                RecordFix::not_safe("Write the path with the closest name, which is a guess")
            };
            return Some(fix.replace(span, json_string(found)));
        }
        moved(attachments, entry, self.is_certain, path, span)
    }
}

/// Moves the file under attachments/ to the referenced path, and adjusts the reference if needed.
fn moved(
    attachments: &Attachments,
    meant: usize,
    is_certain: bool,
    path: &str,
    span: Range<usize>,
) -> Option<RecordFix> {
    let wanted = names::portable(path);
    let wanted = wanted.strip_prefix(FOLDER).unwrap_or(&wanted);
    let base = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    let own = base(attachments.path(meant)?);
    let to = if base(wanted) == own { [FOLDER, wanted].concat() } else { [FOLDER, &own].concat() };
    let fix = RecordFix::safe_if(is_certain, format!("Move the file to \"{}\"", quoted(&to)));
    let fix = fix.with_entry(attachments.moved(meant, &to)?);
    Some(if to == path { fix } else { fix.replace(span, json_string(&to)) })
}

/// Reports the references of a record to missing files.
pub(super) fn check(record: &Record<'_>, out: &mut Findings<'_>) {
    let root = record.root;
    let messages = root.get("input").and_then(|input| input.get("messages")).and_then(|m| m.as_array());
    for message in messages.unwrap_or_default() {
        let parts = message.get("content").and_then(|content| content.as_array()).unwrap_or_default();
        for part in parts {
            if part.get("type").and_then(|tag| tag.as_str()) != Some("file_ref") {
                continue;
            }
            let Some(value) = part.get("path") else { continue };
            let Some(path) = value.as_str() else { continue };
            let (problem, fix): (AnyProblem, _) = match record.attachments {
                Some(attachments) => match look_up(attachments, path) {
                    Ok(_) => {
                        check_run(record, value, path, out);
                        continue;
                    }
                    Err(bad) => (bad.problem.clone().into(), bad.fix(attachments, path, value.span.clone())),
                },
                // Without an archive the loader accepts any path and resolves none, so there is one warning for every path.
                None => (ReferenceProblem::NoArchive { path: clip(path, 200) }.into(), None),
            };
            out.report_fixed(problem, record.at(value), fix);
        }
    }
}

/// Reports a reference to an existing file that makes a sample fail when it is run.
fn check_run(record: &Record<'_>, value: &Value<'_>, path: &str, out: &mut Findings<'_>) {
    if let Some(file_type) = unsupported_type(path) {
        let advice = match meant_type(file_type) {
            Some(meant) => format!("Let the name of the file end in {meant}, in the ZIP and in the path."),
            None => CONVERT.to_owned(),
        };
        let file_type = if file_type.is_empty() { "(no extension)".to_owned() } else { clip(file_type, 40) };
        out.report(ReferenceProblem::UnsupportedType { file_type, advice }, record.at(value));
    }
    if let Some(composed) = composed(path) {
        let fix =
            RecordFix::safe("Write the path in NFC").replace(value.span.clone(), json_string(&composed));
        let problem = ReferenceProblem::Decomposed { path: quoted(path) };
        out.report_fixed(problem, record.at(value), Some(fix));
    }
}

/// The advice for a file that JuryArena's worker does not read.
const CONVERT: &str = "Convert the file to PDF or a picture (.pdf, .png, .jpg, .jpeg, .gif, .webp) and write its new path, or put its text into the message.";

/// The supported extension at the start of one that ends with white space or with the query of a URL.
fn meant_type(extension: &str) -> Option<&'static str> {
    let meant = extension.split(['?', '#', '&']).next().unwrap_or_default().trim();
    READ_BY_WORKER.iter().copied().find(|known| known.eq_ignore_ascii_case(meant))
}

/// The extension of a file, with its point, if JuryArena's worker does not read such files.
fn unsupported_type(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let extension = name.rfind('.').map_or("", |point| &name[point..]);
    let is_read = READ_BY_WORKER.iter().any(|known| known.eq_ignore_ascii_case(extension));
    (!is_read).then_some(extension)
}

/// A path in NFC, if it is in another form.
fn composed(path: &str) -> Option<String> {
    if path.is_ascii() {
        return None;
    }
    Some(unicode::nfc(path)).filter(|composed| composed != path)
}

/// Whether a reference is valid, and its file is found and read when the sample is run. Marks the entry that it names, or evidently means,
/// as referenced.
pub(super) fn is_valid(attachments: &Attachments, path: &str) -> bool {
    look_up(attachments, path).is_ok() && unsupported_type(path).is_none() && composed(path).is_none()
}

/// The entry that a reference names, or the problem of the reference. Marks the entry as referenced.
fn look_up(attachments: &Attachments, path: &str) -> Result<usize, BadReference> {
    let found = resolve(attachments, path);
    match &found {
        Ok(entry) => attachments.note_reference(*entry, true),
        Err(BadReference { meant, is_missing, nearest, .. }) => {
            if let Some(entry) = meant {
                attachments.note_reference(*entry, false);
            }
            if *is_missing {
                attachments.note_missing(path, *nearest, is_usable(path));
            }
        }
    }
    found
}

fn resolve(attachments: &Attachments, path: &str) -> Result<usize, BadReference> {
    let found = attachments.find(path);
    if let Some(problem) = malformed(path) {
        let portable = names::portable(path);
        let exact =
            found.or_else(|| attachments.find(&portable)).or_else(|| attachments.find_unportable(&portable));
        if exact.is_some() {
            return Err(BadReference::of_file(problem, exact));
        }
        // The folders of a disk are unrelated to those of the ZIP.
        let is_absolute = matches!(problem, ReferenceProblem::Absolute { .. });
        let is_url = matches!(problem, ReferenceProblem::Url { .. });
        let close =
            attachments.suggest(&portable).filter(|found| !is_url && found.reason != Reason::Spelling);
        let is_certain = close.as_ref().is_some_and(|close| {
            close.is_certain(&portable) || is_absolute && close.is_sole && close.reason == Reason::Folder
        });
        let meant = close.map(|close| close.index);
        let is_missing = !matches!(problem, ReferenceProblem::EmptyPath);
        return Err(BadReference { problem, meant, is_certain, is_missing, nearest: meant });
    }
    if let Some(entry) = found {
        if path.starts_with(FOLDER) {
            return Ok(entry);
        }
        let problem = ReferenceProblem::Outside { path: quoted(path) };
        return Err(BadReference::of_file(problem, found));
    }
    // The file exists if an entry's own name has a backslash, for example: then that name is the error.
    if let Some(entry) = attachments.find_unportable(path) {
        return Ok(entry);
    }
    let suggestion = attachments.suggest(path);
    let text = suggestion.as_ref().map(describe).unwrap_or_default();
    let elsewhere = suggestion.as_ref().and_then(|found| other_folder(attachments, path, found));
    let is_certain = suggestion.as_ref().is_some_and(|found| elsewhere.is_some() || found.is_certain(path));
    let nearest = suggestion.as_ref().map(|found| found.index);
    let meant = suggestion.filter(|found| found.reason != Reason::Spelling).map(|found| found.index);
    let problem = match elsewhere {
        Some(folder) => {
            let at_root = || "at the root of the ZIP".to_owned();
            let place = if folder.is_empty() { at_root() } else { format!("in \"{}\"", quoted(&folder)) };
            ReferenceProblem::WrongFolder { path: quoted(path), place }
        }
        None if attachments.is_empty() => ReferenceProblem::NoAttachments { path: quoted(path) },
        None => {
            let advice = match meant {
                Some(_) => {
                    "Write the path exactly as the ZIP has it, if that file is meant; otherwise add the file to the ZIP."
                }
                None => "Add the file to the ZIP under this path, or write the path of a file that is in it.",
            };
            ReferenceProblem::Missing { path: quoted(path), suggestion: text, advice }
        }
    };
    Err(BadReference { problem, meant, is_certain, is_missing: true, nearest })
}

/// The folder with the files of `attachments/`, if the ZIP has no such folder; empty for its root.
fn other_folder(attachments: &Attachments, path: &str, found: &Suggestion) -> Option<String> {
    let file = path.strip_prefix(FOLDER)?;
    let folder = found.name.strip_suffix(file).filter(|folder| folder.is_empty() || folder.ends_with('/'))?;
    let is_moved = found.is_sole && matches!(found.reason, Reason::Folder | Reason::Case);
    (is_moved && !attachments.has_folder(FOLDER)).then(|| folder.to_owned())
}

/// Whether a file can be referenced at a path.
fn is_usable(path: &str) -> bool {
    path.starts_with(FOLDER) && malformed(path).is_none()
}

/// The problem of a path, whatever the archive contains.
fn malformed(path: &str) -> Option<ReferenceProblem> {
    let shown = || quoted(path);
    if path.trim().is_empty() {
        Some(ReferenceProblem::EmptyPath)
    } else if is_url(path) {
        Some(ReferenceProblem::Url { path: shown() })
    } else if names::has_drive(path) || path.starts_with(['/', '\\']) {
        Some(ReferenceProblem::Absolute { path: shown() })
    } else if path.contains('\\') {
        Some(ReferenceProblem::Backslash { path: shown() })
    } else if path.split('/').any(|part| part == "..") {
        Some(ReferenceProblem::Traversal { path: shown() })
    } else {
        None
    }
}

/// Whether a path is `scheme://…`, `data:…` or similar. A single letter before the colon is a drive.
fn is_url(path: &str) -> bool {
    let Some((scheme, rest)) = path.split_once(':') else { return false };
    let is_scheme = scheme.len() > 1
        && scheme.len() < 16
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    let opaque =
        ["data", "blob", "file", "mailto", "urn"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    is_scheme && (rest.starts_with("//") || opaque)
}

fn describe(found: &Suggestion) -> String {
    format!("; the nearest is \"{}\", which {}", quoted(&found.name), found.reason)
}

/// A path for a message, cut after a few hundred bytes.
fn quoted(path: &str) -> String {
    const MOST: usize = 300;
    if path.len() <= MOST {
        return path.to_owned();
    }
    let whole = (0..=MOST).rev().find(|at| path.is_char_boundary(*at)).unwrap_or(0);
    format!("{}…", path.get(..whole).unwrap_or_default())
}

#[cfg(test)]
mod tests;
