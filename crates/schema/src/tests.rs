#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use evalcheck_wire::user_schema::{RecordText, SchemaFile, Validate, Violation};

use crate::Schema;

fn file(name: &str, text: &str) -> SchemaFile {
    SchemaFile { name: name.to_owned(), text: text.to_owned() }
}

fn schema(text: &str) -> Schema {
    Schema::new(&[file("schemas/faq.json", text)], false).unwrap()
}

fn show(v: &[Violation]) {
    for v in v {
        println!(
            "{:?} {:?} {:?}\n  {} | {}\n  {:?} {:?}",
            v.rule, v.value, v.part, v.message, v.hint, v.keyword, v.remedy
        );
    }
}

#[test]
fn try_it() {
    let s = schema(
        r##"{"type":"object","required":["question","answer","level"],"properties":{"question":{"type":"string","minLength":1},"answer":{"$ref":"#/$defs/answer"},"level":{"enum":["easy","hard"]},"n":{"type":["integer","null"]},"m":{"anyOf":[{"type":"string"},{"type":"array","items":{"oneOf":[{"properties":{"role":{"const":"user"},"text":{"type":"string"}},"required":["role","text"]},{"properties":{"role":{"const":"tool"},"id":{"type":"integer"}},"required":["role","id"]}]}}]}},"additionalProperties":false,"$defs":{"answer":{"type":"string"}}}"##,
    );
    for r in [
        r#"{"question":"","answer":1,"level":"Easy","n":"42"}"#,
        r#"{"question":"a","anser":"x","level":"hrd","n":1.5,"zz":1}"#,
        r#"{"question":"a","answer":"x","level":"hard","m":[{"role":"user"},{"role":"tool","id":"7"},{"role":"x"},3]}"#,
        r#"{"question":"a","answer":"x","level":"hard","m":3}"#,
    ] {
        println!("== {r} {}", s.is_valid(r.as_bytes(), RecordText::Json));
        show(&s.violations(r, RecordText::Json));
    }
    for (n, t) in [
        ("bad ref", r##"{"$ref":"#/$defs/anser","$defs":{"answer":{}}}"##),
        ("nested", r##"{"properties":{"a":{"$ref":"defs.json#/x"}}}"##),
        ("bad type", r#"{"properties":{"a":{"type":"strin"}}}"#),
        ("regex", r#"{"properties":{"a":{"pattern":"(a"}}}"#),
        ("draft", r#"{"$schema":"http://x/y"}"#),
        ("json", "{\"a\":"),
        ("list", "[1]"),
        ("minlen", r#"{"properties":{"a":{"minLength":-1}}}"#),
        ("req", r#"{"required":"a"}"#),
        ("loop", r##"{"$ref":"#"}"##),
        ("anchor", r##"{"$ref":"#foo"}"##),
        ("id", r##"{"$id":"https://e.com/a.json","$ref":"b.json"}"##),
    ] {
        match Schema::new(&[file("schemas/faq.json", t)], false) {
            Ok(s) => println!("{n}: OK {}", s.is_valid(b"{}", RecordText::Json)),
            Err(e) => println!("{n}: {e:?}"),
        }
    }
    let s = schema(r##"{"not":{"pattern":"^(?=(a+)+$)"},"properties":{"b":{"pattern":"^(?=(a+)+$)"}}}"##);
    println!("{:?}", s);
    let t = format!("{{\"b\":\"{}b\"}}", "a".repeat(40));
    let now = std::time::Instant::now();
    show(&s.violations(&t, RecordText::Json));
    println!("{:?}", now.elapsed());
    let s = Schema::new(&[file("schemas/faq.json", r##"{"$id":"https://e.com/a/b.json","properties":{"x":{"$ref":"common.json#/$defs/t"},"y":{"$ref":"z.json"}}}"##), file("schemas/common.json", r#"{"$defs":{"t":{"type":"string"}}}"#), file("z","{\"$id\":\"https://e.com/a/z.json\",\"type\":\"integer\"}")], false).unwrap();
    show(&s.violations(r#"{"x":1,"y":"a"}"#, RecordText::Json));
    let s = schema(
        r##"{"type":"array","items":{"$ref":"#/$defs/r"},"$defs":{"r":{"required":["a"],"properties":{"a":{"type":"integer"}}}}}"##,
    );
    show(&s.violations(r#"{"a":"x"}"#, RecordText::Json));
    show(&s.violations(r#"{}"#, RecordText::Json));
    println!("{:?}", s.root_keys());
    let s = schema(
        r##"{"properties":{"n":{"type":"integer"},"b":{"type":["boolean","null"]},"l":{"type":"array"},"s":{"type":"string"},"e":{"enum":[1,2]}},"required":["n","s"],"additionalProperties":{"type":"number"}}"##,
    );
    for r in [
        r#"{"n":"3","b":"","l":"[1]","s":"1","e":"1","o":"1.5"}"#,
        r#"{"n":"","b":"TRUE","l":"[1","s":"","e":"3","o":"x"}"#,
    ] {
        show(&s.violations(r, RecordText::Row));
    }
}
