//! Renders Markdown as elements of the page. Plain functions, because components would cost more.
//!
//! The result is inert: addresses are text, an image is shown only if the turn names it as an attachment of the archive, and HTML is text.
//! Scrollable elements can be reached by keyboard.

use evalcheck_report::view::Part;
use evalcheck_wire::markdown::{Alignment, Block, Document, END_OF_MARK, Inline, Style, mark_of};
use yew::prelude::*;
use yew::virtual_dom::VTag;

use super::attachment::shown_image;
use super::text;
use crate::display::visible_text::MAX_ESCAPED;
use crate::state::AttachmentView;

/// A document. `parts` are the parts of its turn.
pub(super) fn document_view(document: &Document, parts: &[Part], attachments: &[AttachmentView]) -> Html {
    let mut view = View { parts, attachments, room: MAX_ESCAPED, is_nested: false };
    let blocks = view.blocks(&document.blocks);
    html! {
        <div class="markdown" data-testid="markdown">
            { blocks }
            if !document.rest.is_empty() {
                <p class="muted">{ "The rest is not rendered, because the text has too many elements." }</p>
                { view.block("p", "as-written", |view| view.text(&document.rest)) }
            }
        </div>
    }
}

/// The context of the functions below.
struct View<'a> {
    parts: &'a [Part],
    attachments: &'a [AttachmentView],
    /// The number of further characters of the document that may be escaped.
    room: usize,
    /// Whether it is within an element that has its own direction. Browsers ignore nested elements with a direction when they determine the
    /// outer one.
    is_nested: bool,
}

/// An element. Its class may be empty.
fn element(tag: &'static str, class: &'static str, content: Html) -> VTag {
    let mut element = VTag::new(tag);
    if !class.is_empty() {
        element.add_attribute("class", class);
    }
    element.add_child(content);
    element
}

/// An element with its own direction, unless it is nested.
fn directed(mut element: VTag, is_nested: bool) -> Html {
    if !is_nested {
        element.add_attribute("dir", "auto");
    }
    element.into()
}

/// An element without a direction of its own.
fn inline(tag: &'static str, class: &'static str, content: Html) -> Html {
    element(tag, class, content).into()
}

/// Returns true for a character that begins a mark.
fn is_mark(c: char) -> bool {
    mark_of(c).is_some()
}

/// A box that scrolls content wider than itself.
fn scroll_box(label: String, content: Html) -> Html {
    html! { <div class="scroll-box" role="group" aria-label={label} tabindex="0">{ content }</div> }
}

