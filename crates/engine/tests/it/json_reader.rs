//! Documents end to end, with a format made for it.

use crate::support;
use evalcheck_engine::check::state::CheckState;
use evalcheck_engine::finding::Finding;
use evalcheck_engine::formats::{self, Format, Layout, Variant};
use evalcheck_engine::records::{List, ListPlace, MAX_RECORD, Reader, reader};
use evalcheck_json::schema::{Array, Object, Property, Schema, UnknownKeys};

static LIST: Schema = Schema::ANY_ARRAY;

static LISTS: &[List] = &[
    List { place: ListPlace::Key("queries"), array: &LIST, schema: &QUERY, required: true },
    List { place: ListPlace::Key("documents"), array: &LIST, schema: &DOCUMENT, required: false },
];

static QUERY: Schema = Schema::object(Object::new(
    &[Property::required("id", &Schema::STRING), Property::optional("texts", &TEXTS)],
    UnknownKeys::Ignore,
));

static TEXTS: Schema = Schema::array(Array::of(&Schema::STRING));

static DOCUMENT: Schema =
    Schema::object(Object::new(&[Property::required("doc_id", &Schema::STRING)], UnknownKeys::Allow));

static FORMAT: Format =
    Format::new("test", &[Variant { version: "", layout: Layout::Json(LISTS), schema: &QUERY }]);

fn read(format: &'static Format, data: &[u8], piece: usize) -> Box<dyn Reader<CheckState>> {
    let variant = &format.variants[0];
    let mut document = reader(&variant.layout, variant.schema, CheckState::new(format, variant, None));
    for piece in data.chunks(piece.max(1)) {
        document.buffer(piece.len()).copy_from_slice(piece);
        document.commit(piece.len());
    }
    document.finish();
    document
}

/// The findings as `line:column code path`, and `valid/invalid`.
fn check_in(data: &[u8], piece: usize) -> (Vec<String>, String) {
    check_as(&FORMAT, data, piece)
}

fn check_as(format: &'static Format, data: &[u8], piece: usize) -> (Vec<String>, String) {
    let document = read(format, data, piece);
    let state = document.visitor();
    let shown = |finding: &Finding| {
        let wire = finding.to_wire();
        let at =
            wire.line.map_or_else(|| "file".to_owned(), |line| format!("{line}:{}", wire.column.unwrap()));
        format!("{at} {} {}", wire.code, wire.path.unwrap_or_default()).trim_end().to_owned()
    };
    let counts = state.dataset.collector.counts(document.positions().text_lines);
    assert_eq!(counts.lines, support::lines_of(data), "every line is counted");
    (state.dataset.collector.in_order().map(shown).collect(), format!("{}/{}", counts.valid, counts.invalid))
}

#[track_caller]
fn expect(data: impl AsRef<[u8]>, findings: &[&str], counts: &str) {
    expect_as(&FORMAT, data, findings, counts);
}

/// The same for plain JSON.
#[track_caller]
fn expect_plain(data: impl AsRef<[u8]>, findings: &[&str], counts: &str) {
    expect_as(formats::by_id("json").unwrap(), data, findings, counts);
}

#[track_caller]
fn expect_as(format: &'static Format, data: impl AsRef<[u8]>, findings: &[&str], counts: &str) {
    let data = data.as_ref();
    for piece in [1 << 20, 1, 7, 64] {
        let (found, counted) = check_as(format, data, piece);
        assert_eq!(found, findings, "in pieces of {piece}: {}", String::from_utf8_lossy(data));
        assert_eq!(counted, counts, "in pieces of {piece}");
    }
}

