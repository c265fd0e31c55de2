//! The outputs of a check.

use std::path::PathBuf;

use clap::ValueEnum;

/// The form of the output of a check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// Each finding with its place in the file and what to do
    #[default]
    Text,
    /// One line for each finding
    Short,
    /// JSON, report v1
    Json,
    /// JSON lines: a finding on each as they come, and a last one with the report
    Jsonl,
    /// A page of HTML: the verdict, and the findings by groups with examples
    Html,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Text, with annotations and a summary for a GitHub workflow
    Github,
    /// Code Quality of GitLab
    Gitlab,
    /// `JUnit`, for build servers
    Junit,
    /// The diagnostic format of reviewdog
    Rdjson,
    /// A table
    Csv,
    /// Markdown: verdicts and tables of findings by rule and path
    Markdown,
}

/// The value of `--output-file`: a form and a path.
pub(super) fn output_file(text: &str) -> Result<(Output, PathBuf), String> {
    let (form, path) = text.split_once('=').ok_or("write a form and a file, such as sarif=report.sarif")?;
    if path.is_empty() {
        return Err("the name of the file is missing".to_owned());
    }
    if form == "github" {
        return Err("this form is for the log of a workflow: use --output github".to_owned());
    }
    Ok((Output::from_str(form, false)?, PathBuf::from(path)))
}

impl Output {
    /// True when findings are shown as they come, so that none are kept.
    pub(super) const fn streams(self) -> bool {
        !matches!(self, Self::Json | Self::Html)
    }

    /// Whether it can hold the reports of one file for several formats.
    pub(crate) const fn is_of_several(self) -> bool {
        matches!(self, Self::Text | Self::Short | Self::Jsonl)
    }

    /// True for one that is written at the end, about all files.
    pub(crate) const fn is_of_run(self) -> bool {
        match self {
            Self::Text | Self::Short | Self::Json | Self::Jsonl | Self::Html => false,
            Self::Sarif
            | Self::Github
            | Self::Gitlab
            | Self::Junit
            | Self::Rdjson
            | Self::Csv
            | Self::Markdown => true,
        }
    }

    /// Why these files cannot be written so; `None` where they can.
    pub(crate) fn refusal(self, files: usize, is_filtered: bool, has_baseline: bool) -> Option<String> {
        match self {
            Self::Json if files > 1 => {
                Some(format!("JSON is the report of one file: use --output jsonl for {files}"))
            }
            Self::Html if files > 1 => {
                Some(format!("a page is the report of one file: write one for each of the {files}"))
            }
            Self::Html if is_filtered => {
                Some("a page has all findings: leave out --where, or use another output".to_owned())
            }
            Self::Html if has_baseline => {
                Some("a page has all findings: leave out the baseline, or use another output".to_owned())
            }
            _ => None,
        }
    }
}
