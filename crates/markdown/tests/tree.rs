//! The trees of texts.

use std::fmt::Write as _;

use evalcheck_markdown::{document, rendered};
use evalcheck_wire::markdown::{
    Alignment, Block, Document, END_OF_MARK, Inline, SourceText, Style, TextMark, TextMarkKind, mark_of,
};

/// Formats the blocks of a tree in short, one per line.
fn lines(text: &str) -> Vec<String> {
    let document = document(text);
    assert_eq!(document.rest, "");
    document.blocks.iter().map(block).collect()
}

fn block(block: &Block) -> String {
    match block {
        Block::Paragraph(text) => format!("p {}", inlines(text)),
        Block::Heading { level, text } => format!("h{level} {}", inlines(text)),
        Block::Quote(blocks) => format!("quote [{}]", all(blocks)),
        Block::List { first, items } => {
            let first = first.map_or_else(|| "*".to_owned(), |first| first.to_string());
            let items: Vec<String> = items.iter().map(|blocks| format!("[{}]", all(blocks))).collect();
            format!("list {first} {}", items.join(" "))
        }
        Block::Code { language, text } => format!("code {language:?} {text:?}"),
        Block::Table { columns, rows } => {
            let columns = columns.iter().map(|column| match column {
                Alignment::None => '-',
                Alignment::Start => '<',
                Alignment::Center => '^',
                Alignment::End => '>',
            });
            let mut table = format!("table {}", columns.collect::<String>());
            for row in rows {
                let cells: Vec<String> = row.iter().map(|cell| inlines(cell)).collect();
                let _ = write!(table, " | {}", cells.join(", "));
            }
            table
        }
        Block::Rule => "rule".to_owned(),
        Block::Footnote { label, blocks } => format!("footnote {label} [{}]", all(blocks)),
        Block::Source(source) => format!("source {source:?}"),
    }
}

fn all(blocks: &[Block]) -> String {
    blocks.iter().map(block).collect::<Vec<_>>().join("; ")
}

fn inlines(parts: &[Inline]) -> String {
    parts.iter().map(inline).collect()
}

fn inline(part: &Inline) -> String {
    match part {
        Inline::Text(text) => text.clone(),
        Inline::Code(code) => format!("<code {code}>"),
        Inline::Math(math) => format!("<math {math}>"),
        Inline::Styled(Style::Emphasis, text) => format!("<em {}>", inlines(text)),
        Inline::Styled(Style::Strong, text) => format!("<strong {}>", inlines(text)),
        Inline::Styled(Style::Strikethrough, text) => format!("<del {}>", inlines(text)),
        Inline::Link { text, address, title } => format!("<link {} to {address} {title:?}>", inlines(text)),
        Inline::Image { description, address, title } => {
            format!("<image {description} at {address} {title:?}>")
        }
        Inline::Task(is_done) => format!("<task {is_done}>"),
    }
}

#[test]
fn blocks_are_in_the_order_of_the_text() {
    let text = "# One\n\nText\nin two lines\n\n> quoted\n\n---\n\n1. a\n2. b\n   - c\n";
    assert_eq!(
        lines(text),
        ["h1 One", "p Text\nin two lines", "quote [p quoted]", "rule", "list 1 [p a] [p b; list * [p c]]",]
    );
}

#[test]
fn code_has_its_language() {
    assert_eq!(
        lines("```python title=\"x\"\nif a < b:\n    *c*\n```\n\n    indented"),
        ["code \"python title=\\\"x\\\"\" \"if a < b:\\n    *c*\\n\"", "code \"\" \"indented\""]
    );
    assert_eq!(lines("a `*b*` c"), ["p a <code *b*> c"]);
    assert_eq!(lines("```\nnot closed"), ["code \"\" \"not closed\""]);
}

#[test]
fn tables_have_rows_of_cells() {
    let text = "| a | b | c |\n|:--|:-:|--:|\n| 1 | **2** | |\n| 3 |\n";
    assert_eq!(lines(text), ["table <^> | a, b, c | 1, <strong 2>,  | 3, , "]);
    assert_eq!(lines("|a|\n|-|\n|1|2|*3*|\n"), ["table - | a | 1, 2|*3*"]);
}

