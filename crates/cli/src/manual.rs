//! The manual and the completions, from the declaration of the arguments.

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::args::Args;

/// The name of the command.
const NAME: &str = "evalcheck";

/// The completions for a shell.
pub(crate) fn completions(shell: Shell) -> String {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), NAME, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// The manual page of the command, or of one of its commands, as roff.
pub(crate) fn page(command: Option<&str>) -> Result<String, String> {
    let mut main = Args::command();
    main.build();
    let (title, of) = match command {
        None => (NAME.to_owned(), main),
        Some(name) => {
            let found = main.find_subcommand(name).filter(|found| found.get_name() != "help");
            let Some(found) = found else { return Err(format!("there is no command {name:?}")) };
            (format!("{NAME}-{name}"), found.clone())
        }
    };
    let mut out = Vec::new();
    let page = Man::new(of.name(title.clone())).title(title);
    page.render(&mut out).map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}
