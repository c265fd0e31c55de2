//! Rules about CSV, for every format with a CSV variant.

use std::borrow::Cow;
use std::fmt;

use evalcheck_core::finding::Location;
use evalcheck_core::rule::Cause;

/// A number of cells, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cells(pub usize);

impl fmt::Display for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cell{}", self.0, if self.0 == 1 { "" } else { "s" })
    }
}

evalcheck_core::rules! {
    /// Problems of the header, the rows and the cells of a CSV.
    Csv for Csv {
        UnterminatedQuote { until: String, closed: Option<Location> } = "csv/unterminated-quote", Error {
            summary: "A quoted cell is not closed.",
            message: "the quote that opens here {until}",
            hint: "Close the cell with a quote at its end; a quote inside a cell is written twice: \"\".",
            related: "closed here" => closed.clone(),
            fix: Unsafe,
            meaning: "A cell that begins with a quote continues, across commas and line breaks, to its closing quote. Without the closing quote, the following rows become part of the cell and are lost as rows.",
            other_words: ["unexpected end of data", "EOF inside string starting at row 1"],
            mistakes: [Cell "\"{}" => "\"{}\""],
            invalid: "query_text,expected_doc_ids\nhow high is the limit,\"d1\nwho approves,d2",
            valid: "query_text,expected_doc_ids\nhow high is the limit,\"d1\"\nwho approves,d2",
        }
        TextAfterQuote { found: String, advice: &'static str } = "csv/text-after-quote", Error {
            summary: "Text follows the closing quote of a cell.",
            message: "{found} follows the closing quote of the cell",
            hint: "{advice}",
            fix: Either,
            meaning: "The next quote that is not doubled closes the cell; only a comma or the end of the row may follow it. Strict readers refuse the row, others read a different text.",
            other_words: ["',' expected after '\"'"],
            mistakes: [Cell "\"the \"new\" one\"" => "\"the \"\"new\"\" one\""],
            invalid: "query_text,expected_doc_ids\n\"the \"new\" limit\",d1",
            valid: "query_text,expected_doc_ids\n\"the \"\"new\"\" limit\",d1",
        }
        StrayQuote { advice: &'static str } = "csv/stray-quote", Warning {
            summary: "A cell contains a quote and does not begin with one.",
            message: "a quote in a cell that does not begin with one: most readers keep it, strict ones refuse it",
            hint: "{advice}",
            fix: Either,
            meaning: "Only a cell that begins with a quote is a quoted cell. A space before the quote makes it part of the text, and commas in the cell then separate columns.",
            mistakes: [Cell "a 5\" pipe" => "\"a 5\"\" pipe\""],
            invalid: "query_text,expected_doc_ids\na 5\" pipe,d1",
            valid: "query_text,expected_doc_ids\n\"a 5\"\" pipe\",d1",
        }
        RaggedRow { found: Cells, wanted: usize, advice: Cow<'static, str>, header_line: u64, follows: Option<String> } = "csv/ragged-row", Error {
            summary: "A row has more or fewer cells than the header.",
            message: "the row has {found}, but the header has {wanted}",
            hint: "{advice}",
            related: "the header" => Location::line(*header_line),
            cause: follows.clone().map(Cause::File),
            fix: Either,
            meaning: "Each row has one cell for each column of the header. With more or fewer cells, texts are under the wrong columns. The usual cause is a comma in a text without quotes. The cells of such a row are not checked any further.",
            other_words: ["Error tokenizing data. C error: Expected 2 fields in line 3, saw 3"],
            mistakes: [Cell "{}, and why" => "\"{}, and why\""],
            invalid: "query_text,expected_doc_ids\nhow high, and why,d1",
            valid: "query_text,expected_doc_ids\n\"how high, and why\",d1",
        }
        ShiftedColumns { extra: Cells, advice: Cow<'static, str>, header_line: u64 } = "csv/shifted-columns", Error {
            summary: "The first row has more cells than the header, which moves the cells of all rows.",
            message: "the first row has {extra} more than the header: pandas takes {extra} at the start of every row for its label, so that each column gets the values of a later one",
            hint: "{advice}",
            related: "the header" => Location::line(*header_line),
            fix: Either,
            applies: RowLabels,
            meaning: "pandas takes the cells by which the first row is longer than the header for the label of the row, in all rows. No value is then under the name that it has in the file, and the labels are lost or held as another column. There is no message. The usual causes are a comma in a text without quotes, and a comma at the end of the row.",
            mistakes: [Cell "{}, and why" => "\"{}, and why\""],
            invalid: "question,answer\nHow high, and why?,500",
            valid: "question,answer\n\"How high, and why?\",500",
        }
        DuplicateColumn { name: String, first: usize, first_at: Location } = "csv/duplicate-column", Error {
            summary: "Two columns have the same name.",
            message: "a second column {name}; the first is field {first} of the header",
            hint: "Delete the columns of this name that are not meant, with their cells; readers keep only one of them, usually the last.",
            related: "first used here" => first_at.clone(),
            loss: Key,
            meaning: "Readers that use the names keep one of the two columns, usually the last, and silently lose the other.",
            mistakes: [NewColumn "{}"],
            invalid: "query_text,query_text\na,b",
            valid: "query_text\na",
        }
        BlankColumn { which: String, advice: String } = "csv/blank-column", Error {
            summary: "A column has no name.",
            message: "{which} no name",
            hint: "{advice}",
            fix: Either,
            loss: Key,
            meaning: "The first row contains the names of the columns. A column without a name cannot be read by name. Neighbouring columns without a name are one finding.",
            mistakes: [NewColumn ""],
            invalid: "query_id,query_text,expected_answers,\nq1,how high,500 dollars,",
            valid: "query_id,query_text,expected_answers\nq1,how high,500 dollars",
        }
        SeparatorHint { advice: &'static str } = "csv/separator-hint", Error {
            summary: "The first line is Excel's hint of the separator.",
            message: "the first line is Excel's hint of the separator, which the system reads as the header",
            hint: "{advice}",
            fix: Safe,
            meaning: "A first line such as sep=, says to Excel how the cells are separated. Every other reader takes it for the header, and finds none of its columns. The rest was checked as if the line were not there, and the separators were commas.",
            invalid: "the line sep=, before query_id,query_text",
            valid: "query_id,query_text\nq1,how high is the limit",
        }
        BlankHeader = "csv/blank-header", Error {
            summary: "The first line is blank, and the system reads it as the header.",
            message: "the first line is blank: the system reads it as the header and finds none of its columns",
            hint: "Delete the line, so that the names of the columns are on the first line.",
            fix: Safe,
            applies: BlankHeaders,
            meaning: "Python's csv and Node's csv-parse read the first line as the header even when it holds nothing but white space, so that no column has its name. The rest was checked as if the line were not there.",
            invalid: "a blank line before query_id,query_text",
            valid: "query_id,query_text\nq1,how high is the limit",
        }
        WhiteSpaceRow = "csv/white-space-row", Error {
            summary: "A line of white space, which the system takes for a row.",
            message: "a line of white space: the system skips only empty lines, and reads this one as a row without text",
            hint: "Delete the white space, or the line.",
            fix: Safe,
            applies: WhiteSpaceRows,
            meaning: "Python's csv skips lines that are empty. A line with a space or a tab is a row of one cell, and its query is blank.",
            invalid: "a line of two spaces between rows",
            valid: "the same line without the spaces",
        }
        BlankRow = "csv/blank-row", Error {
            summary: "A row whose cells are all blank.",
            message: "all cells of the row are blank: the system reads it as a record without text",
            hint: "Delete the row. Spreadsheets export such rows where cells below the table were used or formatted.",
            fix: Safe,
            applies: FilledColumns,
            meaning: "A row of nothing but separators is a row to the system, and its required cells are blank.",
            other_words: ["query_text is required in row 2"],
            mistakes: [NewRow "{}"],
            invalid: "query_text,expected_doc_ids\nhow high,d1\n,",
            valid: "query_text,expected_doc_ids\nhow high,d1\n",
        }
        ManyCells { limit: usize } = "csv/many-cells", Error {
            summary: "A row has more cells than evalcheck reads.",
            message: "the row has more than {limit} cells; it was not checked",
            hint: "Write the table with its rows as columns, if it is turned; or leave out the columns that the system does not read.",
            meaning: "What is known of each cell is held in memory while a row is checked, so the number of cells is limited. A row with this many cells is nearly always a table that is turned, or a file without line breaks.",
            invalid: "a row of a million cells",
            valid: "a million rows of a few cells",
        }
        OtherQuotes { open: char, close: char } = "csv/other-quotes", Warning {
            summary: "Cells in quotes that are no quotes of a CSV.",
            message: "cells are in {open} {close}, which a CSV reads as a part of the text: a comma between them ends the cell",
            hint: "Put the cells in straight double quotes (\") in place of these.",
            fix: Either,
            meaning: "A CSV knows one kind of quotes: \". Single quotes come from programs that write SQL or Python, and curly quotes from word processors. Texts keep them, and a text with a comma becomes several cells. Reported once for a file.",
            invalid: "a table with 'single' or “curly” quotes around its cells",
            valid: "the same table with straight double quotes",
        }
        RepeatedHeader { how: &'static str, advice: &'static str } = "csv/repeated-header", Warning {
            summary: "A row that repeats the header.",
            message: "the row {how}: the system reads it as a record",
            hint: "{advice}",
            fix: Unsafe,
            meaning: "Only the first row of a file is its header. Where files were joined with their headers, each further header is a record whose texts are the names of the columns. Where its columns are in another order, the cells of all rows below are read under wrong names.",
            mistakes: [HeaderRow "{}"],
            invalid: "query_id,query_text\nq1,how high\nquery_id,query_text",
            valid: "query_id,query_text\nq1,how high\n",
        }
        CarriageReturn = "csv/bare-carriage-return", Error {
            summary: "A lone carriage return outside of quotes.",
            message: "a lone carriage return (U+000D) outside of quotes",
            hint: "Save the file with LF or CRLF line breaks; put a cell that holds a line break in quotes.",
            fix: Either,
            meaning: "Some readers take a lone carriage return for the end of the row and others for text, so they read different rows. The row is not checked any further.",
            invalid: "a file with the line breaks of old Macintosh systems",
            valid: "the same file with LF line breaks",
        }
        LineEnd { own: &'static str, header: &'static str } = "csv/line-end", Error {
            summary: "A row does not end as the header does.",
            message: "the row ends with {own}, and the header with {header}: the system ends rows as the header does",
            hint: "Save the file with one kind of line breaks.",
            fix: Safe,
            applies: OneLineEnd,
            meaning: "The reader takes the line break after the header for that of all rows. Below a header with CRLF it does not see a row that ends with LF, and reads it and the next as one. Below a header with LF it keeps the carriage return of CRLF in the last cell of each row.",
            other_words: ["Invalid Record Length: columns length is 2, got 3 on line 2"],
            invalid: "a header that ends with CRLF above rows that end with LF",
            valid: "the same file with CRLF after every row",
        }
        NulCharacter = "csv/nul-character", Error {
            summary: "The file contains a NUL character.",
            message: "a NUL character (U+0000)",
            hint: "Export the table again as UTF-8 text; NUL characters come from binary data or from UTF-16.",
            fix: Unsafe,
            meaning: "Some readers refuse a NUL character, some end the text there, and some keep it.",
            invalid: "a cell with a byte of value 0",
            valid: "the same cell without that byte",
        }
        ByteOrderMark = "csv/stray-byte-order-mark", Error {
            summary: "A byte order mark in the middle of the file.",
            message: "a byte order mark (U+FEFF) in the middle of the file",
            hint: "Delete the three bytes EF BB BF; they usually come from joining files. Usually a second header row follows them.",
            fix: Safe,
            meaning: "A BOM is skipped at the start of a file only. In the middle, where files with a BOM were joined, it becomes part of the first cell of its row.",
            invalid: "two CSV files with a BOM joined by cat",
            valid: "the same without the second BOM and the second header",
        }
        Separator { name: &'static str, advice: &'static str } = "csv/separator", Error {
            summary: "The columns are not separated by commas.",
            message: "the columns are separated by {name}; the system expects commas",
            hint: "{advice}",
            fix: Either,
            applies: Commas,
            meaning: "The system splits rows at commas, so it sees one column whose name is the whole first line. The rows were checked as if the separators were commas.",
            other_words: ["query_text is required in row 1"],
            mistakes: [Each(",") ";"],
            invalid: "query_text;expected_doc_ids\nhow high;d1",
            valid: "query_text,expected_doc_ids\nhow high,d1",
        }
        MissingColumn { name: &'static str, is_header: bool, advice: String } = "csv/missing-column", Error {
            summary: "A required column is missing.",
            message: "the column \"{name}\" is missing",
            hint: "{advice}",
            cause: (!is_header).then(|| Cause::File(String::new())),
            fix: Either,
            applies: RequiredColumns,
            meaning: "The first row of the file has to name the columns, and this one has to be among them.",
            other_words: ["query_text is required in row 1"],
            mistakes: [Column "{}s"],
            invalid: "Prompt,response\nHow high is the limit?,500 dollars",
            valid: "prompt,response\nHow high is the limit?,500 dollars",
        }
        UnknownColumn { name: String, advice: String } = "csv/unknown-column", Warning {
            summary: "A column that the system does not read.",
            message: "unknown column {name}: the system does not read it",
            hint: "{advice}",
            fix: Either,
            loss: Key,
            applies: KnownColumns,
            meaning: "The system reads the columns that its document names. The values of other columns are lost. Often the name is a misspelling of a known one.",
            mistakes: [Column "{}_", NewColumn "remarks"],
            invalid: "query_text_,expected_doc_ids\nhow high,d1",
            valid: "query_text,expected_doc_ids\nhow high,d1",
        }
        Formula { first: char, count: String } = "csv/formula", Warning {
            summary: "A cell that a spreadsheet reads as a formula.",
            message: "the cell begins with '{first}', which a spreadsheet reads as a formula{count}",
            hint: "The system reads it as text. Do not open and save the file with a spreadsheet, which changes such cells; opened in one, the text can run as a formula.",
            meaning: "Spreadsheets evaluate cells that begin with =, +, - or @ (except numbers) when they open a CSV. They then save the result or an error instead of the text, and a formula can send data elsewhere. Reported once for a file, at the first such cell.",
            mistakes: [Cell "=1+1" => "What is 1+1?"],
            invalid: "query_id,query_text\nq1,=1+1",
            valid: "query_id,query_text\nq1,what is 1+1",
        }
        SpreadsheetValue { what: String, count: String, advice: &'static str } = "csv/spreadsheet-value", Warning {
            summary: "A cell that a spreadsheet or a script has probably changed.",
            message: "{what}{count}",
            hint: "{advice}",
            meaning: "A spreadsheet writes #NAME?, #REF!, #N/A and similar errors in place of values that it cannot compute, keeps 32,767 characters of a cell, and makes dates of ids such as 2-19. Ids that are joined by | or ; where the other cells have commas are read as one id. The system reads what is there as the text. Reported once for a file and each of these, at the first such cell.",
            mistakes: [Cell "#NAME?"],
            invalid: "query_id,query_text\nq1,#NAME?",
            valid: "query_id,query_text\nq1,what is 1+1",
        }
    }
}

impl Csv {
    /// Whether the system loads no row if this is a problem of the header, or of the file as a whole.
    pub fn refuses_rows(&self) -> bool {
        matches!(
            self,
            Self::Separator { .. }
                | Self::MissingColumn { .. }
                | Self::BlankHeader
                | Self::SeparatorHint { .. }
                | Self::CarriageReturn
                | Self::UnterminatedQuote { .. }
        )
    }
}
