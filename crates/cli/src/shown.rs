//! Bytes of a dataset on a terminal or in a log.

use std::fs::File;
use std::io::{self, Write};

use evalcheck_report::text::{Inert, needs_escape};

/// Writes bytes so that they have no effect where they are shown: escapes the characters of [`needs_escape`] and [`Inert`], and bytes
/// that are not UTF-8.
pub(crate) struct Shown<W> {
    out: W,
    line: Inert,
    /// The beginning of an incomplete character.
    rest: Vec<u8>,
    /// Whether the last character is a carriage return, which belongs to a line break if a line feed follows.
    returned: bool,
    escapes: bool,
}

impl<W: Write> Shown<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, line: Inert::default(), rest: Vec::new(), returned: false, escapes: false }
    }

    /// Ends the output. Returns true if anything was escaped.
    ///
    /// # Errors
    /// Those of the output.
    pub(crate) fn finish(mut self) -> io::Result<bool> {
        let mut end = String::new();
        if self.returned {
            self.escape(format_args!("\\u{{000d}}"), &mut end);
        }
        for byte in std::mem::take(&mut self.rest) {
            self.escape(format_args!("\\x{byte:02x}"), &mut end);
        }
        self.out.write_all(end.as_bytes())?;
        self.out.flush()?;
        Ok(self.escapes)
    }

    fn escape(&mut self, text: std::fmt::Arguments<'_>, out: &mut String) {
        let _ = std::fmt::Write::write_fmt(out, text);
        self.line = Inert::within();
        self.escapes = true;
    }

    fn push(&mut self, c: char, out: &mut String) {
        if std::mem::take(&mut self.returned) {
            if c == '\n' {
                out.push('\r');
            } else {
                self.escape(format_args!("\\u{{000d}}"), out);
            }
        }
        match c {
            '\r' => self.returned = true,
            '\n' | '\t' => {
                self.line.acts(c);
                out.push(c);
            }
            c if needs_escape(c) || self.line.acts(c) => {
                self.escape(format_args!("\\u{{{:04x}}}", u32::from(c)), out);
            }
            c => out.push(c),
        }
    }
}

impl<W: Write> Write for Shown<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = std::mem::take(&mut self.rest);
        all.extend_from_slice(bytes);
        let mut out = String::with_capacity(all.len());
        let mut left = all.as_slice();
        while !left.is_empty() {
            let (valid, wrong) = match std::str::from_utf8(left) {
                Ok(text) => (text, Some(0)),
                Err(error) => {
                    (std::str::from_utf8(&left[..error.valid_up_to()]).unwrap_or_default(), error.error_len())
                }
            };
            valid.chars().for_each(|c| self.push(c, &mut out));
            left = &left[valid.len()..];
            let Some(wrong) = wrong else {
                self.rest = left.to_vec();
                break;
            };
            for byte in &left[..wrong] {
                if std::mem::take(&mut self.returned) {
                    self.escape(format_args!("\\u{{000d}}"), &mut out);
                }
                self.escape(format_args!("\\x{byte:02x}"), &mut out);
            }
            left = &left[wrong..];
        }
        self.out.write_all(out.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Returns true if standard output is a file, to which bytes are written unchanged.
pub(crate) fn is_written_to_file() -> bool {
    #[cfg(unix)]
    let owned = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned();
    #[cfg(windows)]
    let owned = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned();
    owned.and_then(|owned| File::from(owned).metadata()).is_ok_and(|metadata| metadata.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[&[u8]]) -> (String, bool) {
        let mut out = Vec::new();
        let mut writer = Shown::new(&mut out);
        for piece in pieces {
            writer.write_all(piece).unwrap();
        }
        let escapes = writer.finish().unwrap();
        (String::from_utf8(out).unwrap(), escapes)
    }

    #[test]
    fn plain_text_stays_as_it_is() {
        let text = "+{\"a\":\t\"é 語 [x] # ## a::b\"}\r\n-b\n";
        assert_eq!(shown(&[text.as_bytes()]), (text.to_owned(), false));
    }

    #[test]
    fn what_acts_is_escaped_however_it_comes() {
        let bytes =
            b" ::add-mask::e\r\n  ::x\n+##vso[a]\x1b]0;t\x07\xc2\x9b31m\xe2\x80\xae\xff\r##[b]\r\xff\r";
        let expected = " :\\u{003a}add-mask::e\r\n  :\\u{003a}x\n+##vso\\u{005b}a]\\u{001b}]0;t\\u{0007}\\u{009b}31m\
             \\u{202e}\\xff\\u{000d}##\\u{005b}b]\\u{000d}\\xff\\u{000d}";
        assert_eq!(shown(&[bytes]), (expected.to_owned(), true));
        for cut in 0..bytes.len() {
            assert_eq!(shown(&[&bytes[..cut], &bytes[cut..]]).0, expected, "{cut}");
        }
        assert_eq!(shown(&[b"a\xe2\x80"]), ("a\\xe2\\x80".to_owned(), true));
    }
}