#[test]
fn addresses_are_kept_beside_their_texts() {
    assert_eq!(
        lines("[*a*](https://a.example/?q=1 \"T\") <https://b.example> ![c](d.png)"),
        [concat!(
            "p <link <em a> to https://a.example/?q=1 \"T\"> ",
            "<link https://b.example to https://b.example \"\"> <image c at d.png \"\">"
        )]
    );
    assert_eq!(
        lines("see [a]\n\n[a]: https://a.example\n[a]: https://other.example\n"),
        [
            "p see <link a to https://a.example \"\">",
            "source \"[a]: https://a.example\\n[a]: https://other.example\""
        ]
    );
    assert_eq!(
        lines("- [unused]: https://a.example\n\n> [b]: c\n> d"),
        ["list * [source \"- [unused]: https://a.example\"]", "quote [source \"> [b]: c\\n>\"; p d]"]
    );
}

#[test]
fn html_stays_as_it_is_written() {
    assert_eq!(
        lines("<div onclick=\"x()\">\n*a*\n</div>\n\nb <img src=x onerror=alert(1)> &lt;c&gt;"),
        ["source \"<div onclick=\\\"x()\\\">\\n*a*\\n</div>\\n\"", "p b <img src=x onerror=alert(1)> <c>"]
    );
}

#[test]
fn math_stays_as_it_is_written() {
    assert_eq!(
        lines(r"$a_1*b*c$, \(a_1 * b_1\) and \(x\)."),
        [r"p <math $a_1*b*c$>, <math \(a_1 * b_1\)> and <math \(x\)>."]
    );
    assert_eq!(lines("$$\n\\frac{a}{b}\n$$"), ["p <math $$\n\\frac{a}{b}\n$$>"]);
    assert_eq!(lines("\\[\na &= b \\\\\nc &= d\n\\]"), ["p <math \\[\na &= b \\\\\nc &= d\n\\]>"]);
    assert_eq!(lines(r"from $5 to $10, `\(code\)`, \(open"), [r"p from $5 to $10, <code \(code\)>, (open"]);
    assert_eq!(lines("```\n\\(code\\)\n```"), ["code \"\" \"\\\\(code\\\\)\\n\""]);
}

/// The blocks of a text in short, with brackets around the marks of `marked`, and of its first `fold` bytes.
fn marked(text: &str, marked: &str, fold: Option<usize>) -> Vec<String> {
    let of = |(start, _): (usize, &str)| {
        let end = start + marked.len();
        TextMark { start, end, kind: TextMarkKind::Answer }
    };
    let marks = text.match_indices(marked).map(of).collect();
    let drawn = rendered(&[SourceText { text: text.to_owned(), fold, marks }]).remove(0);
    let is_mark = |c: char| mark_of(c).is_some();
    let documents = std::iter::once(drawn.whole).chain(drawn.folded);
    documents.map(|document| all(&document.blocks).replace(is_mark, "{").replace(END_OF_MARK, "}")).collect()
}