#[test]
fn clean_documents() {
    expect(r#"{"queries":[{"id":"a"},{"id":"b","texts":["x","y"]}]}"#, &[], "2/0");
    expect(
        "{\r\n \"documents\" : [ {\"doc_id\":\"d\"} ] ,\n\"queries\":[\n{\n\"id\":\"a\"\n}\n]\n}\n",
        &[],
        "2/0",
    );
    expect("\u{feff}{\"queries\":[{\"id\":\"a\"}]}", &["1:1 text/byte-order-mark"], "1/0");
}

#[test]
fn elements_have_their_pointer_line_and_column() {
    expect(r#"{"queries":[{"id":"a"},{"id":1}]}"#, &["1:30 shape/wrong-type queries.1.id"], "1/1");
    let data = "{\"queries\":[{\"id\":\"\u{e9}\"},\r\n  {\"texts\":\r\n    [\"a\", 2]\r\n}]}";
    let found = ["2:3 shape/missing-key queries.1.id", "3:11 shape/wrong-type queries.1.texts.1"];
    expect(data, &found, "1/1");
    expect(
        r#"{"documents":[{"doc_id":"a","doc_id":"b"}],"queries":[{"id":"a","x":1}]}"#,
        &["1:29 json/duplicate-key documents.0.doc_id", "1:65 shape/unknown-key queries.0.x"],
        "2/0",
    );
    let message = |data: &str| {
        read(&FORMAT, data.as_bytes(), 100).visitor().dataset.collector.findings()[0].to_wire().message
    };
    assert_eq!(
        message(r#"{"queries":[{"id":"a"},{"id":None}]}"#),
        "invalid JSON: None at column 30 is Python; JSON has null"
    );
    assert_eq!(
        message("{\"queries\":[{\"id\":\"a\",\n\"id\":\"b\"}]}"),
        "duplicate key \"id\" in this object (first at line 1); only the last one counts"
    );
    assert_eq!(
        message("{\"queries\":[\n{\"id\":\"a\""),
        "invalid JSON: the document ends with an object (opened at column 1) still open"
    );
    assert_eq!(
        message("{\"queries\":[\n{\"id\":\"a\"},\n"),
        "invalid JSON: the document ends with the list \"queries\" (opened on line 1) still open"
    );
}

#[test]
fn a_broken_element_is_named_and_reading_goes_on_behind_it() {
    let broken = |element: &str, code: &str| {
        let data = format!("{{\"queries\":[\n{element},\n{{\"id\":1}},\n{{\"id\":\"c\"}}\n]}}");
        expect(&data, &[code, "3:7 shape/wrong-type queries.1.id"], "1/2");
        // The same on one line.
        let data = data.replace('\n', " ");
        for piece in [1 << 20, 1] {
            let (found, counts) = check_in(data.as_bytes(), piece);
            assert_eq!((found.len(), counts.as_str()), (2, "1/2"), "{data}: {found:?}");
        }
    };
    broken("{\"id\":'a'}", "2:7 json/single-quotes");
    broken("{\"id\":\"a\",}", "2:10 json/trailing-comma");
    broken("{id:\"a\"}", "2:2 json/unquoted-key");
    broken("{\"id\":None}", "2:7 json/python-literal");
    broken("{\"id\":\"a\" // x\n}".replace('\n', "").as_str(), "2:11 json/comment");
    broken("{\"id\":\"a, \"texts\":[]}", "2:9 json/missing-quote");
    broken("{\"id\":\"a\"", "3:1 json/missing-value");
    broken("{\"id\":\"a\",\"texts\":[\"x\"}", "2:23 json/unmatched-bracket");
    broken("None", "2:1 json/python-literal");
    broken("{\"id\":\"a\u{1}\"}", "2:9 json/control-character");
}

#[test]
fn errors_between_elements() {
    expect("{\"queries\":[{\"id\":\"a\"} {\"id\":\"b\"}]}", &["1:24 json/missing-comma"], "2/0");
    expect("{\"queries\":[{\"id\":\"a\"},]}", &["1:23 json/trailing-comma"], "1/0");
    expect("{\"queries\":[{\"id\":\"a\"},,{\"id\":\"b\"}]}", &["1:24 json/missing-value"], "2/0");
    expect(
        "{\"queries\":[// x\n{\"id\":\"a\"}/* ] */]} # y\n",
        &["1:13 json/comment", "2:11 json/comment", "2:21 json/comment"],
        "1/0",
    );
    expect("{\"queries\":[{\"id\":\"a\"}}", &["1:23 json/unmatched-bracket"], "1/0");
    expect("{\"queries\":[{\"id\":\"a\"}},{\"id\":\"b\"}]}", &["1:23 json/unmatched-bracket"], "2/0");
    expect("{\"queries\":[\u{a0}{\"id\":\"a\"}]}", &["1:13 json/stray-character"], "1/0");
    expect("{\"queries\" [{\"id\":\"a\"}]}", &["1:12 json/missing-colon"], "1/0");
    expect(
        "{\"queries\":[{\"id\":\"a\"}] \"documents\":[{\"doc_id\":\"d\"}]}",
        &["1:25 json/missing-comma"],
        "2/0",
    );
    expect("{\"queries\":,\"documents\":[]}", &["1:12 json/missing-value"], "0/0");
}

#[test]
fn around_the_lists() {
    expect("", &["file file/empty"], "0/0");
    expect(" \n ", &["file dataset/no-records"], "0/0");
    expect("{}", &["1:1 shape/missing-key queries"], "0/0");
    expect("{\"queries\":[]}", &["file dataset/no-records"], "0/0");
    expect(
        "{\"querys\":[],\"x\":{\"a\":1,\"a\":2}}",
        &[
            "1:2 shape/unknown-key querys",
            "1:14 shape/unknown-key x",
            "1:25 json/duplicate-key x.a",
            "1:1 shape/missing-key queries",
        ],
        "0/0",
    );
    expect("{\"queries\":{\"id\":\"a\"}}", &["1:12 shape/wrong-type queries"], "0/0");
    expect("{\"queries\":[{\"id\":\"a\"}],\n\"queries\":[]}", &["2:1 document/duplicate-key queries"], "1/0");
    expect("[{\"id\":\"a\"}]", &["1:1 shape/wrong-type (root)"], "0/0");
    expect("'x'", &["1:1 json/single-quotes", "1:1 document/not-checked"], "0/0");
    expect("{\"queries\":[{\"id\":\"a\"}]}\n{\"queries\":[]}", &["2:1 document/text-after"], "1/0");
    expect("{\"queries\":[{\"id\":\"a\"}]},", &["1:25 document/text-after"], "1/0");
    expect("{\"queries\":[{\"id\":\"a\"}]", &["1:23 document/truncated"], "1/0");
    expect("{\"queries\":[{\"id\":\"a\"},{\"id\":\"b", &["1:31 document/truncated"], "1/1");
    expect("{'queries': [{'id': 'a'}]}", &["1:2 json/single-quotes", "1:2 document/not-checked"], "0/0");
    expect("{\"x\":[1,},\"queries\":[{\"id\":\"a\"}]}", &["1:9 json/unmatched-bracket"], "1/0");
}

#[test]
fn an_element_that_is_too_long_is_thrown_away_and_reading_goes_on() {
    let mut data = b"{\"queries\":[{\"id\":\"".to_vec();
    data.resize(data.len() + MAX_RECORD, b'x');
    data.extend_from_slice(b"\"},{\"id\":1}]}");
    for piece in [1 << 20, MAX_RECORD / 3] {
        let (found, counts) = check_in(&data, piece);
        let column = 12 + MAX_RECORD + 8 + 9;
        assert_eq!(
            found,
            ["1:13 file/record-too-long".to_owned(), format!("1:{column} shape/wrong-type queries.1.id")]
        );
        assert_eq!(counts, "0/2");
    }
}

#[test]
fn a_missing_quote_does_not_swallow_a_long_document() {
    let mut data = b"{\"queries\":[{\"id\":\"a, \"texts\":[]},".to_vec();
    for _ in 0..20_000 {
        data.extend_from_slice(b"{\"id\":\"b\"},");
    }
    data.pop();
    data.extend_from_slice(b"]}");
    for piece in [1 << 20, 1000] {
        let (found, counts) = check_in(&data, piece);
        assert_eq!(found, ["1:21 json/missing-quote"]);
        assert_eq!(counts, "20000/1");
    }
}

#[test]
fn any_document_has_records() {
    expect_plain("[]", &["file dataset/no-records"], "0/0");
    expect_plain(" [ {\"id\":\"a\"} ,\n{} ] ", &[], "2/0");
    expect_plain("{}", &[], "1/0");
    expect_plain("{\"id\":\"a\",\"tags\":[1],\"none\":[]}\n", &[], "1/0");
    expect_plain("{\"v\":1,\"a\":[{},{}],\"b\":[1,{}],\"c\":[\n{}],\"d\":{\"e\":[{}]}}", &[], "3/0");
    expect_plain("{\"a\":[{}],\"messages\":[{},{}]}", &[], "1/0");
    let list = format!("{{\"a\":[{{}}],\"text\":\"{}\",\"messages\":[{{}},{{}}]}}", "x".repeat(70_000));
    expect_plain(list, &[], "3/0");
    let record = format!("{{\"text\":\"{}\",\"messages\":[{{}},{{}}]}}", "x".repeat(70_000));
    expect_plain(record, &[], "1/0");
    expect_plain("\u{feff}[{}]", &["1:1 text/byte-order-mark"], "1/0");
    expect_plain("7", &["1:1 shape/wrong-type (root)"], "0/0");
}

#[test]
fn paths_count_from_an_element_of_any_document() {
    expect_plain(
        "[1,{\"a\":1,\"a\":2}]",
        &["1:2 shape/wrong-type (root)", "1:11 json/duplicate-key a"],
        "1/1",
    );
    expect_plain(
        "{\"x\":{\"a\":1,\"a\":2},\"y\":[{\"b\":1,\"b\":2}]}",
        &["1:13 json/duplicate-key x.a", "1:32 json/duplicate-key b"],
        "1/0",
    );
}

#[test]
fn a_document_of_any_shape_is_cut_off() {
    expect_plain("[{\"id\":\"a\"}", &["1:11 document/truncated"], "1/0");
    expect_plain("{\"a\":[{\"id\":\"a\"}", &["1:16 document/truncated"], "1/0");
    expect_plain("{\"id\":\"a\"", &["1:9 document/truncated"], "0/1");
    expect_plain("{\"id\":\"a\"}]", &["1:11 document/text-after"], "1/0");
    expect_plain("[{\"id\":\"a\"}}]", &["1:12 json/unmatched-bracket", "1:12 document/not-checked"], "1/0");
    expect_plain("{\"id\":NaN}\n{\"id\":1}", &["1:7 json/nan", "2:1 document/text-after"], "0/1");
}

#[test]
fn after_a_broken_element_the_layout_shows_the_next_one() {
    let indented = |inner: &str| {
        format!(
            "{{\n  \"data\": [\n    {{\n      \"id\": 1,\n      \"in\": [\n        {{\"id\": 2}}{inner}\n    }},\n    \
             {{\n      \"id\": 3,\n      \"in\": [\n        {{\"id\": 4}}\n      ]\n    }}\n  ]\n}}\n"
        )
    };
    expect_plain(indented("\n      ]"), &[], "2/0");
    expect_plain(indented(""), &["7:5 json/unmatched-bracket"], "1/1");
    let two = "{\n  \"a\": [\n    {\"x\": [1}\n  ],\n  \"b\": [\n    {\"y\": [{\"z\": 1}]}\n  ]\n}";
    expect_plain(two, &["3:13 json/unmatched-bracket"], "1/1");
    let flat = two.lines().map(str::trim_start).collect::<Vec<_>>().join("\n");
    expect_plain(flat, &["3:9 json/unmatched-bracket", "3:9 document/not-checked"], "0/1");
    // Without an indentation, the first key shows it.
    let flat = indented("").lines().map(str::trim_start).collect::<Vec<_>>().join("\n");
    expect_plain(flat, &["7:1 json/unmatched-bracket"], "1/1");
    let on_one_line = indented("").replace('\n', "");
    let (found, counts) = check_as(formats::by_id("json").unwrap(), on_one_line.as_bytes(), 7);
    assert_eq!((found.len(), &*counts), (2, "0/1"), "{found:?}");
    assert!(found[1].ends_with("document/not-checked"));
}

#[test]
fn an_only_record_that_is_too_long_is_reported() {
    let mut data = b"{\"text\":\"".to_vec();
    data.resize(data.len() + MAX_RECORD, b'x');
    data.extend_from_slice(b"\"}");
    let (found, counts) = check_as(formats::by_id("json").unwrap(), &data, 1 << 20);
    assert_eq!((found, &*counts), (vec!["1:1 file/record-too-long".to_owned()], "0/1"));
}
