//! FORMATS.md: what each system accepts.

use std::fmt::Write;

use evalcheck_engine::formats::fields::ShortName;
use evalcheck_engine::formats::{
    Format, FormatOption, Formats, Layout, List, ListPlace, StrictJson, Variant,
};
use evalcheck_engine::rules::{self, Rule, applies, is_general};
use evalcheck_report::Severity;
use evalcheck_report::text::{count, grouped, listed};

use crate::markdown::{anchor, code, prose, row, table, values};
use crate::rules::{link, path};
use crate::{GENERATED, columns, examples, schemas};

const INTRODUCTION: &str = "\
What each system accepts, as evalcheck checks it. `evalcheck formats` lists the formats, `evalcheck schema FORMAT`
writes the JSON Schema of a format, and [RULES.md](RULES.md) describes every rule.

A finding is an **error** when the system's own loader rejects the dataset or its document forbids it. It is a
**warning** when the dataset loads but something is lost, ignored, ambiguous or very likely a mistake, and an **info**
when it is only worth knowing. A dataset without errors is valid.

All text is UTF-8. What becomes of a byte order mark differs: see the `text/` rules of a format. Lines end with `\\n` or `\\r\\n`. Blank lines are skipped but
counted, so line numbers are those of an editor. In a path, `[]` stands for every element of an array and `*` for every
key that is not listed.
";

const DETECTION: &str = "\
The content decides; the extension only breaks ties. The signs of a format are tried in the order of the table, and the first one that a
file has gives the confidence, from 0 to 100. The table has the confidence for a file in which all records have the sign. A format is certain
above 70, and likely from 30 on; if none is certain and formats of several systems are likely, none is chosen. A file without a likely format
is plain data: `jsonl`, `json` or `csv`. Hugging Face datasets loads any of them, so it is listed after the others, and never chosen. Other
systems are known by their keys only: they are named if their files are plain data.
";

/// The document.
pub(crate) fn document(formats: Formats) -> String {
    let mut out = format!("{GENERATED}# Formats\n\n{INTRODUCTION}\n");
    out.push_str(&table(&["Id", "System", "Files", "Records"]));
    for format in formats {
        let id = format!("[{}](#{})", code(format.id), anchor(&heading(format)));
        let files = files(format);
        out.push_str(&row(&[&id, format.about.system, &files, &prose(format.about.summary)]));
    }
    out.push_str(&detection(formats));
    for format in formats {
        out.push_str(&section(format, formats));
    }
    out
}

/// The signs by which formats are detected.
fn detection(formats: Formats) -> String {
    let mut out = format!("\n## Detection\n\n{DETECTION}\n");
    out.push_str(&table(&["Format", "Signs", "Confidence"]));
    for format in formats.iter().filter(|format| !format.takes_any_data()) {
        let mut signs = Vec::new();
        for signature in format.detection.signatures {
            let known = (signature.in_words(code), signature.confidence());
            if !signs.contains(&known) {
                signs.push(known);
            }
        }
        for (words, confidence) in signs {
            out.push_str(&row(&[&code(format.id), &words, &confidence.to_string()]));
        }
    }
    out
}

fn heading(format: &Format) -> String {
    format!("{} ({})", format.about.title, code(format.id))
}

fn files(format: &Format) -> String {
    let extensions: Vec<String> =
        format.detection.extensions.iter().map(|extension| format!(".{extension}")).collect();
    values(extensions.iter().map(String::as_str))
}

fn section(format: &'static Format, formats: Formats) -> String {
    let mut out = format!("\n## {}\n\n{}\n\n", heading(format), prose(format.about.summary));
    let mut fact = |name: &str, what: &str| {
        if !what.is_empty() {
            let _ = writeln!(out, "- {name}: {what}");
        }
    };
    let link =
        if format.about.link.is_empty() { String::new() } else { format!(", <{}>", format.about.link) };
    fact("System", &format!("{}{link}", format.about.system));
    fact("Files", &files(format));
    fact("Versions", &values(format.versions()));
    fact("Options", &options(format));
    if format.is_detected() {
        fact("Detected by", &prose(format.detection.expected));
    } else {
        fact("Never detected; named for", &prose(format.detection.expected));
    }
    fact(
        "As loaded",
        &format!(
            "`evalcheck loaded` shows each record as the system holds it. {}",
            prose(format.loader.source)
        ),
    );
    fact("Keys of searches", &names(format));
    fact("Number of records", &limits(format));
    fact("Text", &texts(format));
    for (title, variants) in written(format) {
        let _ = write!(out, "\n### {title}\n\n{}", layout(variants));
    }
    let _ = write!(out, "\n### Rules\n\n{}", severities(format, formats));
    out.push_str("\n### Examples\n");
    for example in format.examples {
        let _ = write!(out, "\n{}", examples::section(format, example));
    }
    out
}

