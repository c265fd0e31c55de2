//! Rules about the syntax of JSON, for every format.

use evalcheck_core::excerpt::clip;
use evalcheck_core::finding::Location;
use evalcheck_core::rule::Cause;

use evalcheck_json::tokens::{TokenKind, Tokens};

/// The missing part in [`SyntaxProblem::Missing`] where an element or the value of a key is expected.
pub(super) const A_VALUE: &str = "a value is missing";

/// The missing part in [`SyntaxProblem::Missing`] where a key is expected.
pub(super) const A_KEY: &str = "a key is missing";

/// The [`SyntaxProblem::Missing`] of a comma in an array without a value before it.
pub(super) const NOTHING_BETWEEN: &str = "a comma is too many, or a value is missing,";

/// The same in an object.
pub(super) const EXTRA_COMMA: &str = "a comma is too many";

/// The [`SyntaxProblem::Missing`] of an ellipsis.
pub(super) const LEFT_OUT: &str = "values are left out, with an ellipsis in their place,";

/// The [`SyntaxProblem::Missing`] of two consecutive colons.
pub(super) const EXTRA_COLON: &str = "a colon is too many";

impl SyntaxProblem {
    /// Whether the record may continue on the next line: it is cut off, or was written by hand.
    pub fn may_go_on(&self) -> bool {
        self.is_truncated()
            || matches!(
                self,
                Self::Comment { .. }
                    | Self::SingleQuotes { .. }
                    | Self::UnquotedKey { .. }
                    | Self::PythonLiteral { .. }
                    | Self::NotANumber { .. }
            )
    }

    /// Whether it is about a record that goes over several lines.
    pub fn has_several_lines(&self) -> bool {
        matches!(self, Self::SeveralLines { .. } | Self::ArrayOfRecords { .. })
    }

    /// Whether the text may hold further records, which are not counted.
    pub fn hides_records(&self) -> bool {
        self.has_several_lines() || matches!(self, Self::SecondValue { .. })
    }

    /// Whether the error is an ellipsis in place of values.
    pub fn is_left_out(&self) -> bool {
        matches!(self, Self::Missing { what, .. } if *what == LEFT_OUT)
    }

    /// The problem, given its column, of a word of Python or JavaScript that JSON does not have.
    pub fn of_literal(word: &str) -> Option<impl FnOnce(u64) -> Self + use<>> {
        let wanted = match word.strip_prefix('-').unwrap_or(word) {
            "NaN" | "nan" | "Infinity" | "inf" => None,
            _ => Some(python_literal(word.as_bytes())?),
        };
        let found = word.to_owned();
        Some(move |column| match wanted {
            None => Self::NotANumber { column, found },
            Some(wanted) => Self::PythonLiteral { column, found, wanted },
        })
    }

    /// The advice for strings in single quotes.
    pub const SINGLE_QUOTES_ADVICE: &str = "This looks like Python's repr() or a JavaScript object; write records with \
                                            json.dumps() or JSON.stringify().";

    /// The advice for the string in single quotes with which `text` begins. A quote in a text may seem to end it.
    pub(super) fn advice_on_single_quotes(text: &[u8]) -> String {
        let mut tokens = Tokens::new(text).peekable();
        while let Some(token) = tokens.next() {
            if let TokenKind::String { quote: '\'', content, .. } = token.kind
                && let Some(after) = tokens.next_if(|next| next.kind == TokenKind::Word)
            {
                let text = String::from_utf8_lossy(&text[content.start - 1..after.span.end]);
                let text = clip(&text, 40);
                return format!(
                    "In {text} the second quote is part of the text. Write the strings in double quotes, as \
                     json.dumps() and JSON.stringify() do."
                );
            }
        }
        Self::SINGLE_QUOTES_ADVICE.to_owned()
    }

    /// Whether the record is cut off.
    pub fn is_truncated(&self) -> bool {
        matches!(self, Self::Truncated { .. })
    }
}

/// The JSON literal for a literal of Python.
pub(super) fn python_literal(word: &[u8]) -> Option<&'static str> {
    match word {
        b"None" => Some("null"),
        b"True" => Some("true"),
        b"False" => Some("false"),
        _ => None,
    }
}

