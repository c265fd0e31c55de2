//! Encodings other than UTF-8.

use std::fmt;

use encoding_rs::{Decoder, DecoderResult, Encoding, REPLACEMENT};
use evalcheck_engine::fix::Decode;

/// Parses the value of `--encoding`.
pub(crate) fn parse(name: &str) -> Result<&'static Encoding, String> {
    // The standard maps some encodings that can hide scripts to this one, which decodes nothing.
    let encoding = Encoding::for_label(name.as_bytes()).filter(|encoding| *encoding != REPLACEMENT);
    encoding.ok_or_else(|| "not an encoding of the Encoding Standard; examples are shift_jis, gbk, big5, euc-kr, windows-1252 and utf-16le".to_owned())
}

/// The decoder of an encoding.
pub(crate) fn decoder(name: &str) -> Option<Box<dyn Decode>> {
    let encoding = parse(name).ok()?;
    Some(Box::new(Strict { decoder: encoding.new_decoder_with_bom_removal(), read: 0 }))
}

/// A decoder that fails at the first bytes that are not text in its encoding: U+FFFD in their place would hide that the encoding is
/// wrong.
pub(crate) struct Strict {
    pub(crate) decoder: Decoder,
    /// The number of bytes read before.
    pub(crate) read: u64,
}

impl fmt::Debug for Strict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.decoder.encoding().name())
    }
}

impl Decode for Strict {
    fn decode(&mut self, bytes: &[u8], is_last: bool, out: &mut Vec<u8>) -> Result<(), String> {
        let start = out.len();
        let room = self.decoder.max_utf8_buffer_length_without_replacement(bytes.len());
        out.resize(start + room.unwrap_or(bytes.len()), 0);
        let (result, read, written) =
            self.decoder.decode_to_utf8_without_replacement(bytes, &mut out[start..], is_last);
        out.truncate(start + written);
        let end = self.read + read as u64;
        self.read = end;
        match result {
            DecoderResult::InputEmpty => Ok(()),
            DecoderResult::Malformed(bad, after) => Err(format!(
                "byte {} of the dataset is not {}: name another encoding, or correct the byte",
                end.saturating_sub(u64::from(bad) + u64::from(after)),
                self.decoder.encoding().name()
            )),
            DecoderResult::OutputFull => Err("the decoder needs more room than it says".to_owned()),
        }
    }
}
