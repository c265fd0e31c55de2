//! The rules of assertions, in cells and in JSON.

use super::assertions::Type;
use crate::cell_list::NotList;

evalcheck_core::rules! {
    /// Assertions that cannot tell a right output from a wrong one.
    AssertionProblem {
        Literal { name: String, advice: String } = "promptfoo/literal-assertion", Warning {
            summary: "A cell that promptfoo compares as a whole, although it looks like an assertion.",
            message: "the cell loads as equals: it looks like {name}, but promptfoo compares the output with the whole cell",
            hint: "{advice}",
            fix: Either,
            meaning: "A cell is an assertion only if it begins with the exact name of a type, in lower case, followed by a colon, by a number in parentheses, or by nothing. Any other cell is the text that the output has to equal, so that a right output fails.",
            invalid: "question,__expected\nCapital of Norway?,Contains: Oslo",
            valid: "question,__expected\nCapital of Norway?,contains: Oslo",
        }
        LostNumber { name: String, number: String } = "promptfoo/lost-number", Warning {
            summary: "A number in parentheses that promptfoo does not read.",
            message: "the cell loads without the number: promptfoo reads no number for {name}, and ({number}) is lost",
            hint: "Delete the number; a threshold goes into a column __config:__expected:threshold, which then has a number in each row.",
            fix: Unsafe,
            meaning: "Only answer-relevance, classifier, context-faithfulness, context-recall, context-relevance, cost, latency, levenshtein, perplexity, perplexity-score, rouge-n, similar and starts-with take a number in a cell. For other types it is dropped without a word, and the assertion passes at their usual threshold.",
            invalid: "question,__expected\nSay hello.,llm-rubric(0.8): is polite",
            valid: "question,__expected,__config:__expected:threshold\nSay hello.,llm-rubric: is polite,0.8",
        }
        LimitAsValue { name: String, value: String, instead: String } = "promptfoo/limit-as-value", Warning {
            summary: "A limit in the place of a value.",
            message: "the cell loads with the limit 0.75: {name} has no value, so that {value} is not read",
            hint: "Write {instead}.",
            fix: Safe,
            meaning: "The limit of cost, latency, perplexity and perplexity-score is a number in parentheses. Without it the limit is 0.75, of latency 0.75 milliseconds, whatever follows the colon.",
            invalid: "question,__expected\nSay hello.,latency:1000",
            valid: "question,__expected\nSay hello.,latency(1000)",
        }
        NoLimit { name: String, effect: &'static str, advice: String } = "promptfoo/no-limit", Warning {
            summary: "An assertion without its limit.",
            message: "{name} has no limit: it loads, and {effect}",
            hint: "{advice}",
            meaning: "latency, cost, perplexity and perplexity-score compare with a limit. In a cell it is a number in parentheses and 0.75 without one, which a latency in milliseconds is hardly ever below; a perplexity is at least 1, and its score at most 0.5. The limit of levenshtein in a cell is 0.75 too, so that only the same text passes; in JSON it is 5. In JSON the limit is the threshold. Without it a test with latency or cost ends in an error, and one with perplexity passes whatever the output.",
            invalid: "question,__expected\nSay hello.,latency",
            valid: "question,__expected\nSay hello.,latency(1000)",
        }
        Metric { name: String, metric: String, value: String, advice: &'static str } = "promptfoo/similar-metric", Warning {
            summary: "The metric of similar, which a cell cannot name.",
            message: "the cell loads as {name} with the text {value}: promptfoo reads no metric in a cell, and {metric} becomes a part of the text",
            hint: "{advice}",
            fix: Safe,
            meaning: "The types similar:cosine, similar:dot and similar:euclidean exist in JSON and YAML. In a cell, what follows similar: is the text that the output is compared with. The metric of similar is the cosine.",
            invalid: "question,__expected\nCapital of Norway?,similar:cosine:Oslo",
            valid: "question,__expected\nCapital of Norway?,similar:Oslo",
        }
        NoValue { name: String, effect: &'static str, advice: String } = "promptfoo/no-value", Warning {
            summary: "An assertion without the value that it needs.",
            message: "{name} has no value to compare with: it loads, and {effect}",
            hint: "{advice}",
            fix: Unsafe,
            meaning: "Most types compare the output with a value. Without it promptfoo ends the test in an error, so that no output passes.",
            invalid: "question,__expected\nIn which language is promptfoo scripted?,python",
            valid: "question,__expected\nIn which language is promptfoo scripted?,equals:python",
        }
        WrongValue { name: String, wanted: &'static str, received: &'static str, advice: String } = "promptfoo/wrong-value", Warning {
            summary: "An assertion with a value of a type that it does not take.",
            message: "{name} takes {wanted}, and the value is {received}: it loads, and the test ends in an error",
            hint: "{advice}",
            meaning: "promptfoo does not check the value when it loads tests. contains takes a text or a number, regex, starts-with and levenshtein take a text, contains-any and contains-all take a list, and word-count takes a number or an object with min and max.",
            other_words: ["\"contains\" assertion type must have a string or number value"],
            invalid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "contains", "value": ["Oslo", "Bergen"]}]}"#,
            valid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "contains-any", "value": ["Oslo", "Bergen"]}]}"#,
        }
        BrokenList { name: String, why: &'static str, advice: String } = "promptfoo/broken-list", Error {
            summary: "A cell with a list that promptfoo refuses.",
            message: "promptfoo refuses the file: in the list of {name}, {why}",
            hint: "{advice}",
            meaning: "The value of contains-any, contains-all and their kin is a list, cut at commas. An item that begins with a double quote ends with one, and a comma or the end of the cell follows.",
            other_words: ["Expected comma after quoted field in contains assertion value", "Unterminated quoted field in contains assertion value"],
            invalid: "question,__expected\nWhere?,\"contains-any: \"\"Oslo\"\" city\"",
            valid: "question,__expected\nWhere?,\"contains-any: \"\"Oslo city\"\"\"",
        }
        BrokenText { name: String, why: &'static str } = "promptfoo/broken-list-at-run", Warning {
            summary: "A list in a text that promptfoo cannot read when it runs the test.",
            message: "it loads, and the test ends in an error: in the list of {name}, {why}",
            hint: "Write a list of strings.",
            meaning: "A text in place of a list is cut at commas when the test is run. An item that begins with a double quote ends with one, and a comma or the end of the text follows.",
            invalid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "contains-any", "value": "\"Oslo\" city"}]}"#,
            valid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "contains-any", "value": ["Oslo city"]}]}"#,
        }
        BlankItem { name: String, what: &'static str } = "promptfoo/blank-item", Warning {
            summary: "A list with an empty item, which every output contains.",
            message: "the list of {name} has an empty item: it loads, and every output {what}",
            hint: "Delete the empty item, or write its text.",
            meaning: "Every text contains the empty text. So contains-any passes whatever the output, and not-contains-any fails whatever the output.",
            invalid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "contains-any", "value": ["Oslo", ""]}]}"#,
            valid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "contains-any", "value": ["Oslo"]}]}"#,
        }
        Brackets { name: String } = "promptfoo/bracketed-list", Warning {
            summary: "A list in brackets in a cell.",
            message: "the cell loads with the brackets: promptfoo cuts the list of {name} at its commas only, and the brackets are text",
            hint: "Write the items without brackets, as in contains-any:Oslo,Bergen.",
            meaning: "A cell is no JSON and no Python. The first item begins with the bracket and the last one ends with it, so that neither is found in an output.",
            invalid: "question,__expected\nWhere?,\"contains-any:[Oslo, Bergen]\"",
            valid: "question,__expected\nWhere?,\"contains-any:Oslo, Bergen\"",
        }
        PythonPattern { name: String, found: String, advice: &'static str } = "promptfoo/python-pattern", Warning {
            summary: "A regular expression of Python, which JavaScript refuses.",
            message: "JavaScript does not know {found} in the pattern of {name}: it loads, and no output passes",
            hint: "{advice}",
            meaning: "promptfoo reads a pattern as a regular expression of JavaScript. For one that it cannot read, the assertion fails whatever the output, also with not-regex.",
            other_words: ["Invalid regular expression: /(?i)oslo/: Invalid group"],
            invalid: "question,__expected\nCapital of Norway?,regex:(?i)oslo",
            valid: "question,__expected\nCapital of Norway?,regex:[Oo]slo",
        }
        UnknownType { found: String, advice: String } = "promptfoo/unknown-type", Warning {
            summary: "A type of assertion that promptfoo does not know.",
            message: "{found} is no type of assertion: it loads, and the test ends in an error",
            hint: "{advice}",
            fix: Either,
            meaning: "promptfoo does not check the type when it loads tests. When it runs the test, it ends in \"Unknown assertion type\", and no output passes.",
            other_words: ["Unknown assertion type: contain"],
            invalid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "contain", "value": "Oslo"}]}"#,
            valid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "contains", "value": "Oslo"}]}"#,
        }
        AsText { wanted: &'static str, advice: String } = "promptfoo/assertion-as-text", Error {
            summary: "An assertion as a text, where JSON needs an object.",
            title: "is no object",
            message: "Invalid assertion: expected {wanted}, but got string",
            hint: "{advice}",
            fix: Safe,
            meaning: "The short form TYPE:VALUE is that of the cells of a CSV. In JSON the assertions are a list, and each is an object with a type.",
            other_words: ["tests[0].assert must be an array", "Invalid assertion at tests[1].assert[0]: Expected an object, but got string"],
            invalid: r#"{"vars": {"q": "Where?"}, "assert": ["contains:Oslo"]}"#,
            valid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "contains", "value": "Oslo"}]}"#,
        }
        NestedSet = "promptfoo/nested-set", Error {
            summary: "A set of assertions in another set.",
            message: "a set of assertions in a set: promptfoo refuses the file",
            hint: "Put its assertions into the outer set, or beside it.",
            meaning: "An assert-set holds assertions, and no further set.",
            other_words: ["assert-set must have an 'assert' property that is an array"],
            invalid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "assert-set", "assert": [{"type": "assert-set", "assert": []}]}]}"#,
            valid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "assert-set", "assert": [{"type": "contains", "value": "Oslo"}]}]}"#,
        }
    }
}

