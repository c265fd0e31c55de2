//! Short names for what a wasm file imports. wasm-bindgen gives each a hash, which does not compress: 1 kB of the engine.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{ImportSection, Module, RawSection};
use wasmparser::{Parser, Payload};

/// Renames the imports in a file and in the script that provides them, and gives the script.
pub(super) fn shorten(wasm: &Path, glue: &str) -> Result<String> {
    let file = fs::read(wasm).with_context(|| format!("cannot read {}", wasm.display()))?;
    let mut short = HashMap::new();
    let renamed = renamed(&file, |name| {
        let next = short.len();
        short.entry(name.to_owned()).or_insert_with(|| format!("i{next}")).clone()
    })?;
    let (glue, count) = replace_words(glue, &short);
    ensure!(count == short.len(), "{} imports, and the script provides {count}", short.len());
    fs::write(wasm, renamed).with_context(|| format!("cannot write {}", wasm.display()))?;
    Ok(glue)
}

/// The same file with other names for its imports.
fn renamed(file: &[u8], mut rename: impl FnMut(&str) -> String) -> Result<Vec<u8>> {
    let mut module = Module::new();
    for payload in Parser::new(0).parse_all(file) {
        let payload = payload?;
        if let Payload::ImportSection(imports) = payload {
            let mut section = ImportSection::new();
            for import in imports.into_imports() {
                let import = import?;
                let entity = RoundtripReencoder
                    .entity_type(import.ty)
                    .map_err(|error| anyhow!("an import: {error}"))?;
                section.import(import.module, &rename(import.name), entity);
            }
            module.section(&section);
        } else if let Some((id, range)) = payload.as_section() {
            module.section(&RawSection { id, data: &file[range] });
        }
    }
    Ok(module.finish())
}

/// A script with whole words replaced, and how often that was done.
fn replace_words(script: &str, by: &HashMap<String, String>) -> (String, usize) {
    let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let (mut out, mut rest, mut count) = (String::with_capacity(script.len()), script, 0);
    while let Some(start) = rest.find(is_of_word) {
        let (before, from) = rest.split_at(start);
        let (word, behind) = from.split_at(from.find(|c| !is_of_word(c)).unwrap_or(from.len()));
        let short = by.get(word);
        count += usize::from(short.is_some());
        out.push_str(before);
        out.push_str(short.map_or(word, String::as_str));
        rest = behind;
    }
    out.push_str(rest);
    (out, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_get_other_names_and_all_else_stays() {
        // A type, an import of a function, and a custom section.
        let file = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x02\x0c\x01\x01m\x06__f_00\0\0\0\x04\x01n!!";
        let renamed = renamed(file, |name| name[2..3].to_owned()).unwrap();
        assert_eq!(renamed, b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x02\x07\x01\x01m\x01f\0\0\0\x04\x01n!!");
    }

    #[test]
    fn words_are_replaced_as_a_whole() {
        let by = HashMap::from([("f_1".to_owned(), "i0".to_owned())]);
        let (script, count) = replace_words("x = { f_1: f_12($f_1), é: 'f_1'}", &by);
        assert_eq!((&*script, count), ("x = { i0: f_12($f_1), é: 'i0'}", 2));
    }
}
