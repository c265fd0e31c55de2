//! The rules of one line beyond its schema.

mod meant;

use evalcheck_core::finding::Step;
use evalcheck_core::rule::AnyProblem;
use evalcheck_json::schema::{Object, Properties, Schema};
use evalcheck_report::Severity;
use evalcheck_report::text::listed;

use super::readers;
use super::schemas::captures;
use crate::checks::{Captures, Findings, Record, RecordChecks};
use crate::diagnose::{Kind, RecordFinding, RecordFix, SchemaProblem, Value, clip_quoted, json_string};
use meant::{NOT_FOR_AZURE, meant};

evalcheck_core::rules! {
    /// Mistakes outside of the body.
    LineProblem {
        Anthropic = "openai-batch/anthropic", Error {
            summary: "A request of Anthropic's batch API.",
            message: "the line has params in place of method, url and body: it is a request of Anthropic's batch API",
            hint: "Write method, url and body, and the parameters as OpenAI's API has them. For Anthropic, the file is not the input: its API takes the list of requests.",
            fix: Unsafe,
            meaning: "Anthropic's message batches have a custom_id with params. OpenAI's batches have a method, a url and a body. The parameters of the two APIs differ in part.",
            invalid: r#"{"custom_id":"1","params":{"model":"m","messages":[{"role":"user","content":"What is a bee?"}]}}"#,
            valid: r#"{"custom_id":"1","method": "POST", "url": "/v1/chat/completions", "body":{"model":"m","messages":[{"role":"user","content":"What is a bee?"}]}}"#,
        }
        Result { key: &'static str, system: &'static str } = "openai-batch/result", Error {
            summary: "A result of a batch.",
            message: "the line has {key} in place of a body: it is a result of {system}, not a request",
            hint: "Check the file that was the input of the batch.",
            meaning: "The output and error files of a batch have the custom_id of each request with what became of it. They are not the input of a batch.",
            invalid: r#"{"id":"batch_req_1","custom_id":"1","response":{"status_code":200,"request_id":"a","body":{}},"error":null}"#,
            valid: r#"{"custom_id":"1","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"What is a bee?"}]}}"#,
        }
        Url { url: String, advice: String } = "openai-batch/url", Error {
            summary: "A url that is no endpoint of a batch.",
            message: "the url {url} is none of the endpoints of a batch",
            hint: "{advice}",
            fix: Either,
            meaning: "The url is the path of an endpoint, exactly as the documentation lists it: without the address of the server, with /v1. Azure also takes /chat/completions: use the option azure for it. vLLM has other endpoints: use the option vllm.",
            invalid: r#"{"custom_id":"1","method":"POST","url":"https://api.openai.com/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"What is a bee?"}]}}"#,
            valid: r#"{"custom_id":"1","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"What is a bee?"}]}}"#,
        }
        EmptyId = "openai-batch/empty-id", Warning {
            summary: "An empty custom_id.",
            message: "the custom_id is empty: readers take it, but the result cannot be told by it",
            hint: "Write an id that no other line has.",
            meaning: "Results come in any order, and custom_id says to which request each belongs.",
            invalid: r#"{"custom_id":"","method":"POST","url":"/v1/embeddings","body":{"model":"m","input":"bee"}}"#,
            valid: r#"{"custom_id":"1","method":"POST","url":"/v1/embeddings","body":{"model":"m","input":"bee"}}"#,
        }
    }
}

evalcheck_core::rules! {
    /// Mistakes in a body, which the endpoint refuses.
    RequestProblem {
        BadRequest { problem: String, hint: String, readers: &'static str } = "openai-batch/bad-request", Warning {
            summary: "A request that is likely to fail.",
            message: "the batch runs, but this request is likely to fail: {problem}",
            hint: "{hint}",
            fix: Either,
            meaning: "The Batch API does not look into bodies before it runs the batch. A request that the endpoint refuses has an error in place of an answer, and the other requests are run. vLLM refuses the whole file instead, but for requests of streams: with the option vllm these are errors.",
            invalid: r#"{"custom_id":"1","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"What is a bee?"}],"tool_choice":"auto"}}"#,
            valid: r#"{"custom_id":"1","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"What is a bee?"}]}}"#,
        }
        RefusedRequest { problem: String, hint: String, readers: &'static str } = "openai-batch/refused-request", Error {
            summary: "A request that stops the batch.",
            message: "{problem}",
            hint: "{hint}",
            meaning: "vLLM reads each body as the request of its endpoint before it runs the batch, and stops at the first that it refuses. Only with the option vllm.",
            invalid: "with the option vllm, a request with tool_choice and without tools",
            valid: "the same request without tool_choice",
        }
    }
}

