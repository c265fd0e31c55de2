use super::*;

/// Writes the visited parts.
#[derive(Default)]
struct Trace(String);

impl Visitor for Trace {
    fn begin_object(&mut self) {
        self.0.push('{');
    }

    fn key(&mut self, key: Text<'_>) {
        self.0.extend(key.decoded().chain([':']));
    }

    fn end_object(&mut self) {
        self.0.push('}');
    }

    fn begin_array(&mut self) {
        self.0.push('[');
    }

    fn end_array(&mut self) {
        self.0.push(']');
    }

    fn string(&mut self, text: Text<'_>) {
        self.0.extend(['"'].into_iter().chain(text.decoded()).chain(['"']));
    }

    fn number(&mut self, number: &[u8]) {
        self.0.push_str(&String::from_utf8_lossy(number));
        self.0.push(' ');
    }

    fn boolean(&mut self, value: bool) {
        self.0.push(if value { 'T' } else { 'F' });
    }

    fn null(&mut self) {
        self.0.push('N');
    }
}

fn trace(json: &str) -> Option<String> {
    let mut trace = Trace::default();
    walk(json.as_bytes(), 0, &mut trace).map(|end| {
        assert_eq!(end, json.trim_end().len(), "{json}");
        trace.0
    })
}

#[test]
fn a_value_is_seen_in_its_order() {
    let json = r#" { "a" : [ 1, -2.5e+3 , true,false, null, [], {} ], "b\n": {"c": "d\"\\"}, "": "" } "#;
    assert_eq!(trace(json).unwrap(), "{a:[1 -2.5e+3 TFN[]{}]b\n:{c:\"d\"\\\"}:\"\"}");
    assert_eq!(trace("7").unwrap(), "7 ");
}

/// The only string of a document.
#[derive(Default)]
struct Only(Option<(u64, u64, String, bool)>);

impl Visitor for Only {
    fn string(&mut self, text: Text<'_>) {
        self.0 = Some((text.characters(), text.wide_characters(), text.decoded().collect(), text.is_ascii()));
    }
}

#[test]
fn lengths_are_those_of_the_decoded_text() {
    let mut random = fastrand::Rng::with_seed(7);
    let pieces = [
        "a",
        " ",
        "é",
        "日",
        "한",
        "𝄞",
        "ascii only, and quite long for a block",
        "\n",
        "\"",
        "\\",
        "/",
        "\u{1}",
        "\u{ffff}",
    ];
    for round in 0..5000 {
        let text: String = (0..random.usize(0..20)).map(|_| *random.choice(&pieces).unwrap()).collect();
        let escapes = random.u8(0..3);
        let json = text.chars().fold("\"".to_owned(), |json, c| {
            let is_escaped = escapes == 2 || escapes == 1 && random.bool();
            json + &match c {
                '\n' if !is_escaped => "\\n".to_owned(),
                '"' | '\\' if !is_escaped => format!("\\{c}"),
                _ if is_escaped || c < ' ' => c
                    .encode_utf16(&mut [0; 2])
                    .iter()
                    .fold(String::new(), |all, unit| all + &format!("\\u{unit:04X}")),
                _ => c.to_string(),
            }
        }) + "\"";
        let mut only = Only::default();
        // The end of the buffer is near or far.
        let buffer = if round % 2 == 0 { json.clone() } else { json.clone() + &"x".repeat(100) };
        assert_eq!(walk(buffer.as_bytes(), 0, &mut only), Some(json.len()), "{json}");
        let (characters, wide, decoded, is_ascii) = only.0.unwrap();
        assert_eq!(decoded, text, "{json}");
        assert_eq!(characters, text.chars().count() as u64, "{json}");
        assert_eq!(wide, text.chars().filter(|&c| u32::from(c) >= WIDE).count() as u64, "{json}");
        assert!(!is_ascii || text.is_ascii(), "{json}");
    }
}

#[test]
fn bytes_that_are_not_json_do_not_panic() {
    let mut random = fastrand::Rng::with_seed(8);
    let bytes = b"{}[]\",:\\u12d8DC00tfn-. \x00\xff\xe3\x81";
    for _ in 0..20_000 {
        let text: Vec<u8> = (0..random.usize(0..60)).map(|_| *random.choice(bytes).unwrap()).collect();
        let mut trace = Trace::default();
        walk(&text, 0, &mut trace);
        Text::plain(&text).decoded().count();
    }
    assert_eq!(walk("[".repeat(5000).as_bytes(), 0, &mut Trace::default()), None);
    assert_eq!(trace("[\"a"), None);
}