evalcheck_core::rules! {
    /// JSON syntax errors. Every message begins like those of `JuryArena`, and continues with the cause.
    SyntaxProblem for Json says "invalid JSON: " {
        Missing { column: u64, what: &'static str, advice: &'static str } = "json/missing-value", Error {
            summary: "A value or a key is missing.",
            message: "{what} at column {column}",
            hint: "{advice}",
            fix: Either,
            meaning: "JSON requires a value or a key after a colon, after a comma and at the start of a record, and another character is there. The line cannot be read at all.",
            other_words: ["Expecting value", "Unexpected token '}', \"...\" is not valid JSON"],
            mistakes: [Between ",{}", Value ""],
            invalid: r#"{"messages":[{"role":"user",,"content":"Hi"}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"Hi"}]}"#,
        }
        Truncated { column: u64, open: String, opened: Option<Box<Location>>, closing: String, advice: String } = "json/truncated", Error {
            summary: "The line is cut off.",
            message: "the line ends at column {column} with {open} still open",
            hint: "{advice}",
            related: "opened here" => opened.as_deref().cloned(),
            fix: Unsafe,
            applies: JsonLines,
            meaning: "Brackets or quotes are not closed at the end of the line. The usual cause is an interrupted download or export.",
            other_words: ["Unterminated string starting at", "Unterminated string in JSON at position", "Expecting ',' delimiter", "Unexpected end of JSON input", "Expected ',' or ']' after array element in JSON"],
            mistakes: [File "{}\n{\"" => "{}\n"],
            invalid: "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}\n{\"messages\":[{\"role\":\"user\",\"cont",
            valid: "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}\n",
        }
        SeveralLines { column: u64, until: String } = "json/record-over-several-lines", Error {
            summary: "One record spans several lines.",
            message: "the record goes on after column {column} on further lines{until}; JSONL requires each record on one line",
            hint: "Write each record on a line of its own, without line breaks inside: jq -c . FILE does it.",
            fix: Either,
            applies: JsonLines,
            meaning: "In JSONL a line break ends the record. A record printed with indentation is read as several broken lines. Its lines are counted as invalid and not reported one by one.",
            other_words: ["Expecting property name enclosed in double quotes", "Expected property name or '}' in JSON at position 1"],
            mistakes: [Inside(",\n  ") "\n  {}\n" => "{}"],
            invalid: "{\n  \"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}]\n}",
            valid: r#"{"messages": [{"role": "user", "content": "Hi"}]}"#,
        }
        RawLineBreak { column: u64, until: u64 } = "json/raw-line-break", Error {
            summary: "A string has a line break in it.",
            message: "a raw line break in a string after column {column}; the record goes on to line {until}. JSON requires line breaks in strings to be escaped as \\n",
            hint: "Join the lines and write \\n where the text breaks. A JSON library does this when it writes the record.",
            related: "the record goes on to here" => Location::line(*until),
            fix: Either,
            applies: JsonLines,
            meaning: "In JSONL a line break ends the record, and in JSON a string has no raw line breaks. The usual cause is text that was pasted into the record or written without a JSON library. The lines are counted as invalid and not reported one by one.",
            other_words: ["Unterminated string starting at", "Invalid control character at", "Bad control character in string literal in JSON"],
            mistakes: [String "\"{}\nthen\"" => "\"{}\\nthen\""],
            invalid: "{\"messages\":[{\"role\":\"user\",\"content\":\"first\nsecond\"}]}",
            valid: r#"{"messages":[{"role":"user","content":"first\nsecond"}]}"#,
        }
        ArrayOfRecords { column: u64, others: String } = "json/array-of-records", Error {
            summary: "The file is one JSON array instead of one record per line.",
            message: "the records are wrapped in one JSON array that opens at column {column}{others}; JSONL requires one object per line, without brackets and commas around them",
            hint: "Write one element per line: jq -c '.[]' FILE > FILE.jsonl",
            fix: Safe,
            applies: JsonLines,
            meaning: "JSONL is not a JSON array: each line is a document of its own. A system that reads line by line cannot read an array that spans several lines.",
            other_words: ["Expecting value", "Unexpected end of JSON input"],
            mistakes: [Lines(",\n") "[\n{}\n]" => "{}\n"],
            invalid: "[\n{\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]},\n{\"messages\":[{\"role\":\"user\",\"content\":\"b\"}]}\n]",
            valid: "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}\n{\"messages\":[{\"role\":\"user\",\"content\":\"b\"}]}\n",
        }
        SecondValue { column: u64, what: String } = "json/text-after-record", Error {
            summary: "Text follows the record on its line.",
            message: "{what} follows the record at column {column}",
            hint: "Keep one record on a line: put a line break before what follows, or delete it if it is no record.",
            fix: Either,
            applies: JsonLines,
            meaning: "A line of JSONL contains exactly one value. A comma, a second record or other text after it makes the line unreadable.",
            other_words: ["Extra data", "Unexpected non-whitespace character after JSON"],
            mistakes: [
                LastLineBreak " ",
                File "{} {}" => "{}\n{}",
            ],
            invalid: "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]} {\"messages\":[{\"role\":\"user\",\"content\":\"b\"}]}",
            valid: "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}\n{\"messages\":[{\"role\":\"user\",\"content\":\"b\"}]}",
        }
        TextBeforeRecord { column: u64, found: String, is_comment: bool, advice: &'static str } = "json/text-before-record", Error {
            summary: "Text is before the record on its line.",
            message: "the text {found} is before the record, which begins at column {column}",
            hint: "{advice}",
            cause: (!is_comment).then(|| Cause::File(String::new())),
            fix: Unsafe,
            applies: JsonLines,
            meaning: "A line of JSONL contains exactly one value. Numbers of lines, list marks, times, names of files and names of variables come from logs, from searches, from lists of language models and from programs. Marks of a comment may be there because the record was left out on purpose.",
            other_words: ["Extra data", "Expecting value", "Unexpected non-whitespace character after JSON"],
            mistakes: [File "1. {}" => "{}"],
            invalid: "1. {\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}\n2. {\"messages\":[{\"role\":\"user\",\"content\":\"b\"}]}",
            valid: "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}\n{\"messages\":[{\"role\":\"user\",\"content\":\"b\"}]}",
        }
        InterruptedWrite { column: u64, what: String, advice: &'static str } = "json/interrupted-write", Error {
            summary: "An interrupted write left NUL bytes, or a part of a record before another one.",
            message: "{what} at column {column}",
            hint: "{advice}",
            fix: Unsafe,
            meaning: "Where a program or a computer stops while it writes, a part of a record stays, or NUL bytes in the place of what was not written. The next program then appends its record on the same line. What is missing cannot be restored from the file.",
            other_words: ["Expecting value", "Invalid control character at", "Unterminated string starting at", "Bad control character in string literal in JSON"],
            invalid: "the first half of a record, and 300 NUL bytes",
            valid: "the whole record",
        }
        TrailingComma { column: u64, before: char } = "json/trailing-comma", Error {
            summary: "A trailing comma before a closing bracket.",
            message: "a trailing comma at column {column} before '{before}'",
            hint: "Delete the comma.",
            fix: Either,
            meaning: "JSON allows a comma only between two members or elements. JavaScript, Python and JSON5 allow one at the end; JSON readers do not.",
            other_words: ["Expecting property name enclosed in double quotes", "Illegal trailing comma before end of object", "Expected double-quoted property name in JSON", "Unexpected token ']', \"...\" is not valid JSON"],
            mistakes: [Last "{},"],
            invalid: r#"{"messages":[{"role":"user","content":"Hi"}],}"#,
            valid: r#"{"messages":[{"role":"user","content":"Hi"}]}"#,
        }
        MissingComma { column: u64, advice: String } = "json/missing-comma", Error {
            summary: "A comma is missing between two members or elements.",
            message: "a comma is missing before column {column}",
            hint: "{advice}",
            fix: Either,
            meaning: "Members of an object and elements of an array are separated by commas.",
            other_words: ["Expecting ',' delimiter", "Expected ',' or '}' after property value in JSON", "Expected ',' or ']' after array element in JSON"],
            mistakes: [Between " " => ", "],
            invalid: r#"{"messages":[{"role":"user" "content":"Hi"}]}"#,
            valid: r#"{"messages":[{"role":"user", "content":"Hi"}]}"#,
        }
        UnescapedQuote { column: u64 } = "json/unescaped-quote", Error {
            summary: "A quote inside a string is not escaped.",
            message: "the string ends at the quote at column {column}, and text follows; JSON requires a quote inside a string to be escaped as \\\"",
            hint: "Write \\\" for each quote that is part of the text. A JSON library does this when it writes the record.",
            fix: Either,
            meaning: "A double quote ends a JSON string unless a backslash is before it. The usual cause is a record that was written without a JSON library.",
            other_words: ["Expecting ',' delimiter", "Expected ',' or '}' after property value in JSON"],
            mistakes: [String "\"{} \"and\" so on\"" => "\"{} \\\"and\\\" so on\""],
            invalid: r#"{"messages":[{"role":"user","content":"Say "yes" or no"}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"Say \"yes\" or no"}]}"#,
        }
        MissingQuote { column: u64, what: &'static str, advice: String } = "json/missing-quote", Error {
            summary: "A string lacks one of its quotes.",
            message: "{what}, at column {column}",
            hint: "{advice}",
            fix: Unsafe,
            meaning: "A JSON string begins and ends with a double quote. Where one of them is missing, the text up to the next quote is taken for the string.",
            other_words: ["Expecting ':' delimiter", "Expecting ',' delimiter", "Expected ':' after property name in JSON"],
            mistakes: [Key "\"{}"],
            invalid: r#"{"messages":[{"role:"user","content":"Hi"}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"Hi"}]}"#,
        }
        MissingColon { column: u64, advice: String } = "json/missing-colon", Error {
            summary: "A colon is missing after a key.",
            message: "a colon is missing after the key, at column {column}",
            hint: "{advice}",
            fix: Either,
            meaning: "In an object each key is followed by a colon and a value.",
            other_words: ["Expecting ':' delimiter", "Expected ':' after property name in JSON"],
            mistakes: [Colon " " => ": "],
            invalid: r#"{"messages" [{"role":"user","content":"Hi"}]}"#,
            valid: r#"{"messages": [{"role":"user","content":"Hi"}]}"#,
        }
        UnquotedKey { column: u64, key: String } = "json/unquoted-key", Error {
            summary: "A key is not in double quotes.",
            message: "the key {key} at column {column} is not in double quotes",
            hint: "Write keys in double quotes. JSON.stringify() writes a JavaScript object as JSON.",
            fix: Safe,
            meaning: "JSON requires every key to be a string in double quotes; JavaScript's shorthand is not JSON.",
            other_words: ["Expecting property name enclosed in double quotes", "Expected property name or '}' in JSON"],
            mistakes: [Key "{}"],
            invalid: r#"{messages:[{"role":"user","content":"Hi"}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"Hi"}]}"#,
        }
        DecimalComma { column: u64, found: String, advice: String } = "json/decimal-comma", Error {
            summary: "A number with a comma.",
            message: "{found} at column {column} has a comma; JSON writes a point before decimals, and nothing between thousands",
            hint: "{advice}",
            fix: Unsafe,
            meaning: "In JSON a comma ends the value. Programs write numbers with a comma where the language of the computer does: 0,93 is then 0.93.",
            other_words: ["Expecting property name enclosed in double quotes", "Expected double-quoted property name in JSON"],
            mistakes: [
                LastMember "{},\"note\":0,93" => "{},\"note\":0.93",
                Null "{\"cost\":0,93}" => "{\"cost\":0.93}",
            ],
            invalid: r#"{"messages":[{"role":"user","content":"Hi"}],"score":0,93}"#,
            valid: r#"{"messages":[{"role":"user","content":"Hi"}],"score":0.93}"#,
        }
        MarkdownFence { column: u64 } = "json/markdown-fence", Error {
            summary: "A line that is a fence of Markdown.",
            message: "a fence of Markdown at column {column}, where JSON requires a record",
            hint: "Delete the line, and other lines around the records that are not JSON.",
            fix: Unsafe,
            applies: JsonLines,
            meaning: "Language models write code between lines of three back-ticks. Where their answer was saved as a whole, these lines and the sentences around them are in the file.",
            other_words: ["Expecting value", "Unexpected token '`', \"```json\" is not valid JSON"],
            mistakes: [
                File "```json\n{}\n```" => "\n{}\n",
                File "{}\n```" => "{}\n",
            ],
            invalid: "```json\n{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}\n```",
            valid: "\n{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}\n",
        }
        SingleQuotes { column: u64, advice: String } = "json/single-quotes", Error {
            summary: "A string is in single quotes.",
            message: "a string in single quotes at column {column}; JSON requires double quotes",
            hint: "{advice}",
            fix: Safe,
            meaning: "JSON strings are in double quotes. Printing a Python dict writes single quotes, which no JSON reader accepts.",
            other_words: ["Expecting property name enclosed in double quotes", "Expected property name or '}' in JSON"],
            mistakes: [Each("\"") "'"],
            invalid: "{'messages':[{'role':'user','content':'Hi'}]}",
            valid: r#"{"messages":[{"role":"user","content":"Hi"}]}"#,
        }
        CurlyQuotes { column: u64, quote: char } = "json/curly-quotes", Error {
            summary: "A string is in typographic quotes.",
            message: "the typographic quote {quote} at column {column} where JSON requires a straight double quote",
            hint: "A word processor changed the quotes: write straight ones around keys and texts, and leave those that are part of a text. Switch \"smart quotes\" off.",
            fix: Safe,
            meaning: "Only the straight double quote U+0022 delimits a JSON string.",
            other_words: ["Expecting property name enclosed in double quotes", "Expected property name or '}' in JSON"],
            mistakes: [Key "\u{201c}{}\u{201d}"],
            invalid: "{“messages”:[{“role”:“user”,“content”:“Hi”}]}",
            valid: r#"{"messages":[{"role":"user","content":"Hi"}]}"#,
        }
        PythonLiteral { column: u64, found: String, wanted: &'static str } = "json/python-literal", Error {
            summary: "A Python literal instead of the JSON one.",
            message: "{found} at column {column} is Python; JSON has {wanted}",
            hint: "Write records with json.dumps(), which turns None, True and False into null, true and false.",
            fix: Safe,
            meaning: "None, True and False are Python. JSON has null, true and false, all in lower case.",
            other_words: ["Expecting value", "Unexpected token 'N', \"...\" is not valid JSON"],
            mistakes: [
                LastMember "{},\"note\":None" => "{},\"note\":null",
                Null "None",
                True "True",
                False "False",
            ],
            invalid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":None}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":null}"#,
        }
        NotANumber { column: u64, found: String } = "json/nan", Error {
            summary: "NaN or Infinity, which JSON does not have.",
            message: "{found} at column {column} is not a JSON number",
            hint: "Leave the key out if it is optional; write null only where the format takes it. In Python json.dumps(..., allow_nan=False) finds the place.",
            fix: Unsafe,
            meaning: "JSON has no NaN and no Infinity. Python writes them unless told not to, and strict readers refuse them.",
            other_words: ["Unexpected token 'N', \"...\" is not valid JSON", "Out of range float values are not JSON compliant"],
            mistakes: [
                LastMember "{},\"note\":NaN" => "{},\"note\":null",
                Number "NaN" => "null",
                Null "NaN",
            ],
            invalid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":[NaN]}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":[null]}"#,
        }
        BadNumber { column: u64, found: String, advice: String } = "json/bad-number", Error {
            summary: "A number is not in JSON notation.",
            message: "{found} at column {column} is not a valid JSON number",
            hint: "{advice}",
            fix: Either,
            meaning: "JSON numbers are decimal: an optional minus, no leading zeros, a fraction with digits on both sides, an exponent.",
            other_words: ["Expecting ',' delimiter", "Unexpected number in JSON"],
            mistakes: [
                LastMember "{},\"note\":007" => "{},\"note\":7",
                Number "0{}",
            ],
            invalid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":[007]}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":[7]}"#,
        }
        NumberRange { column: u64, found: String } = "json/number-out-of-range", Error {
            summary: "A number too large for a double.",
            message: "{found} at column {column} is beyond the range of a 64-bit floating-point number",
            hint: "Write a number below 1.8e308. Where the format takes a text, the number can be in double quotes.",
            meaning: "Readers convert numbers to 64-bit floating point; beyond about 1.8e308 they get infinity, or fail.",
            mistakes: [
                LastMember "{},\"note\":1e309" => "{},\"note\":\"1e309\"",
                Number "1e309",
            ],
            invalid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":[1e309]}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":["1e309"]}"#,
        }
        Comment { column: u64 } = "json/comment", Error {
            summary: "A comment in the JSON.",
            message: "a comment at column {column}; JSON has no comments",
            hint: "Delete the comment. If it has data that is meant, write that as JSON first.",
            fix: Either,
            meaning: "JSON has no comments, neither // nor /* */ nor #. Some documents use them to explain a field in an example; they must not be copied.",
            other_words: ["Extra data", "Expecting value", "Unexpected token '/', \"...\" is not valid JSON", "Unexpected non-whitespace character after JSON"],
            mistakes: [File "{} // to do", LastMember "{} /* to do */"],
            invalid: "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]} // one turn",
            valid: r#"{"messages":[{"role":"user","content":"Hi"}]}"#,
        }
        ControlCharacter { column: u64, name: String, escape: String } = "json/control-character", Error {
            summary: "A raw control character in a string.",
            message: "a raw {name} in a string at column {column}; JSON requires it to be escaped as {escape}",
            hint: "Write it as {escape}.",
            fix: Safe,
            meaning: "Characters below U+0020 must be escaped in a JSON string: a tab as \\t, a line break as \\n.",
            other_words: ["Invalid control character at", "Bad control character in string literal in JSON"],
            invalid: "a string with a real tab character in it",
            valid: r#"{"messages":[{"role":"user","content":"a\tb"}]}"#,
        }
        BadEscape { column: u64, found: String, why: &'static str, advice: String } = "json/bad-escape", Error {
            summary: "An escape that JSON does not have.",
            message: "the escape {found} at column {column} {why}",
            hint: "{advice}",
            fix: Either,
            meaning: "A backslash in a JSON string begins an escape. In Windows paths and LaTeX, every backslash must be doubled.",
            other_words: ["Invalid \\escape", "Bad escaped character in JSON"],
            mistakes: [String "\"{} C:\\data\"" => "\"{} C:\\\\data\""],
            invalid: r#"{"messages":[{"role":"user","content":"C:\data"}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"C:\\data"}]}"#,
        }
        TooDeep { column: u64, limit: usize } = "json/too-deep", Error {
            summary: "Arrays and objects are nested too deeply.",
            message: "nested more than {limit} levels deep at column {column}",
            hint: "Flatten the value, or write the inner part as a string.",
            meaning: "Many JSON readers stop at a depth of 128 or a little more, or overflow their stack. evalcheck reads 128 levels and refuses deeper values.",
            other_words: ["maximum recursion depth exceeded while decoding a JSON array"],
            invalid: "129 opening brackets in a row",
            valid: "a value of at most 128 levels",
        }
        StrayCharacter { column: u64, name: String, advice: String } = "json/stray-character", Error {
            summary: "A character that is not allowed outside of strings.",
            message: "{name} at column {column}",
            hint: "{advice}",
            fix: Either,
            meaning: "No-break spaces, zero-width characters, vertical tabs and lone carriage returns are invisible in most editors and make the line unreadable. Entities of HTML come from records that were copied out of a page.",
            other_words: ["Expecting value", "Unexpected token ' ', \"...\" is not valid JSON"],
            invalid: "a no-break space (U+00A0) before the record",
            valid: r#"{"messages":[{"role":"user","content":"Hi"}]}"#,
        }
        BareWord { column: u64, found: String, advice: String } = "json/bare-word", Error {
            summary: "A word that is not JSON.",
            message: "{found} at column {column} is not a JSON value",
            hint: "{advice}",
            fix: Either,
            meaning: "Outside of strings JSON has only numbers, true, false, null and punctuation.",
            other_words: ["Expecting value", "Unexpected token 'h', \"...\" is not valid JSON"],
            mistakes: [String "hello" => "\"hello\""],
            invalid: r#"{"messages":[{"role":"user","content":hello}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"hello"}]}"#,
        }
        UnmatchedBracket { column: u64, found: char, wanted: String, opened: Option<Box<Location>>, advice: String } = "json/unmatched-bracket", Error {
            summary: "An unmatched closing bracket.",
            message: "'{found}' at column {column} where {wanted}",
            hint: "{advice}",
            related: "opened here" => opened.as_deref().cloned(),
            meaning: "Brackets must be closed by their own kind, in the reverse order in which they were opened.",
            other_words: ["Expecting value", "Unexpected token '}', \"...\" is not valid JSON"],
            mistakes: [Close ""],
            invalid: r#"{"messages":[{"role":"user","content":"Hi"}}"#,
            valid: r#"{"messages":[{"role":"user","content":"Hi"}]}"#,
        }
    }
}