/// A mistake in a body that its schema does not say.
struct Fault {
    /// The key of the body.
    key: &'static str,
    problem: &'static str,
    hint: &'static str,
    readers: &'static str,
}

static STREAM: Fault = Fault {
    key: "stream",
    problem: "stream is true, and a batch has no streams",
    hint: "Leave stream out.",
    readers: readers::TYPES,
};

static STREAM_OPTIONS: Fault = Fault {
    key: "stream_options",
    problem: "stream_options without stream, which a batch does not have",
    hint: "Leave stream_options out.",
    readers: readers::VLLM,
};

static NO_TOOLS: Fault = Fault {
    key: "tool_choice",
    problem: "tool_choice without tools",
    hint: "Add tools, or leave tool_choice out.",
    readers: readers::VLLM,
};

static UNKNOWN_TOOL: Fault = Fault {
    key: "tool_choice",
    problem: "tool_choice names a function that is not among the tools",
    hint: "Correct the name, or add the tool.",
    readers: readers::VLLM,
};

static NO_LOGPROBS: Fault = Fault {
    key: "top_logprobs",
    problem: "top_logprobs without logprobs",
    hint: "Set logprobs to true, or leave top_logprobs out.",
    readers: readers::VLLM,
};

static NESTED_TOOL: Fault = Fault {
    key: "tools",
    problem: "a tool has its name under function, as for chat completions",
    hint: "Write what is under function beside type.",
    readers: readers::TYPES,
};

const MIXED_INPUT: Fault = Fault {
    key: "input",
    problem: "the list mixes texts, numbers and lists",
    hint: "Write a list of texts, of numbers, or of lists of numbers.",
    readers: readers::TYPES,
};

static MIXED: [Fault; 2] = [MIXED_INPUT, Fault { key: "prompt", ..MIXED_INPUT }];

static NO_INPUT: Fault = Fault {
    key: "input",
    problem: "there is neither input nor messages to embed",
    hint: "Add the key \"input\".",
    readers: readers::BOTH,
};

/// The checks of one line.
#[derive(Debug)]
pub(super) struct Requests {
    /// The schema of a line, by its url.
    pub(super) schema: &'static Schema,
    /// Whether a body that its endpoint refuses is an error.
    pub(super) is_strict: bool,
}

impl RecordChecks for Requests {
    fn is_clean(&self, captures: &Captures<'_>) -> bool {
        let (mut has_tools, mut has_choice, mut chosen) = (false, false, None);
        let (mut has_logprobs, mut has_top_logprobs) = (false, false);
        let (mut is_embedding, mut has_input, mut first_input) = (false, false, None);
        for (number, range) in captures.strings {
            let bytes = captures.bytes(range);
            match *number {
                captures::ID if bytes.trim_ascii().is_empty() => return false,
                captures::URL => is_embedding = bytes == EMBEDDINGS.as_bytes(),
                captures::STREAM if bytes == b"true" => return false,
                captures::NESTED => return false,
                captures::STREAM_OPTIONS if bytes != b"{}" => return false,
                captures::TOOLS => has_tools = true,
                captures::TOOL_CHOICE => has_choice = bytes != b"none",
                captures::CHOSEN => chosen = Some(bytes),
                captures::LOGPROBS => has_logprobs = bytes == b"true",
                captures::TOP_LOGPROBS => has_top_logprobs = bytes != b"0",
                captures::INPUT_TEXT => has_input = true,
                captures::EMBEDDED_MESSAGES => has_input |= bytes.starts_with(b"["),
                captures::INPUT | captures::PROMPT => {
                    has_input = true;
                    let kind = bytes.first().map(|first| kind_of(*first));
                    if *first_input.get_or_insert(kind) != kind {
                        return false;
                    }
                }
                _ => {}
            }
        }
        let is_tool = |name: &[u8]| captures.contents(captures::FUNCTION).any(|tool| tool == name);
        (has_tools || !has_choice)
            && (has_logprobs || !has_top_logprobs)
            && (has_input || !is_embedding)
            && chosen.is_none_or(is_tool)
    }

    fn check(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        let root = record.root;
        if check_other_kind(record, out) {
            return;
        }
        if let Some(id) =
            root.get("custom_id").filter(|id| id.as_str().is_some_and(|id| id.trim_ascii().is_empty()))
        {
            out.report(LineProblem::EmptyId, record.at(id));
        }
        self.check_url(record, out);
        let fields = self.schema.object.as_ref().and_then(|object| root.fields_of(object));
        let schema = fields.and_then(|fields| Some(fields.fields[fields.position(b"body")?].schema));
        let body = root.get("body").filter(|body| is_object(body));
        let (Some(body), Some(schema)) = (body, schema) else { return };
        out.check_schema(record, body, schema, |finding| self.verdict(finding));
        for fault in self.faults(root, body).into_iter().flatten() {
            let target = body.get(fault.key).map_or_else(|| record.at_start(body), |value| record.at(value));
            let (problem, hint) = (fault.problem.to_owned(), fault.hint.to_owned());
            // vLLM runs the batch, and answers a request for a stream with an error.
            let stops = self.is_strict && fault.key != STREAM.key;
            out.report(request_problem(stops, problem, hint, fault.readers), target);
        }
    }
}

