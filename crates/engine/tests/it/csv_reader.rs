//! Rows end to end, with a format made for it.

use crate::support;
use evalcheck_engine::check::state::CheckState;
use evalcheck_engine::finding::Finding;
use evalcheck_engine::formats::{Format, Variant};
use evalcheck_engine::records::{Column, Columns, Layout, MAX_RECORD, Reader, reader};
use evalcheck_engine::schema::Schema;
use evalcheck_json::schema::{Object, Property, UnknownKeys};
use evalcheck_records::csv::CsvLines;

static COLUMNS: Columns = Columns {
    columns: &[
        Column { name: "id", aliases: &["key"], required: false, not_blank: false, is_list: false, doc: "" },
        Column {
            name: "text",
            aliases: &["content"],
            required: true,
            not_blank: true,
            is_list: false,
            doc: "",
        },
    ],
    lines: CsvLines::Skipped,
    longest_cell: usize::MAX,
    one_of: None,
    takes_others: false,
    any_separator: false,
    labels_rows: false,
};

static ID: Schema = Schema::text(evalcheck_json::schema::StringSchema::NAME);

static ROW: Schema = Schema::object(Object::new(&[Property::optional("id", &ID)], UnknownKeys::Ignore));

static FORMAT: Format =
    Format::new("test", &[Variant { version: "", layout: Layout::Csv(&COLUMNS), schema: &ROW }]);

/// A table that was read in pieces of this size.
fn read_in(data: &[u8], piece: usize) -> Box<dyn Reader<CheckState>> {
    let mut rows =
        reader(&FORMAT.variants[0].layout, &ROW, CheckState::new(&FORMAT, &FORMAT.variants[0], None));
    for piece in data.chunks(piece) {
        rows.buffer(piece.len()).copy_from_slice(piece);
        rows.commit(piece.len());
    }
    rows.finish();
    rows
}

/// The findings as `line:column code path`, and `header/valid/invalid/blank`.
fn check_in(data: &[u8], piece: usize) -> (Vec<String>, String) {
    let rows = read_in(data, piece);
    let state = rows.visitor();
    let shown = |finding: &Finding| {
        let wire = finding.to_wire();
        let at =
            wire.line.map_or_else(|| "file".to_owned(), |line| format!("{line}:{}", wire.column.unwrap()));
        format!("{at} {} {}", wire.code, wire.path.unwrap_or_default()).trim_end().to_owned()
    };
    let counts = state.dataset.collector.counts(rows.positions().text_lines);
    assert_eq!(counts.lines, support::lines_of(data), "every line is counted");
    (
        state.dataset.collector.in_order().map(shown).collect(),
        format!("{}/{}/{}/{}", counts.header, counts.valid, counts.invalid, counts.blank),
    )
}

#[track_caller]
fn expect(data: impl AsRef<[u8]>, findings: &[&str], counts: &str) {
    let data = data.as_ref();
    for piece in [1 << 20, 1, 7, 64] {
        let (found, counted) = check_in(data, piece);
        assert_eq!(found, findings, "in pieces of {piece}: {}", String::from_utf8_lossy(data));
        assert_eq!(counted, counts, "in pieces of {piece}");
    }
}

#[test]
fn clean_rows_of_every_kind() {
    expect("id,text\na,b\nc,d\n", &[], "1/2/0/0");
    expect("id,text\r\na,b\r\nc,d", &[], "1/2/0/0");
    expect("text\nb\n\n \t\nd\n", &[], "1/2/0/2");
    expect("\n\nid,text\na,\"x, \"\"y\"\"\r\nz\"\n,b\n", &[], "1/2/0/2");
    expect("key,content\na,b\n", &[], "1/1/0/0");
    expect("\"id\",\"text\"\n\"a\",\"\u{e9}\n\n\"\n", &[], "1/1/0/0");
    expect("\u{feff}\"id\",\"text\"\na,b\n", &["1:1 text/byte-order-mark"], "1/1/0/0");
    expect("text,id\n\"a\",\n\"\"\"\",\"\"\n", &[], "1/2/0/0");
}

#[test]
fn quotes() {
    expect("id,text\na,\"b\nc,d\ne,f\n", &["2:3 csv/unterminated-quote text"], "1/0/1/0");
    expect("id,text\na,\"b\nc,\"d\"\ne,f\n", &["2:3 csv/unterminated-quote text"], "1/1/1/0");
    expect("id,text\na,\"b\" c\ne,f\n", &["2:6 csv/text-after-quote text"], "1/1/1/0");
    expect("id,text\na,b \"c\"\ne,f\n", &["2:5 csv/stray-quote text"], "1/2/0/0");
    expect("id,text\na, \"c, d\"\n", &["2:7 csv/ragged-row"], "1/0/1/0");
    expect("id,text\na,\"", &["2:3 csv/unterminated-quote text"], "1/0/1/0");
    expect("id,\"text\na,b\n", &["1:4 csv/unterminated-quote"], "1/0/0/0");
}

