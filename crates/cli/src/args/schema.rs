//! The arguments of `schema`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use evalcheck_wire::options::Options;

use super::Reading;
use super::help::SCHEMA_HELP;
use crate::known::{check_format, ids};

/// Names the configuration in place of a format.
pub(crate) const CONFIG: &str = "config";

#[derive(Debug, clap::Args)]
#[command(after_help = SCHEMA_HELP)]
pub(crate) struct Schema {
    /// The format, or `config` for evalcheck.toml
    #[arg(id = "of", value_name = "FORMAT", required_unless_present = "infer", value_parser = PossibleValuesParser::new(ids().chain([CONFIG])))]
    pub(crate) format: Option<String>,

    /// The version of the format [default: the usual one]
    #[arg(long, value_name = "V", requires = "of")]
    pub(crate) version: Option<String>,

    /// Write the JSON Schema (2020-12) that fits the records of this dataset; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "of")]
    pub(crate) infer: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

impl Schema {
    /// Checks what the declaration of the arguments cannot say.
    ///
    /// # Errors
    /// A message on what is wrong.
    pub(crate) fn check(&self) -> Result<(), String> {
        let Reading { options, config, isolated, stdin_filename } = &self.reading;
        let reads =
            options.0 != Options::default() || config.is_some() || *isolated || stdin_filename.is_some();
        if reads && self.infer.is_none() {
            return Err("options for reading a dataset need --infer FILE".to_owned());
        }
        let (format, format_version) = (self.format.clone(), self.version.clone());
        check_format(&Options { format, format_version, ..Options::default() })
    }
}