impl View<'_> {
    /// A text with its marks.
    fn text(&mut self, text: &str) -> Html {
        let mut shown = Vec::new();
        for part in text.split(END_OF_MARK) {
            let (before, marked) = part.split_at(part.find(is_mark).unwrap_or(part.len()));
            shown.push(text::prose(before, &mut self.room));
            let mut characters = marked.chars();
            if let Some(kind) = characters.next().and_then(mark_of) {
                shown.push(text::mark(kind, text::prose(characters.as_str(), &mut self.room)));
            }
        }
        shown.into_iter().collect()
    }

    /// An element with its own direction, unless the surrounding element has one.
    fn block(
        &mut self,
        tag: &'static str,
        class: &'static str,
        content: impl FnOnce(&mut Self) -> Html,
    ) -> Html {
        let is_nested = std::mem::replace(&mut self.is_nested, true);
        let content = content(self);
        self.is_nested = is_nested;
        directed(element(tag, class, content), is_nested)
    }

    fn blocks(&mut self, blocks: &[Block]) -> Html {
        blocks.iter().map(|block| self.show(block)).collect()
    }

    fn show(&mut self, shown: &Block) -> Html {
        match shown {
            Block::Paragraph(text) => self.block("p", "", |view| view.inlines(text)),
            // The headings of a text are not part of the page's outline, so they all have one level for assistive technology.
            Block::Heading { level, text } => {
                let class = match level {
                    1 => "first",
                    2 => "second",
                    _ => "",
                };
                self.block("h3", class, |view| view.inlines(text))
            }
            Block::Quote(blocks) => self.block("blockquote", "", |view| view.blocks(blocks)),
            Block::List { first, items } => {
                // Browsers limit the numbers of a list, Markdown does not.
                let first = first.and_then(|first| i32::try_from(first).ok()).map(|first| first.to_string());
                let is_nested = std::mem::replace(&mut self.is_nested, true);
                let items = items.iter().map(|item| self.block("li", "", |view| view.blocks(item)));
                let items = items.collect::<Html>();
                self.is_nested = is_nested;
                let tag = if first.is_some() { "ol" } else { "ul" };
                let mut list = element(tag, "", items);
                if let Some(first) = first {
                    list.add_attribute("start", first);
                }
                directed(list, is_nested)
            }
            Block::Code { language, text } => {
                let (label, head) = match language.as_str() {
                    "" => ("Code".to_owned(), Html::default()),
                    language => (
                        format!("Code, {}", text::plain(language)),
                        inline("span", "language", text::inline(language)),
                    ),
                };
                let code = self.text(text.strip_suffix('\n').unwrap_or(text));
                let code = html! { <pre dir="auto"><code>{ code }</code></pre> };
                inline("div", "code-block", [head, scroll_box(label, code)].into_iter().collect())
            }
            Block::Table { columns, rows } => self.table(columns, rows),
            Block::Rule => html! { <hr /> },
            Block::Footnote { label, blocks } => {
                let label = inline("span", "muted", self.text(&format!("[^{label}]")));
                let blocks = inline("div", "", self.blocks(blocks));
                inline("div", "footnote", [label, blocks].into_iter().collect())
            }
            Block::Source(source) => self.block("p", "as-written", |view| view.text(source.trim_end())),
        }
    }

    fn table(&mut self, columns: &[Alignment], rows: &[Vec<Vec<Inline>>]) -> Html {
        let class = |column: usize| match columns.get(column) {
            Some(Alignment::Center) => "center",
            Some(Alignment::End) => "end",
            _ => "",
        };
        let mut row = |tag: &'static str, cells: &[Vec<Inline>]| {
            let cells = cells.iter().enumerate();
            let cells = cells.map(|(at, cell)| self.block(tag, class(at), |view| view.inlines(cell)));
            inline("tr", "", cells.collect())
        };
        let Some((head, rows)) = rows.split_first() else { return Html::default() };
        let head = inline("thead", "", row("th", head));
        let body = inline("tbody", "", rows.iter().map(|cells| row("td", cells)).collect());
        scroll_box("Table".to_owned(), inline("table", "", [head, body].into_iter().collect()))
    }

    fn inlines(&mut self, parts: &[Inline]) -> Html {
        parts.iter().map(|part| self.inline(part)).collect()
    }

    fn inline(&mut self, part: &Inline) -> Html {
        match part {
            Inline::Text(text) => self.text(text),
            Inline::Code(code) => inline("code", "", self.text(code)),
            Inline::Math(math) => inline("span", "math", self.text(math)),
            Inline::Styled(style, text) => {
                let tag = match style {
                    Style::Emphasis => "em",
                    Style::Strong => "strong",
                    Style::Strikethrough => "del",
                };
                inline(tag, "", self.inlines(text))
            }
            Inline::Link { text, address, title } => {
                let is_bare = matches!(text.as_slice(), [Inline::Text(text)] if text == address);
                let text = if is_bare { Html::default() } else { inline("span", "link", self.inlines(text)) };
                [text, self.address(address, title)].into_iter().collect()
            }
            Inline::Image { description, address, title } => {
                if let Some(url) = shown_image(address, self.parts, self.attachments) {
                    let alt = description.replace(|c| is_mark(c) || c == END_OF_MARK, "");
                    return html! { <img src={url} {alt} decoding="async" /> };
                }
                let note = inline("span", "muted", html! { { "Image " } });
                let description = self.text(description);
                [note, description, self.address(address, title)].into_iter().collect()
            }
            Inline::Task(true) => html! { { "☑ " } },
            Inline::Task(false) => html! { { "☐ " } },
        }
    }

    /// An address as text.
    fn address(&mut self, address: &str, title: &str) -> Html {
        let title = if title.is_empty() { String::new() } else { format!(" \"{title}\"") };
        inline("span", "address", self.text(&format!("{address}{title}")))
    }
}
