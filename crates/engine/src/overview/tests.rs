//! The statistics of parts, merged in any groups, are those of the whole.

use std::io::Cursor;

use super::*;
use crate::check::{Check, FileInfo};
use evalcheck_wire::worker::CheckOptions;

/// One of `keys` keys, or one that makes paths with equal texts.
fn key(keys: usize, random: &mut fastrand::Rng) -> String {
    match random.usize(..4) {
        0 => ["a", "b", "a.b", "*"][random.usize(..4)].to_owned(),
        letters => "k".repeat(letters) + &random.usize(..keys).to_string(),
    }
}

/// A value of any kind.
fn value(keys: usize, random: &mut fastrand::Rng) -> String {
    match random.usize(..9) {
        0 => format!(r#"{{"{}":{{"{}":1,"b":null}},"y":[]}}"#, key(keys, random), key(keys, random)),
        1 => format!(r#"[{{"{}":true}},[0.1]]"#, key(keys, random)),
        2 => ["1e308", "-1.7e308", "0.1", "0.7", "3e-320", "1e300"][random.usize(..6)].to_owned(),
        3 => random.u32(..2_000).to_string(),
        4 => format!(r#""{}""#, "a \u{e9}".repeat(random.usize(..50))),
        5 => r#""\u6587""#.to_owned(),
        6 => format!(r#""{}""#, random.u32(..5)),
        7 => "false".to_owned(),
        _ => "{}".to_owned(),
    }
}

/// Lines of records with values of all kinds.
fn records(keys: usize, random: &mut fastrand::Rng) -> Vec<String> {
    let member = |random: &mut fastrand::Rng| format!(r#""{}":{}"#, key(keys, random), value(keys, random));
    let record = |random: &mut fastrand::Rng| {
        let members: Vec<String> = (0..random.usize(..6)).map(|_| member(random)).collect();
        let members = members.join(",");
        let input = r#"{"messages":[{"role":"user","content":"Hi"}]}"#;
        format!("{{\"input\":{input},\"usage_output\":{{{members}}}}}\n")
    };
    (0..400).map(|_| record(random)).collect()
}

/// The statistics of records.
fn count(records: &[String], hash: &KeyedHash) -> Overview {
    let data = records.concat();
    let file = FileInfo { name: "a.jsonl".to_owned(), size: data.len() as u64 };
    let options = CheckOptions { format: Some("juryarena".to_owned()), ..CheckOptions::default() };
    let mut check = Check::open(&mut Cursor::new(data.as_bytes()), file, options);
    check.observe(Overview::of_run(check.dataset(), Counting { hash: hash.clone(), values: true }));
    check.read_all(data.as_bytes(), 1 << 16);
    check.observer::<Overview>().unwrap().clone()
}

/// The parts, merged two by two as chance has it, in their order or in any.
fn merged(mut parts: Vec<Overview>, in_order: bool, random: &mut fastrand::Rng) -> Overview {
    while parts.len() > 1 {
        let at = random.usize(..parts.len() - 1);
        let next = parts.remove(if in_order { at + 1 } else { random.usize(at + 1..parts.len()) });
        let before = parts[at].bytes.to_wire().map_or(0, |bytes| bytes.count);
        parts[at].merge(&next, before);
        if !in_order {
            random.shuffle(&mut parts);
        }
    }
    parts.remove(0)
}

/// The statistics without the order in which paths and values first occur.
fn unordered(overview: &Overview) -> wire::Overview {
    let mut wire = overview.to_wire(&Counts::default());
    wire.paths.order_by(|a, b| {
        a.path.cmp(&b.path).then(a.records.cmp(&b.records)).then(a.types.named().cmp(&b.types.named()))
    });
    for values in wire.paths.iter_mut().filter_map(|facts| facts.values.as_mut()) {
        values.values.order_by(|a, b| a.value.cmp(&b.value));
    }
    wire
}

#[test]
fn parts_add_up_in_any_groups_and_any_order() {
    let mut cut = 0;
    for (seed, keys) in (0..).zip([3, 40, 90, 150, 300, 1_000, 20_000, 20_000]) {
        let mut random = fastrand::Rng::with_seed(seed);
        let (records, hash) = (records(keys, &mut random), KeyedHash::default());
        let whole = count(&records, &hash);
        cut += u64::from(whole.tree.others() > 0);
        for _ in 0..4 {
            let mut parts = Vec::new();
            let mut left = &records[..];
            while !left.is_empty() {
                let (part, rest) = left.split_at(random.usize(1..=left.len().min(90)));
                parts.push(count(part, &hash));
                left = rest;
            }
            let in_order = merged(parts.clone(), true, &mut random);
            assert_eq!(
                in_order.to_wire(&Counts::default()),
                whole.to_wire(&Counts::default()),
                "{keys} keys"
            );
            assert_eq!(in_order.statistics(), whole.statistics(), "{keys} keys");
            assert_eq!(
                unordered(&merged(parts, false, &mut random)),
                unordered(&whole),
                "{keys} keys, in any order"
            );
        }
    }
    assert!(cut >= 4, "{cut} datasets have more than 500 paths");
}
