//! The tree of a text. Its depth and its number of elements are bounded; the text beyond these bounds is kept as source.

use std::mem;
use std::ops::Range;

use evalcheck_wire::markdown::{Alignment, Block, Document, Inline, Style, TextMark};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

use crate::marks::without_marks;
use crate::math::Masked;

/// The maximum depth of elements. Deeper elements are shown as source.
const MAX_DEPTH: usize = 24;

/// Extensions that are parsed in addition to `CommonMark`.
const EXTENSIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_FOOTNOTES);

/// The ranges of code in a text, in order.
fn code(text: &str) -> Vec<Range<usize>> {
    let is_code = |event: &Event<'_>| matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_)));
    let events = Parser::new_ext(text, EXTENSIONS).into_offset_iter();
    events.filter(|(event, _)| is_code(event)).map(|(_, range)| range).collect()
}

/// Returns the tree of a text and its marks with at most `elements` elements, and subtracts its elements from that number.
pub(crate) fn document(text: &str, marks: &[TextMark], elements: &mut usize) -> Document {
    let text = &*without_marks(text);
    let masked = Masked::new(text, marks, code);
    let mut builder = Builder { masked: &masked, open: vec![Open::default()], skipped: 0 };
    let mut rest = String::new();
    for (event, range) in
        Parser::new_ext(masked.parsed(), EXTENSIONS.union(Options::ENABLE_MATH)).into_offset_iter()
    {
        if !matches!(event, Event::End(_)) {
            if *elements == 0 {
                rest = masked.marked(builder.rest_from(range.start)..text.len());
                break;
            }
            *elements -= 1;
        }
        builder.take(event, range);
    }
    let is_whole = rest.is_empty();
    Document { blocks: builder.finish(is_whole.then_some(text.len())), rest }
}

/// Builds the tree from the events of the parser.
struct Builder<'a> {
    masked: &'a Masked<'a>,
    /// The elements that have not ended; the first is the document.
    open: Vec<Open<'a>>,
    /// Elements that have not ended and are not in the tree, because they are too deep.
    skipped: usize,
}

/// An element that has not ended, and its content so far.
#[derive(Default)]
struct Open<'a> {
    tag: Option<Tag<'a>>,
    /// The offset up to which its content was read.
    read_to: usize,
    blocks: Vec<Block>,
    /// Text of the element, or of a paragraph that has no element of its own.
    inlines: Vec<Inline>,
    /// The items of a list.
    items: Vec<Vec<Block>>,
    /// The cells of a row.
    cells: Vec<Vec<Inline>>,
    /// The rows of a table.
    rows: Vec<Vec<Vec<Inline>>>,
    /// The text of code or HTML.
    text: String,
}

impl Open<'_> {
    /// Returns true for elements that contain blocks.
    fn has_blocks(&self) -> bool {
        matches!(self.tag, None | Some(Tag::BlockQuote(_) | Tag::Item | Tag::FootnoteDefinition(_)))
    }

    /// Returns true for elements whose content is not parsed.
    fn is_literal(&self) -> bool {
        matches!(self.tag, Some(Tag::CodeBlock(_) | Tag::HtmlBlock))
    }

    fn push_block(&mut self, block: Block) {
        self.end_paragraph();
        self.blocks.push(block);
    }

    /// Ends a paragraph that has no element of its own.
    fn end_paragraph(&mut self) {
        if !self.inlines.is_empty() {
            self.blocks.push(Block::Paragraph(mem::take(&mut self.inlines)));
        }
    }

    fn into_blocks(mut self) -> Vec<Block> {
        self.end_paragraph();
        self.blocks
    }

    fn push_inline(&mut self, inline: Inline) {
        match (inline, self.inlines.last_mut()) {
            (Inline::Text(text), Some(Inline::Text(before))) => before.push_str(&text),
            (inline, _) => self.inlines.push(inline),
        }
    }
}

