//! The functions of a wasm file in an order in which they compress well: neighbours are alike.
//!
//! What a compressor has seen lately costs it fewest bits to repeat, and half of a wasm file of Rust is the same function for
//! one type and the next. Beside the order of names this takes 2 % less.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use wasm_encoder::{Encode, NameMap, NameSection};
use wasmparser::{Parser, Payload, TypeRef};

/// Bytes in a row that two functions have in common, to be alike.
const RUN: usize = 5;

/// What more functions than this have in common says nothing.
const COMMON: usize = 200;

/// How much the function before counts, the one before that, and so on.
const WEIGHTS: [u64; 6] = [6, 5, 4, 3, 2, 1];

/// Added to the length of a function, so that the shortest are not always the most alike.
const LEAST: u64 = 40;

/// Names the functions of a file so that wasm-opt, which can sort them by name, brings them into order.
pub(super) fn name_by_likeness(wasm: &Path) -> Result<()> {
    let mut file = fs::read(wasm).with_context(|| format!("cannot read {}", wasm.display()))?;
    let (imported, bodies) = functions(&file)?;
    let mut places = vec![0; bodies.len()];
    for (place, body) in by_likeness(&bodies).into_iter().enumerate() {
        places[body] = place;
    }
    let mut names = NameMap::new();
    for (function, place) in (imported..).zip(places) {
        names.append(function, &format!("{place:08}"));
    }
    let mut section = NameSection::new();
    section.functions(&names);
    file.push(wasm_encoder::SectionId::Custom.into());
    section.encode(&mut file);
    fs::write(wasm, file).with_context(|| format!("cannot write {}", wasm.display()))
}

/// How many functions are imported, and the bodies of the others.
fn functions(file: &[u8]) -> Result<(u32, Vec<&[u8]>)> {
    let (mut imported, mut bodies) = (0, Vec::new());
    for payload in Parser::new(0).parse_all(file) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(&file[body.range()]),
            _ => {}
        }
    }
    Ok((imported, bodies))
}

/// The numbers of the bodies: the longest first, and behind each the one that is most like it and those before it.
fn by_likeness(bodies: &[&[u8]]) -> Vec<usize> {
    let mut having: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (number, body) in bodies.iter().enumerate() {
        for run in body.windows(RUN) {
            let having = having.entry(run).or_default();
            if having.last() != Some(&number) {
                having.push(number);
            }
        }
    }
    having.retain(|_, having| (2..=COMMON).contains(&having.len()));
    // For each body, who else has its runs, and what that counts.
    let mut others: Vec<Vec<(u64, &[usize])>> = vec![Vec::new(); bodies.len()];
    for having in having.values() {
        for number in having {
            others[*number].push((rarity(having.len()), having));
        }
    }

    let mut longest_first: Vec<usize> = (0..bodies.len()).collect();
    longest_first.sort_by_key(|number| std::cmp::Reverse(bodies[*number].len()));
    let mut order: Vec<usize> = Vec::with_capacity(bodies.len());
    let mut is_left = vec![true; bodies.len()];
    let mut likeness = vec![0_u64; bodies.len()];
    loop {
        let mut touched = Vec::new();
        for (before, weight) in order.iter().rev().zip(WEIGHTS) {
            for (rarity, having) in &others[*before] {
                for other in having.iter().filter(|other| is_left[**other]) {
                    if likeness[*other] == 0 {
                        touched.push(*other);
                    }
                    likeness[*other] += weight * rarity;
                }
            }
        }
        touched.sort_unstable();
        let mut next: Option<(u64, u64, usize)> = None;
        for other in touched {
            let (shared, length) = (std::mem::take(&mut likeness[other]), bodies[other].len() as u64 + LEAST);
            // As fractions of their lengths.
            if next.is_none_or(|(most, of, _)| shared * of > most * length) {
                next = Some((shared, length, other));
            }
        }
        let next = next.map(|(_, _, next)| next);
        let Some(next) = next.or_else(|| longest_first.iter().copied().find(|number| is_left[*number]))
        else {
            return order;
        };
        is_left[next] = false;
        order.push(next);
    }
}

/// What a run counts that so many functions have.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "below a thousand"
)]
fn rarity(functions: usize) -> u64 {
    (1000.0 / (functions as f64).powf(0.4)).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_alike_stands_together_and_nothing_is_lost() {
        let (a, b) = ((0..40).collect::<Vec<u8>>(), (100..160).collect::<Vec<u8>>());
        let (like_a, like_b) = ([&a[..], &[7]].concat(), [&[9], &b[..]].concat());
        let bodies = [&a[..], &b, &like_a, &[], &like_b];
        assert_eq!(by_likeness(&bodies), [4, 1, 2, 0, 3]);
    }

    #[test]
    fn the_functions_of_a_file_are_those_that_it_defines() {
        // One import of a function, and two functions: an empty one, and one that calls.
        let file = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x02\x07\x01\x01m\x01f\0\0\x03\x03\x02\0\0\x0a\x09\x02\x02\0\x0b\x04\0\x10\0\x0b";
        let (imported, bodies) = functions(file).unwrap();
        assert_eq!((imported, bodies), (1, vec![&b"\0\x0b"[..], b"\0\x10\0\x0b"]));
    }
}