/// The options, and what is different with them.
fn options(format: &Format) -> String {
    let option = |option: &FormatOption| format!("{}: {}", code(option.name), prose(option.help));
    format.options.iter().map(option).collect::<Vec<_>>().join(" ")
}

/// The short names of values, and the paths that they mean.
fn names(format: &Format) -> String {
    let name = |short: ShortName| {
        format!("{} ({})", code(short.name), values(short.paths.iter().map(String::as_str)))
    };
    format.names().map(name).collect::<Vec<_>>().join("; ")
}

fn limits(format: &Format) -> String {
    let limits = format.rules.limits;
    let mut parts = Vec::new();
    if let Some(usual) = limits.usual {
        parts.push(format!("above {} a warning", grouped(usual)));
    }
    if let Some(most) = limits.most {
        parts.push(format!("above {} an error", grouped(most)));
    }
    let least = limits.least.map_or("one".to_owned(), grouped);
    let most = if parts.is_empty() { "no upper limit".to_owned() } else { listed(&parts) };
    let size = limits.bytes.map(|bytes| {
        if limits.large_files.is_empty() {
            format!("; a file of more than {} bytes: an error", grouped(bytes))
        } else {
            format!("; a file of more than {} MiB: a warning", grouped(bytes >> 20))
        }
    });
    format!("at least {least}; {most}{}", size.unwrap_or_default())
}

fn texts(format: &Format) -> String {
    let policy = format.texts;
    let mut parts = Vec::new();
    if policy.jsonb {
        parts.push("stored as PostgreSQL `jsonb`, which cannot contain `\\u0000`".to_owned());
    }
    if policy.embedded {
        parts.push("no embedded file contents (`data:` URLs, long base64)".to_owned());
    }
    match policy.strict_json {
        StrictJson::Never => {}
        StrictJson::InDocuments => parts.push("a duplicate key in a JSON document is an error".to_owned()),
        StrictJson::Always => parts.push("strict JSON: a duplicate key is an error".to_owned()),
        StrictJson::InLines => parts.push("in JSONL, a duplicate key is an error".to_owned()),
    }
    if policy.blank_lines_are_doubtful {
        parts.push("a blank line is a warning".to_owned());
    }
    parts.join("; ")
}

/// The variants of a format with a heading each. Variants that differ only in the version share one.
fn written(format: &'static Format) -> Vec<(String, &'static Variant)> {
    let mut groups: Vec<(Vec<&'static str>, &'static Variant)> = Vec::new();
    for variant in format.variants {
        match groups.iter_mut().find(|(_, other)| is_written_alike(variant, other)) {
            Some((versions, _)) => versions.push(variant.version),
            None => groups.push((vec![variant.version], variant)),
        }
    }
    let several = groups.len() > 1;
    groups
        .into_iter()
        .map(|(versions, variant)| {
            let what = match variant.layout {
                Layout::Jsonl => "JSONL, one record per line",
                Layout::JsonlWithHeader(_) => "JSONL, one record per line after a header line",
                Layout::Csv(_) => "CSV, one record per row",
                Layout::Json(_) => "One JSON document",
            };
            let versions: Vec<String> =
                versions.iter().filter(|version| !version.is_empty()).map(|version| code(version)).collect();
            let named = several && !versions.is_empty();
            let title =
                if named { format!("{what}, version {}", listed(&versions)) } else { what.to_owned() };
            (title, variant)
        })
        .collect()
}

