//! Datasets of many records. A few records are unusual.

use std::fmt::Write;

/// Lines of JuryArena. One of `each` has two blank lines before it and spans two lines, and the next one is broken.
pub fn lines(records: u64, each: u64) -> String {
    let mut data = String::new();
    for n in 0..records {
        match n % each {
            7 => write!(
                data,
                "\n  \n{{\"input\":\n {{\"messages\":[{{\"role\":\"user\",\"content\":\"q {n}\"}}]}}}}"
            )
            .unwrap(),
            8 => write!(data, "{{\"input\":q {n}").unwrap(),
            _ => write!(data, r#"{{"input":{{"messages":[{{"role":"user","content":"q {n}"}}]}}}}"#).unwrap(),
        }
        data.push('\n');
    }
    data
}

/// Rows of Tencent's CSV. One of `each` has line breaks in a cell.
pub fn rows(records: u64, each: u64) -> String {
    let mut data = "system,prompt,response\n".to_owned();
    for n in 0..records {
        let line_break = if n % each == 7 { "\n\n" } else { "" };
        writeln!(data, ",\"{line_break}q {n}\",a").unwrap();
    }
    data
}