#[test]
fn rows_and_cells() {
    expect("id,text\na\nb,c,d\ne,f\n", &["2:1 csv/ragged-row", "3:5 csv/ragged-row"], "1/1/2/0");
    expect("id,text\na, \n,\"\"\n", &["2:3 shape/blank text", "3:1 csv/blank-row"], "1/0/2/0");
    expect("id,text\na\u{200b},b\n", &["2:1 text/suspicious-character id"], "1/1/0/0");
    expect(b"id,text\na,\xe9\nb,c\n", &["2:3 text/invalid-utf8"], "1/1/1/0");
    expect(
        "id,text\na,b\0\"c\nd,e\n",
        &["2:4 csv/nul-character text", "2:5 csv/stray-quote text"],
        "1/1/1/0",
    );
    expect("id,text\na,b\0\nb,c\n", &["2:4 csv/nul-character text"], "1/1/1/0");
    expect("id,text\na,b\rb,c\nd,e\n", &["2:4 csv/bare-carriage-return text"], "1/1/1/0");
    expect("id,text\na,b\n\u{feff}id,text\na,b\n", &["3:1 csv/stray-byte-order-mark id"], "1/2/1/0");
    expect("id,text\n-1,+b\nc,=d\n+1e5,\"@e\"\"\"\n", &["2:4 csv/formula text"], "1/3/0/0");
}

#[test]
fn headers() {
    expect("", &["file file/empty"], "0/0/0/0");
    expect("id,text\n", &["file dataset/no-records"], "1/0/0/0");
    expect("\n\n", &["file dataset/no-records"], "0/0/0/2");
    // No row is valid if the header has another separator or lacks a column.
    expect("id\na\n", &["1:1 csv/missing-column text"], "1/0/1/0");
    expect("id,text,id\na,b,c\n", &["1:9 csv/duplicate-column id"], "1/1/0/0");
    // Readers see the last column of a name.
    expect(
        "id,text,text\na,,b\nc,d,\n",
        &["1:9 csv/duplicate-column text", "3:4 shape/blank text"],
        "1/1/1/0",
    );
    expect("id,text,,\na,b,c,\n", &["1:9 csv/blank-column"], "1/1/0/0");
    expect("id,text,more\na,b,c\n", &["1:9 csv/unknown-column more"], "1/1/0/0");
    expect("a,b\na,b\n", &["1:1 csv/missing-column text"], "1/0/1/0");
    expect("id;text\na;b,c\n;\" \"\n", &["1:3 csv/separator", "3:1 csv/blank-row"], "1/0/2/0");
    expect("id\ttext\na\tb\n", &["1:3 csv/separator"], "1/0/1/0");
    expect("id,text\ra,b\nc,d\n", &["1:8 csv/bare-carriage-return"], "1/0/1/0");
    expect("id,\"text\" x\nc,d\n", &["1:10 csv/text-after-quote", "1:1 csv/missing-column text"], "1/0/1/0");
    expect("id,text\ra,b\rc,d\r", &["1:8 csv/bare-carriage-return"], "1/0/0/0");
}

#[test]
fn a_cell_behind_a_line_break_says_where_its_row_begins() {
    let data = b"id,text\n\"a\nb\", \n";
    let mut rows =
        reader(&FORMAT.variants[0].layout, &ROW, CheckState::new(&FORMAT, &FORMAT.variants[0], None));
    rows.buffer(data.len()).copy_from_slice(data);
    rows.commit(data.len());
    rows.finish();
    let finding = rows.visitor().dataset.collector.findings().last().unwrap().to_wire();
    assert_eq!((finding.line, finding.record), (Some(3), Some(0)));
    assert_eq!(finding.message, "String must not be blank (row 1, which begins at line 2)");
}

#[test]
fn a_row_that_is_too_long_is_thrown_away_and_reading_goes_on() {
    let mut data = b"id,text\n\"a\",b\n".to_vec();
    data.extend_from_slice(b"c,");
    data.resize(data.len() + MAX_RECORD, b'x');
    data.extend_from_slice(b"\nd,e\n");
    for piece in [1 << 20, MAX_RECORD / 3] {
        let (found, counts) = check_in(&data, piece);
        assert_eq!(found, ["3:1 file/record-too-long"]);
        assert_eq!(counts, "1/2/1/0");
    }
    let mut data = b"id,text\nc,\"".to_vec();
    data.extend(std::iter::repeat_n(&b"xxxxxxx\n"[..], MAX_RECORD / 8 + 10).flatten());
    data.extend_from_slice(b"\"\nd,e\n");
    for piece in [1 << 20, MAX_RECORD / 3] {
        let (found, counts) = check_in(&data, piece);
        assert_eq!(found, ["2:3 csv/unterminated-quote"]);
        assert_eq!(counts, "1/1/1/0");
    }
}

/// The fixes of a table, which comes in pieces of this size.
fn fixes_in(data: &[u8], piece: usize) -> Vec<String> {
    let rows = read_in(data, piece);
    let fix =
        |finding: &Finding| format!("{:?}", finding.to_wire().fix.map(|fix| (fix.title, fix.applicability)));
    rows.visitor().dataset.collector.in_order().map(fix).collect()
}

#[test]
fn a_row_is_read_by_the_first_rows_whatever_the_pieces() {
    let ragged = "q7,how high, and why\n";
    let rows = "q1,how high\n".repeat(30_000);
    let table = format!("id,text\n{ragged}{rows}{ragged}q8,how\n");
    let [small, large] = [4_099, 1 << 20].map(|piece| fixes_in(table.as_bytes(), piece));
    assert_eq!(small, large);
    assert!(small[0].contains("Safe"), "the first row is known by those after it: {small:?}");
    assert!(small[1].contains("Unsafe"), "nothing is known of the rows around the last: {small:?}");
    let short = format!("id,text\n{ragged}{}{ragged}q8,how\n", "q1,how high\n".repeat(9));
    for piece in [1, 7, 1 << 20] {
        let fixes = fixes_in(short.as_bytes(), piece);
        assert!(fixes.len() == 2 && fixes.iter().all(|fix| fix.contains("Safe")), "{fixes:?}");
    }
}
