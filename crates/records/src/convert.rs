//! Converts a whole dataset: to another encoding, to another separator, to records on lines or in a list.
//!
//! A [`Conversion`] fixes a mistake of the whole file, for which single edits would take more memory than the file. It runs as the bytes
//! arrive, in the memory of a row or of white space.

mod blank_cells;
mod cells;
mod column;
mod comma;
mod list;
mod straight_quotes;
mod utf16;

use std::fmt;

pub use evalcheck_report::Conversion;

/// Decodes text of one encoding as its bytes arrive. The tables of encodings are large, so each driver brings its decoders: the
/// command those of a library, a browser its own.
pub trait Decode: fmt::Debug {
    /// Decodes the next bytes, and appends them to `out` in UTF-8. After the last bytes, nothing may be pending.
    ///
    /// # Errors
    /// Bytes that are not text of this encoding, for the user.
    fn decode(&mut self, bytes: &[u8], is_last: bool, out: &mut Vec<u8>) -> Result<(), String>;
}

/// The decoder of an encoding, by its name in the [Encoding Standard](https://encoding.spec.whatwg.org/); `None` for an unknown
/// name.
pub type Decoders = fn(&str) -> Option<Box<dyn Decode>>;

/// Converts a dataset as its bytes arrive.
///
/// ```
/// use evalcheck_records::convert::{Conversion, Converter};
///
/// let mut converter = Converter::new(&Conversion::ArrayToLines { first_only: false }, |_| None)?;
/// let mut out = Vec::new();
/// converter.feed(b"[{\"a\": 1},\n {\"a\"", &mut out)?;
/// converter.feed(b": 2}]\n", &mut out)?;
/// converter.finish(&mut out)?;
/// assert_eq!(out, b"{\"a\": 1}\n{\"a\": 2}\n");
/// # Ok::<(), String>(())
/// ```
#[derive(Debug)]
pub struct Converter(Kind);

#[derive(Debug)]
enum Kind {
    Decode(Box<dyn Decode>),
    Utf16(utf16::Utf16),
    Comma(comma::Comma),
    StraightQuotes(straight_quotes::StraightQuotes),
    WithoutBlankCells(blank_cells::WithoutBlankCells),
    WithoutColumn(column::WithoutColumn),
    ArrayToLines(list::ArrayToLines),
    InObject(list::InObject),
}

impl Converter {
    /// Begins a conversion.
    ///
    /// # Errors
    /// The driver has no decoder for the encoding.
    pub fn new(conversion: &Conversion, decoders: Decoders) -> Result<Self, String> {
        Ok(Self(match conversion {
            Conversion::Decode { encoding } => Kind::Decode(
                decoders(encoding).ok_or_else(|| format!("the encoding {encoding} is not known"))?,
            ),
            Conversion::Utf16 { big_endian } => Kind::Utf16(utf16::Utf16::new(*big_endian)),
            Conversion::CommaSeparated { separator } => Kind::Comma(comma::Comma::new(*separator)),
            Conversion::StraightQuotes { open, close } => {
                Kind::StraightQuotes(straight_quotes::StraightQuotes::new(*open, *close))
            }
            Conversion::WithoutBlankCells { columns } => {
                Kind::WithoutBlankCells(blank_cells::WithoutBlankCells::new(*columns))
            }
            Conversion::WithoutColumn { column } => Kind::WithoutColumn(column::WithoutColumn::new(*column)),
            Conversion::ArrayToLines { first_only } => {
                Kind::ArrayToLines(list::ArrayToLines::new(*first_only))
            }
            Conversion::ArrayInObject { key } => Kind::InObject(list::InObject::of_array(key)),
            Conversion::LinesInObject { key } => Kind::InObject(list::InObject::of_lines(key)),
        }))
    }