#[test]
fn marks_are_where_they_are_in_the_source() {
    let one = |text: &str, answer: &str| marked(text, answer, None).remove(0);
    assert_eq!(one("So it is **12**.", "12"), "p So it is <strong {12}>.");
    assert_eq!(
        one("# The *12* coins\n\n- `x = 12`", "12"),
        "h1 The <em {12}> coins; list * [p <code x = {12}>]"
    );
    assert_eq!(one("a **b** c", "a **b** c"), "p {a }<strong {b}>{ c}");
    assert_eq!(one(r"thus \(x = 12\) and $12$", "12"), r"p thus <math \(x = {12}\)> and <math ${12}$>");
    assert_eq!(one("```\nx\n12\n```", "12"), r#"code "" "x\n\u{fdd0}12\u{fdef}\n""#, "as it is debugged");
    assert_eq!(one("|a|\n|-|\n|12|", "12"), "table - | a | {12}");
    assert_eq!(one("2 &lt; 12 is **true**", "2 &lt; 12"), "p {2 }<{ 12} is <strong true>");
    assert_eq!(one("12. a", "12"), "list 12 [p a]", "the number of an item has no text");
    assert_eq!(marked("12 a 12", "12", Some(4)), ["p {12} a {12}", "p {12} a"]);
    let long = format!("{}the 12", "*a* ".repeat(1_000));
    let rest = rendered(&[SourceText {
        marks: vec![TextMark { start: long.len() - 2, end: long.len(), kind: TextMarkKind::Found }],
        text: long,
        fold: None,
    }]);
    assert!(rest[0].whole.rest.ends_with("the \u{fdd1}12\u{fdef}"), "{}", rest[0].whole.rest);
}

#[test]
fn other_extensions_of_github_are_known() {
    assert_eq!(
        lines("- [x] done\n- [ ] ~~not~~\n\nNote[^1].\n\n[^1]: The note.\n"),
        ["list * [p <task true>done] [p <task false><del not>]", "p Note[^1].", "footnote 1 [p The note.]"]
    );
}

#[test]
fn what_is_nested_too_deeply_is_source() {
    let deep = document(&format!("{} end", ">".repeat(10_000)));
    assert!(depth(&deep.blocks) < 30);
    assert!(all(&deep.blocks).contains("end"));
    let emphasis = document(&format!("{}end{}", "*a ".repeat(1_000), " a*".repeat(1_000)));
    assert!(all(&emphasis.blocks).contains("end"));
    let lists = document(&numbered(200, |n| format!("{}- {n}\n", "  ".repeat(n))));
    assert!(depth(&lists.blocks) < 30);
    assert!(all(&lists.blocks).contains("- 199"));
}

/// Concatenates `count` parts, made from their numbers.
fn numbered(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().concat()
}

fn depth(blocks: &[Block]) -> usize {
    let of = |block: &Block| match block {
        Block::Quote(blocks) | Block::Footnote { blocks, .. } => depth(blocks),
        Block::List { items, .. } => items.iter().map(|blocks| depth(blocks)).max().unwrap_or_default(),
        _ => 0,
    };
    blocks.iter().map(of).max().map_or(0, |depth| depth + 1)
}

#[test]
fn the_rest_of_a_text_with_too_many_elements_is_source() {
    let text = "*a* [b](c)\n\n".repeat(5_000);
    let document = document(&text);
    assert!(!document.blocks.is_empty());
    assert!(text.ends_with(&document.rest) && !document.rest.is_empty());
    // The texts of a record share the limit of elements.
    let source = SourceText { text: text.clone(), fold: Some(11), marks: Vec::new() };
    let rendered = rendered(&[source.clone(), source]);
    assert_eq!(rendered[1].whole, Document { blocks: Vec::new(), rest: text });
    assert_eq!(rendered[1].folded.as_ref().map(|beginning| beginning.rest.as_str()), Some(""));
}

#[test]
fn a_table_with_more_cells_than_bytes_is_source_after_some_rows() {
    let text = format!("{}\n{}\n{}", "|a".repeat(100), "|-".repeat(100), "|a\n".repeat(30_000));
    let document = document(&text);
    let [Block::Table { rows, .. }] = &*document.blocks else { panic!("{:?}", document.blocks) };
    let cells: usize = rows.iter().map(Vec::len).sum();
    assert!((1_000..1_500).contains(&cells), "{cells} cells");
    assert!(text.ends_with(&document.rest) && document.rest.len() > text.len() / 2);
}

/// Every word of a text is in its tree or in the rest that is not rendered.
#[test]
fn no_word_is_lost_and_nothing_panics() {
    let parts = [
        "*",
        "**",
        "_",
        "~~",
        "`",
        "```",
        "```py\n",
        "\n",
        "\n\n",
        "    ",
        "> ",
        "- ",
        "1. ",
        "# ",
        "|",
        "|-|-|\n",
        "\n|a|b|\n|-|-|\n",
        "[",
        "]",
        "](",
        ")",
        "![",
        "<",
        ">",
        "<b>",
        "<!--",
        "-->",
        "&",
        "&lt;",
        "\\",
        "\\(",
        "\\)",
        "\\[",
        "\\]",
        "$",
        "$$",
        "[^",
        "]:",
        "- [ ] ",
        "---\n",
        "===\n",
        " ",
        " ",
        " ",
        "\t",
        "é",
        "\u{202e}",
    ];
    let mut random = fastrand::Rng::with_seed(32);
    for round in 0..20_000 {
        let mut text = String::new();
        let mut words = Vec::new();
        for n in 0..random.usize(1..30) {
            if random.bool() {
                text.push_str(parts[random.usize(..parts.len())]);
            } else {
                words.push(format!("Word{n}x"));
                text.push_str(&words[words.len() - 1]);
            }
        }
        let document = document(&text);
        let shown = all(&document.blocks) + &document.rest;
        for word in words {
            assert!(shown.contains(&word), "round {round}: {word} of {text:?} is not in {document:?}");
        }
    }
}