impl Requests {
    /// The problem that is reported for a difference of a body from its schema.
    fn verdict(&self, finding: &RecordFinding) -> Option<AnyProblem> {
        let problem = &finding.problem;
        let of_schema = problem.downcast_ref::<SchemaProblem>();
        // It is not known that such a key is dropped.
        if matches!(of_schema, Some(SchemaProblem::UnknownKey { .. })) {
            return None;
        }
        let is_model = finding.path.as_ref().is_some_and(|path| is_model(&path.0));
        if problem.rule().severity != Severity::Error || self.is_strict || is_model {
            return Some(problem.clone());
        }
        let readers = readers::of(problem.rule().code, finding.path.as_ref());
        let text = match of_schema {
            Some(SchemaProblem::MissingKey { .. }) => "the key is missing".to_owned(),
            _ => begin_small(problem.message()),
        };
        let hint = problem.hint().filter(|hint| !hint.is_empty());
        let hint = hint.unwrap_or_else(|| "Write what the reference of the endpoint asks for.".to_owned());
        Some(request_problem(false, text, hint, readers).into())
    }

    /// The endpoints, with the fields of a line.
    fn endpoints(&self) -> &'static [(&'static str, Properties)] {
        match &self.schema.object {
            Some(Object::Tagged { variants, .. }) => variants,
            _ => &[],
        }
    }

    /// The mistakes of a body that its schema does not say.
    fn faults(&self, root: &Value<'_>, body: &Value<'_>) -> [Option<&'static Fault>; 6] {
        let url = root.get("url").and_then(Value::as_str).unwrap_or_default();
        let stated = |key: &str| body.get(key).filter(|value| value.kind != Kind::Null);
        let is_true = |key: &str| stated(key).is_some_and(|value| value.kind == Kind::Boolean(true));
        let has_members =
            |value: &Value<'_>| matches!(&value.kind, Kind::Object(members) if !members.is_empty());
        let is_chat = url.ends_with("/chat/completions");
        let has_options = is_chat || url == COMPLETIONS;
        let options = stated("stream_options").filter(|options| has_options && has_members(options));
        let stream = match options {
            _ if is_true("stream") && (has_options || url == RESPONSES) => Some(&STREAM),
            Some(_) => Some(&STREAM_OPTIONS),
            None => None,
        };
        let choice = stated("tool_choice").filter(|choice| is_chat && choice.as_str() != Some("none"));
        let tool = match (choice, stated("tools")) {
            (Some(_), None) => Some(&NO_TOOLS),
            (Some(choice), Some(tools)) if !is_tool(choice, tools) => Some(&UNKNOWN_TOOL),
            _ => None,
        };
        let is_positive = |value: &Value<'_>| matches!(value.kind, Kind::Number(number, _) if number != 0.0);
        let has_no_logprobs = stated("logprobs").is_none_or(|value| value.kind == Kind::Boolean(false));
        let needs_logprobs = is_chat && stated("top_logprobs").is_some_and(is_positive);
        let logprobs = (needs_logprobs && has_no_logprobs).then_some(&NO_LOGPROBS);
        let is_embedding = url == EMBEDDINGS;
        let is_of_url = |fault: &&Fault| is_embedding || (url == COMPLETIONS && fault.key == "prompt");
        let mixed = MIXED.iter().filter(is_of_url).find(|fault| stated(fault.key).is_some_and(is_mixed));
        // Elsewhere the schema demands the input.
        let has_messages = body.get("messages").is_some_and(|messages| messages.as_array().is_some());
        let is_empty = is_embedding && body.get("input").is_none() && !has_messages;
        let nothing = (is_empty && self.is_strict).then_some(&NO_INPUT);
        let tools = stated("tools").filter(|_| url == RESPONSES).and_then(Value::as_array);
        let is_nested =
            |tool: &Value<'_>| tool.get("function").is_some_and(is_object) && tool.get("name").is_none();
        let nested = tools.is_some_and(|tools| tools.iter().any(is_nested)).then_some(&NESTED_TOOL);
        [stream, tool, logprobs, mixed, nothing, nested]
    }

    fn check_url(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        let Some((value, url)) = record.root.get("url").and_then(|value| Some((value, value.as_str()?)))
        else {
            return;
        };
        let known: Vec<&str> = self.endpoints().iter().map(|(url, _)| *url).collect();
        if known.contains(&url) {
            return;
        }
        let meant = meant(url, &known);
        let advice = if let Some((endpoint, lost)) = &meant {
            let for_azure = if *lost == NOT_FOR_AZURE { " For Azure, use the option azure." } else { "" };
            format!("Write \"{endpoint}\".{for_azure}")
        } else {
            let known: Vec<String> = known.iter().map(|url| format!("\"{url}\"")).collect();
            format!("Write one of {}.", listed(&known))
        };
        let fix = meant.map(|(endpoint, lost)| {
            let fix = if lost.is_empty() {
                RecordFix::safe("Write the path of the endpoint")
            } else {
                RecordFix::not_safe(format!("Write \"{endpoint}\", {lost}"))
            };
            fix.replace(value.span.clone(), json_string(endpoint))
        });
        out.replace_schema_findings(&value.span);
        out.report_fixed(LineProblem::Url { url: clip_quoted(url), advice }, record.at(value), fix);
    }
}