fn is_written_alike(a: &Variant, b: &Variant) -> bool {
    let layouts = match (&a.layout, &b.layout) {
        (Layout::Jsonl, Layout::Jsonl) => true,
        (Layout::JsonlWithHeader(a), Layout::JsonlWithHeader(b)) => std::ptr::eq(*a, *b),
        (Layout::Csv(a), Layout::Csv(b)) => std::ptr::eq(*a, *b),
        (Layout::Json(a), Layout::Json(b)) => std::ptr::eq(*a, *b),
        _ => false,
    };
    layouts && std::ptr::eq(a.schema, b.schema)
}

fn layout(variant: &'static Variant) -> String {
    match variant.layout {
        Layout::Jsonl => schemas::section(variant.schema),
        Layout::JsonlWithHeader(header) => format!(
            "The first line:\n\n{}\nEvery line after it:\n\n{}",
            schemas::section(header),
            schemas::section(variant.schema)
        ),
        Layout::Csv(columns) if columns.columns.is_empty() => "Any columns.\n".to_owned(),
        Layout::Csv(columns) => columns::section(columns),
        Layout::Json(lists) => {
            let mut out = String::new();
            for (location, alike) in lists.chunk_by(|a, b| std::ptr::eq(a.schema, b.schema)).enumerate() {
                let line = if location > 0 { "\n" } else { "" };
                let records: Vec<String> = alike.iter().map(records).collect();
                let _ = writeln!(out, "{line}{}:\n", records.join("; "));
                out.push_str(&schemas::section(alike[0].schema));
            }
            out
        }
    }
}

/// The records of a list.
fn records(list: &List) -> String {
    let needed = if list.required { "required" } else { "optional" };
    match list.place {
        ListPlace::Key(key) => format!("Elements of {} ({needed})", code(key)),
        ListPlace::AnyKey => "elements of each list of objects under a key of an object".to_owned(),
        ListPlace::Root => "Elements of an array".to_owned(),
        ListPlace::Single([]) => "an object as the only record".to_owned(),
        ListPlace::Single(keys) => {
            format!("an object without such a list, or with one of the keys {}", values(keys.iter().copied()))
        }
    }
}

/// The rules that apply: one row for each rule of the system, and one for each category of the general rules.
fn severities(format: &Format, formats: Formats) -> String {
    let mut rules: Vec<&Rule> = rules::of(formats).collect();
    rules.sort_by_key(|rule| rule.code);
    let (general, own): (Vec<&Rule>, Vec<&Rule>) = rules.into_iter().partition(|rule| is_general(rule));
    let mut out = String::new();
    let own: Vec<&Rule> = own.into_iter().filter(|rule| applies(rule, format)).collect();
    if !own.is_empty() {
        out.push_str(&table(&["Rule of this system", "Severity", "Summary"]));
        for rule in own {
            out.push_str(&row(&[&link(rule, rule.code), rule.severity.as_str(), &prose(rule.summary)]));
        }
        out.push('\n');
    }
    out.push_str(&table(&["General rules", "Severities", "Which"]));
    for group in general.chunk_by(|a, b| a.category() == b.category()) {
        let (here, elsewhere): (Vec<&Rule>, Vec<&Rule>) =
            group.iter().partition(|rule| applies(rule, format));
        if here.is_empty() {
            continue;
        }
        let severities =
            [Severity::Error, Severity::Warning, Severity::Info].into_iter().filter_map(|severity| {
                let number = here.iter().filter(|rule| rule.severity == severity).count();
                (number > 0).then(|| count(number as u64, severity.as_str()))
            });
        let category = group[0].category();
        let title = format!("[{}]({})", code(&format!("{category}/")), path(category));
        let names = |rules: &[&Rule]| listed(&rules.iter().map(|rule| code(name(rule))).collect::<Vec<_>>());
        let is_split = rules::of(formats).any(|rule| rule.category() == category && !is_general(rule));
        let which = match (here.len(), elsewhere.len()) {
            (_, 0) if is_split => "all but those above".to_owned(),
            (_, 0) => "all".to_owned(),
            (here_too, others) if others < here_too && !is_split => format!("all but {}", names(&elsewhere)),
            _ => names(&here),
        };
        out.push_str(&row(&[&title, &severities.collect::<Vec<_>>().join(", "), &which]));
    }
    out
}

/// The part of a code after its category.
fn name(rule: &Rule) -> &'static str {
    rule.code.split_once('/').map_or(rule.code, |(_, name)| name)
}
