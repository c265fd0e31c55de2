//! The declared options of a check, as arguments.

use std::ops::Deref;
use std::path::Path;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use evalcheck_wire::options::{Declaration, Kind, OPTIONS, Options};
use serde_json::Value;

use crate::known;

/// The options that the arguments set, of those that the command has.
#[derive(Debug, Clone, Default)]
pub(crate) struct Given(pub(crate) Options);

impl Deref for Given {
    type Target = Options;

    fn deref(&self) -> &Options {
        &self.0
    }
}

impl clap::Args for Given {
    fn augment_args(command: Command) -> Command {
        let name = command.get_name().to_owned();
        command.args(OPTIONS.iter().filter(|option| option.commands.contains(&&*name)).map(arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = Self::default();
        given.update_from_arg_matches(matches).map(|()| given)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let wrong = |why: String| clap::Error::raw(ErrorKind::InvalidValue, why);
        for option in OPTIONS {
            // An option of other commands is an error here, or `None`.
            let values = matches.try_get_many::<Value>(option.name).ok().flatten();
            let Some(mut values) = values.map(Iterator::cloned) else { continue };
            let value = if option.kind.is_list() { Some(values.collect()) } else { values.next() };
            self.0.set(option.name, value.unwrap_or_default()).map_err(|error| wrong(error.to_string()))?;
        }
        known::check_format(self).map_err(wrong)
    }
}

/// The argument for an option.
fn arg(option: &'static Declaration) -> Arg {
    let value = |text: &str| match option.kind {
        Kind::Number => text.parse::<u64>().map(Value::from).map_err(|error| error.to_string()),
        Kind::Flag => Ok(Value::Bool(text == "true")),
        Kind::Schema => known::schema_file(text, Path::new("")),
        kind => known::check(kind, text).map(|()| Value::from(text)),
    };
    let ids = || PossibleValuesParser::new(known::formats()).map(Value::from);
    let arg = Arg::new(option.name).long(option.flag()).help(option.help.trim_start());
    let arg = arg.conflicts_with_all(option.conflict).value_parser(value);
    match option.kind {
        Kind::Format => arg.value_name("FORMAT").value_parser(ids()),
        Kind::Version => arg.value_name("V"),
        Kind::Entry => arg.value_name("PATH"),
        Kind::Encoding => arg.value_name("NAME"),
        Kind::FormatOptions => arg.value_name("OPTIONS").value_delimiter(',').action(ArgAction::Append),
        Kind::Schema => arg.value_name("FILE").action(ArgAction::Append),
        Kind::Codes => arg.value_name("CODES").value_delimiter(',').action(ArgAction::Append),
        Kind::Number => arg.value_name("N"),
        Kind::Flag => arg.action(ArgAction::SetTrue),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::Args;

    #[test]
    fn every_command_that_is_declared_to_have_an_option_takes_it() {
        let program = Args::command();
        for option in OPTIONS {
            for name in option.commands {
                let command = program.find_subcommand(name);
                let takes =
                    |command: &Command| command.get_arguments().any(|arg| arg.get_id() == option.name);
                assert!(command.is_some_and(takes), "{name} --{}", option.flag());
            }
        }
    }
}
