//! The manual and the completions cover the options of the command.
use std::process::{Command, Output};

const COMMANDS: [&str; 8] = ["check", "fix", "find", "stats", "diff", "loaded", "explain", "schema"];

fn evalcheck(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_evalcheck")).args(args).output().unwrap()
}

fn text(args: &[&str]) -> String {
    let output = evalcheck(args);
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_shell_completes_commands_and_forms() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = text(&["completions", shell]);
        for word in COMMANDS.iter().chain(&["output-file"]) {
            assert!(script.contains(word), "{shell}: {word}");
        }
        // Completions for other shells contain no values.
        let completes_values = ["bash", "fish", "zsh"].contains(&shell);
        assert!(!completes_values || script.contains("juryarena"), "{shell}");
    }
}

#[test]
fn bash_completes_a_command() {
    let script = text(&["completions", "bash"]);
    let asks = "COMP_WORDS=(evalcheck lo); COMP_CWORD=1; _evalcheck evalcheck lo evalcheck; echo \"${COMPREPLY[@]}\"";
    let output = match Command::new("bash").args(["-c", &format!("{script}\n{asks}")]).output() {
        Ok(output) => output,
        Err(error) => {
            eprintln!("SKIPPED: no bash here: {error}");
            return;
        }
    };
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "loaded", "{output:?}");
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let main = text(&["man"]);
    assert!(main.starts_with(".ie") && main.contains(".TH evalcheck 1"), "{main}");
    for command in COMMANDS {
        assert!(main.contains(command), "{command}");
        let page = text(&["man", command]);
        assert!(page.contains(&format!(".TH evalcheck-{command} 1")), "{command}");
    }
    assert!(text(&["man", "check"]).contains("sarif"));
    assert_eq!(evalcheck(&["man", "no-such"]).status.code(), Some(2));
}
