//! Renders the text of a file, for the test of the rendering cost (`tests/linear`).

fn main() -> std::io::Result<()> {
    for file in std::env::args_os().skip(1) {
        println!("{} blocks", evalcheck_markdown::document(&std::fs::read_to_string(file)?).blocks.len());
    }
    Ok(())
}