/// The problem of a request that stops the batch, or of one that fails alone.
fn request_problem(stops: bool, problem: String, hint: String, readers: &'static str) -> RequestProblem {
    if stops {
        RequestProblem::RefusedRequest { problem, hint, readers }
    } else {
        RequestProblem::BadRequest { problem, hint, readers }
    }
}

const EMBEDDINGS: &str = "/v1/embeddings";

const COMPLETIONS: &str = "/v1/completions";

const RESPONSES: &str = "/v1/responses";

/// Whether a path is that of the model, which the Batch API compares before it runs anything.
fn is_model(path: &[Step]) -> bool {
    matches!(path, [Step::Key(body), Step::Key(model)] if **body == *"body" && **model == *"model")
}

/// The kind of an element to embed, by the first byte of its JSON.
fn kind_of(first: u8) -> u8 {
    if matches!(first, b'"' | b'[') { first } else { b'0' }
}

/// A message as the end of a sentence.
fn begin_small(mut message: String) -> String {
    if let Some(first) = message.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    message
}

/// Reports a line that is not a request of this format. Returns whether it is one.
fn check_other_kind(record: &Record<'_>, out: &mut Findings<'_>) -> bool {
    let root = record.root;
    let Kind::Object(members) = &root.kind else { return false };
    let has = |key: &str| root.get(key).is_some();
    if !has("custom_id") || has("body") || has("url") {
        return false;
    }
    let result = match (has("response"), has("result")) {
        (true, _) => Some(("response", "a batch")),
        (false, true) => Some(("result", "Anthropic's batch API")),
        (false, false) => None,
    };
    if let Some((key, system)) = result {
        out.replace_schema_findings(&root.span);
        out.report(LineProblem::Result { key, system }, record.at_start(root));
        return true;
    }
    let mut params = members.iter().filter(|member| member.key == "params");
    let Some(member) = params.next().filter(|member| is_object(&member.value)) else {
        return false;
    };
    let fix = "Write params as the body for \"/v1/chat/completions\", which guesses that the parameters are those of OpenAI's API";
    let keys = r#""method": "POST", "url": "/v1/chat/completions", "body""#;
    let fix = RecordFix::not_safe(fix).replace(member.key_span.clone(), keys);
    let fix = Some(fix).filter(|_| params.next().is_none() && !has("method"));
    out.replace_schema_findings(&root.span);
    out.report_fixed(LineProblem::Anthropic, record.at_start(root), fix);
    true
}

fn is_object(value: &Value<'_>) -> bool {
    matches!(value.kind, Kind::Object(_))
}

/// Whether a value is a list of elements of several kinds.
fn is_mixed(value: &Value<'_>) -> bool {
    let kind = |value: &Value<'_>| match value.kind {
        Kind::String(_) => Some(b'"'),
        Kind::Array(_) => Some(b'['),
        Kind::Number(..) => Some(b'0'),
        _ => None,
    };
    let elements = value.as_array().unwrap_or_default();
    elements.windows(2).any(|two| matches!((kind(&two[0]), kind(&two[1])), (Some(a), Some(b)) if a != b))
}

/// Whether a choice of a function names one of the tools; true if unsure.
fn is_tool(choice: &Value<'_>, tools: &Value<'_>) -> bool {
    fn name<'v>(value: &'v Value<'_>) -> Option<&'v str> {
        value.get("function")?.get("name")?.as_str()
    }
    let (Some(chosen), Some(tools)) = (name(choice), tools.as_array()) else { return true };
    // A tool without a name has a finding of its own.
    tools.iter().any(|tool| name(tool).is_none_or(|name| name == chosen))
}