/// Why a list cannot be read.
pub(super) fn reason(error: NotList) -> &'static str {
    match error {
        NotList::TextAfterQuote => "text follows the closing quote of an item",
        NotList::Unclosed => "a double quote is not closed",
    }
}

/// The problem of an empty item, which every output contains.
pub(super) fn blank_item(name: &str) -> Option<AssertionProblem> {
    let is_not = name.starts_with("not-");
    let what = if is_not { "fails" } else { "passes" };
    name.ends_with("-any").then(|| AssertionProblem::BlankItem { name: name.to_owned(), what })
}

/// A limit as a hint shows it.
pub(super) fn usual_limit(of: &Type) -> &'static str {
    match of.name {
        "latency" => "1000",
        "cost" => "0.01",
        "perplexity-score" => "0.4",
        _ => "5",
    }
}

/// The effect of an assertion without its value.
pub(super) fn without_value(of: &Type) -> &'static str {
    match of.name {
        "equals" => "it compares with the text undefined",
        "javascript" => "no output passes",
        _ => ERROR,
    }
}

/// The effect of an assertion with a list without items.
pub(super) fn without_items(name: &str) -> &'static str {
    let passes = name.ends_with("-all") != name.starts_with("not-");
    if passes { "every output passes" } else { "no output passes" }
}

/// The values of `word-count`.
pub(super) const COUNT: &str = "a number, or an object with min and max";

/// A text that it refuses.
pub(super) const NO_NUMBER: &str = "a text that is not a number";

pub(super) const ERROR: &str = "the test ends in an error";