impl<'a> Builder<'a> {
    fn take(&mut self, event: Event<'a>, range: Range<usize>) {
        if self.skipped > 0 {
            match event {
                Event::Start(_) => self.skipped += 1,
                Event::End(_) => self.skipped -= 1,
                _ => {}
            }
            return;
        }
        if !matches!(event, Event::End(_)) {
            self.show_unread(range.start);
        }
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(_) => self.end(Some(range.end)),
            Event::Text(text) => self.text(self.masked.original(&text, range)),
            Event::Code(code) => self.inline(Inline::Code(self.masked.original(&code, range))),
            Event::InlineMath(math) => self.math(&math, 1, range),
            Event::DisplayMath(math) => self.math(&math, 2, range),
            Event::Html(html) | Event::InlineHtml(html) => self.text(self.masked.original(&html, range)),
            Event::FootnoteReference(label) => self.text(format!("[^{label}]")),
            Event::SoftBreak | Event::HardBreak => self.text("\n".to_owned()),
            Event::Rule => self.block(Block::Rule, range.end),
            Event::TaskListMarker(is_done) => self.inline(Inline::Task(is_done)),
        }
    }

    fn last(&mut self) -> &mut Open<'a> {
        if self.open.is_empty() {
            self.open.push(Open::default());
        }
        let last = self.open.len() - 1;
        &mut self.open[last]
    }

    fn inline(&mut self, inline: Inline) {
        self.last().push_inline(inline);
    }

    fn block(&mut self, block: Block, end: usize) {
        let last = self.last();
        last.push_block(block);
        last.read_to = end;
    }

    fn text(&mut self, text: String) {
        let last = self.last();
        if last.is_literal() {
            last.text.push_str(&text);
        } else {
            last.push_inline(Inline::Text(text));
        }
    }

    /// Adds LaTeX with its delimiters. `delimiter` is the length of each in bytes.
    fn math(&mut self, math: &str, delimiter: usize, range: Range<usize>) {
        let opening = self.masked.source(range.start..range.start + delimiter);
        let closing = self.masked.source(range.end.saturating_sub(delimiter)..range.end);
        let math = self.masked.original(math, range);
        self.inline(Inline::Math(format!("{opening}{math}{closing}")));
    }

    fn start(&mut self, tag: Tag<'a>, range: Range<usize>) {
        if self.open.len() < MAX_DEPTH {
            let read_to = match &tag {
                Tag::FootnoteDefinition(_) => self.after_label(range),
                _ => range.start,
            };
            self.open.push(Open { tag: Some(tag), read_to, ..Open::default() });
            return;
        }
        self.skipped = 1;
        let source = self.masked.marked(range.clone());
        match self.last().tag {
            _ if !is_block(&tag) => self.text(source),
            // A list has only items, and a table only rows and cells.
            Some(Tag::List(_)) => self.last().items.push(vec![Block::Source(source)]),
            Some(Tag::Table(_)) => self.last().rows.push(vec![vec![Inline::Text(source)]]),
            Some(Tag::TableHead | Tag::TableRow) => self.last().cells.push(vec![Inline::Text(source)]),
            _ => self.block(Block::Source(source), range.end),
        }
    }

    /// Returns the end of the label of a footnote.
    fn after_label(&self, footnote: Range<usize>) -> usize {
        let start = footnote.start;
        self.masked.source(footnote).find("]:").map_or(start, |label| start + label + 2)
    }

    /// Returns the start of the source that is not in the tree, before an event at `at`.
    fn rest_from(&mut self, at: usize) -> usize {
        let last = self.last();
        if last.has_blocks() && last.inlines.is_empty() { last.read_to.min(at) } else { at }
    }

    /// Adds link reference definitions, for which there are no events, as source.
    fn show_unread(&mut self, to: usize) {
        let last = self.last();
        let is_paragraph = matches!(last.tag, Some(Tag::Paragraph));
        if !(last.has_blocks() || is_paragraph) || !last.inlines.is_empty() {
            return;
        }
        let from = last.read_to;
        let unread = self.masked.source(from.min(to)..to).trim();
        if !unread.contains("]:") {
            return;
        }
        if is_paragraph {
            self.text(format!("{unread}\n"));
        } else {
            self.block(Block::Source(unread.to_owned()), to);
        }
    }

    /// Ends the last element. Without an `end`, there may be more of its source.
    fn end(&mut self, end: Option<usize>) {
        if self.open.len() < 2 {
            return;
        }
        if let Some(end) = end {
            self.show_unread(end);
        }
        let Some(mut open) = self.open.pop() else { return };
        let end = end.unwrap_or_default();
        let inlines = if open.has_blocks() { Vec::new() } else { mem::take(&mut open.inlines) };
        match open.tag.take() {
            Some(Tag::Paragraph) => self.block(Block::Paragraph(inlines), end),
            Some(Tag::Heading { level, .. }) => {
                self.block(Block::Heading { level: level as u8, text: inlines }, end);
            }
            Some(Tag::BlockQuote(_)) => self.block(Block::Quote(open.into_blocks()), end),
            Some(Tag::CodeBlock(kind)) => {
                let language = match kind {
                    CodeBlockKind::Indented => String::new(),
                    CodeBlockKind::Fenced(language) => language.into_string(),
                };
                self.block(Block::Code { language, text: open.text }, end);
            }
            Some(Tag::HtmlBlock) => self.block(Block::Source(open.text), end),
            // For the parser, a definition after the last item is in the list.
            Some(Tag::List(first)) => self.block(Block::List { first, items: open.items }, open.read_to),
            Some(Tag::Item) => {
                let blocks = open.into_blocks();
                let list = self.last();
                list.items.push(blocks);
                list.read_to = end.max(list.read_to);
            }
            Some(Tag::FootnoteDefinition(label)) => {
                let blocks = open.into_blocks();
                self.block(Block::Footnote { label: label.into_string(), blocks }, end);
            }
            Some(Tag::Table(columns)) => {
                let columns = columns.into_iter().map(alignment).collect();
                self.block(Block::Table { columns, rows: open.rows }, end);
            }
            Some(Tag::TableHead | Tag::TableRow) => {
                // The parser drops cells that are in no column.
                let left_out = self.masked.source(open.read_to.min(end)..end);
                let left_out = left_out.trim_matches(|c: char| c == '|' || c.is_whitespace());
                if !left_out.is_empty() {
                    open.cells.push(vec![Inline::Text(left_out.to_owned())]);
                }
                self.last().rows.push(open.cells);
            }
            Some(Tag::TableCell) => {
                let row = self.last();
                row.cells.push(inlines);
                row.read_to = end.max(row.read_to);
            }
            Some(Tag::Emphasis) => self.inline(Inline::Styled(Style::Emphasis, inlines)),
            Some(Tag::Strong) => self.inline(Inline::Styled(Style::Strong, inlines)),
            Some(Tag::Strikethrough) => self.inline(Inline::Styled(Style::Strikethrough, inlines)),
            Some(Tag::Link { dest_url, title, .. }) => self.inline(Inline::Link {
                text: inlines,
                address: dest_url.into_string(),
                title: title.into_string(),
            }),
            Some(Tag::Image { dest_url, title, .. }) => self.inline(Inline::Image {
                description: plain(&inlines),
                address: dest_url.into_string(),
                title: title.into_string(),
            }),
            // Elements that are not enabled.
            _ => {
                for inline in inlines {
                    self.inline(inline);
                }
                for block in open.blocks {
                    self.block(block, end);
                }
            }
        }
    }

    /// The blocks of the document, which ends at `end` if all of it was read.
    fn finish(mut self, end: Option<usize>) -> Vec<Block> {
        while self.open.len() > 1 {
            self.end(None);
        }
        if let Some(end) = end {
            self.show_unread(end);
        }
        mem::take(self.last()).into_blocks()
    }
}

/// Returns true for elements that are not inline.
fn is_block(tag: &Tag<'_>) -> bool {
    !matches!(
        tag,
        Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript
            | Tag::Link { .. }
            | Tag::Image { .. }
    )
}

fn alignment(alignment: pulldown_cmark::Alignment) -> Alignment {
    match alignment {
        pulldown_cmark::Alignment::None => Alignment::None,
        pulldown_cmark::Alignment::Left => Alignment::Start,
        pulldown_cmark::Alignment::Center => Alignment::Center,
        pulldown_cmark::Alignment::Right => Alignment::End,
    }
}

/// The text of inline elements, without their styles.
fn plain(inlines: &[Inline]) -> String {
    let mut text = String::new();
    for inline in inlines {
        match inline {
            Inline::Text(part) | Inline::Code(part) | Inline::Math(part) => text.push_str(part),
            Inline::Styled(_, parts) | Inline::Link { text: parts, .. } => text.push_str(&plain(parts)),
            Inline::Image { description, .. } => text.push_str(description),
            Inline::Task(_) => {}
        }
    }
    text
}