    /// Takes the next bytes, and appends the converted ones to `out`.
    ///
    /// # Errors
    /// Bytes that cannot be decoded.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
        match &mut self.0 {
            Kind::Decode(to) => to.decode(bytes, false, out)?,
            Kind::Utf16(to) => to.feed(bytes, out),
            Kind::Comma(to) => to.feed(bytes, out),
            Kind::StraightQuotes(to) => to.feed(bytes, out),
            Kind::WithoutBlankCells(to) => bytes.iter().for_each(|&byte| to.feed(byte, out)),
            Kind::WithoutColumn(to) => bytes.iter().for_each(|&byte| to.feed(byte, out)),
            Kind::ArrayToLines(to) => to.feed(bytes, out),
            Kind::InObject(to) => bytes.iter().for_each(|&byte| to.feed(byte, out)),
        }
        Ok(())
    }

    /// Appends the rest to `out`.
    ///
    /// # Errors
    /// A last character that is not complete.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), String> {
        match &mut self.0 {
            Kind::Decode(to) => to.decode(&[], true, out)?,
            Kind::Utf16(to) => to.finish(out),
            Kind::Comma(to) => to.finish(out),
            Kind::StraightQuotes(to) => to.finish(out),
            // Only blank cells can be pending.
            Kind::WithoutBlankCells(_) | Kind::WithoutColumn(_) => {}
            Kind::ArrayToLines(to) => to.finish(out),
            Kind::InObject(to) => to.finish(out),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Converts a text in one piece and byte by byte.
    fn converted(conversion: &Conversion, text: &[u8]) -> String {
        let [whole, in_bytes] = [text.len().max(1), 1].map(|piece| {
            let mut converter = Converter::new(conversion, |_| None).unwrap();
            let mut out = Vec::new();
            for piece in text.chunks(piece) {
                converter.feed(piece, &mut out).unwrap();
            }
            converter.finish(&mut out).unwrap();
            String::from_utf8(out).unwrap()
        });
        assert_eq!(in_bytes, whole);
        whole
    }

    #[test]
    fn utf16_becomes_utf8() {
        let text = "{\"a\": \"é 日 😀\"}\n";
        for big_endian in [false, true] {
            for mark in ["", "\u{feff}"] {
                let bytes: Vec<u8> = format!("{mark}{text}")
                    .encode_utf16()
                    .flat_map(|unit| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() })
                    .collect();
                assert_eq!(converted(&Conversion::Utf16 { big_endian }, &bytes), text);
            }
        }
        let cut = [b'a', 0, 0x3d, 0xd8, b'b', 0, b'c'];
        assert_eq!(converted(&Conversion::Utf16 { big_endian: false }, &cut), "a\u{fffd}b\u{fffd}");
    }

    #[test]
    fn blank_cells_at_the_end_are_left_out() {
        let to = Conversion::WithoutBlankCells { columns: 2 };
        assert_eq!(
            converted(&to, b"a,b,,\r\n1,,,\r\n\"x,,\n\",2, ,\n3,4,,5\n,,,,\n6\n7,8,,"),
            "a,b\r\n1,\r\n\"x,,\n\",2\n3,4,,5\n,\n6\n7,8"
        );
    }

    #[test]
    fn a_column_is_left_out() {
        let text = b"a,b,c\r\n1,\"x,\n\",\"y\"\n\n,,\r\n4\n5,6,7";
        let to = |column: u64| converted(&Conversion::WithoutColumn { column }, text);
        assert_eq!(to(0), "b,c\r\n\"x,\n\",\"y\"\n\n,\r\n\n6,7");
        assert_eq!(to(1), "a,c\r\n1,\"y\"\n\n,\r\n4\n5,7");
        assert_eq!(to(2), "a,b\r\n1,\"x,\n\"\n\n,\r\n4\n5,6");
    }

    #[test]
    fn semicolons_become_commas() {
        let to = Conversion::CommaSeparated { separator: ';' };
        let text = b"a;b;c\r\n1,5;\"x;\"\"y\"\"\";\"two\nlines\"\r6\" wide, and high;;\n";
        let expected = "a,b,c\r\n\"1,5\",\"x;\"\"y\"\"\",\"two\nlines\"\n\"6\"\" wide, and high\",,\n";
        assert_eq!(converted(&to, text), expected);
        assert_eq!(converted(&to, b"a;b"), "a,b");
    }

    #[test]
    fn other_quotes_become_straight() {
        let to = Conversion::StraightQuotes { open: '“', close: '”' };
        let text = "“a”,b\r\n“say “hi”, or \"so\"”,\n1,“open, 2\n“x” y,“z”";
        let expected = "\"a\",b\r\n\"say “hi”, or \"\"so\"\"\",\n1,“open, 2\n“x” y,\"z\"";
        assert_eq!(converted(&to, text.as_bytes()), expected);
        let to = Conversion::StraightQuotes { open: '\'', close: '\'' };
        assert_eq!(
            converted(&to, b"'a','it's'\n'b, c',''\n'd''e'\n"),
            "\"a\",\"it's\"\n\"b, c\",\"\"\n\"d'e\"\n"
        );
    }

    #[test]
    fn an_array_becomes_lines() {
        let to = Conversion::ArrayToLines { first_only: true };
        let text = b"\xef\xbb\xbf[\n  {\n    \"a\": [1,\n 2], // one\n \"b\": \"], {\\\"\"\n  },\n {\"a\": 2} /* two */ ,\n 'it\\'s, so',\n]\n";
        let expected = "{\"a\": [1, 2], \"b\": \"], {\\\"\"}\n{\"a\": 2}\n'it\\'s, so'\n";
        assert_eq!(converted(&to, text), expected);
        assert_eq!(converted(&to, b"[]"), "");
        assert_eq!(converted(&to, b"[1\n, 2] \n [3]\n"), "1\n2\n[3]\n");
        assert_eq!(converted(&to, b"[1, [2"), "1\n[2\n");
        assert_eq!(converted(&to, b"[1]\n[2]\n"), "1\n[2]\n");
    }

    #[test]
    fn arrays_become_lines() {
        let to = Conversion::ArrayToLines { first_only: false };
        assert_eq!(converted(&to, b"[1, 2][3]"), "1\n2\n3\n");
        assert_eq!(converted(&to, b"[1,\n {\"a\": [2]}]\n\n[3],\n[]\n[4]\n"), "1\n{\"a\": [2]}\n3\n4\n");
        assert_eq!(converted(&to, b"[1] // one\n[2]\n{\"a\": [\n[3]"), "1\n2\n{\"a\": [\n[3]");
        assert_eq!(converted(&to, b"[1]\n x [2]"), "1\nx [2]");
    }

    #[test]
    fn a_list_is_put_in_an_object() {
        let key = || "queries".to_owned();
        assert_eq!(
            converted(&Conversion::ArrayInObject { key: key() }, b"\xef\xbb\xbf [{}, {}]\r\n"),
            "{\"queries\": [{}, {}]}\r\n"
        );
        assert_eq!(
            converted(&Conversion::LinesInObject { key: key() }, b"{}\r\n\n {\"a\": 1} \n"),
            "{\"queries\": [\n{},\n{\"a\": 1}\n]}\n"
        );
    }
}
