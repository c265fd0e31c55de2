//! Converts UTF-16 to UTF-8.

/// Decodes UTF-16. Half a character becomes U+FFFD. A byte order mark at the beginning is dropped.
#[derive(Debug)]
pub(super) struct Utf16 {
    big_endian: bool,
    /// The first byte of a unit whose second byte has not arrived.
    byte: Option<u8>,
    /// The first half of a pair whose second half has not arrived.
    unit: Option<u16>,
    begun: bool,
}

impl Utf16 {
    pub(super) fn new(big_endian: bool) -> Self {
        Self { big_endian, byte: None, unit: None, begun: false }
    }

    pub(super) fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        for &byte in bytes {
            let Some(first) = self.byte.take() else {
                self.byte = Some(byte);
                continue;
            };
            let pair = [first, byte];
            let unit = if self.big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) };
            if matches!(unit, 0xd800..=0xdbff) {
                self.flush(out);
                self.unit = Some(unit);
            } else {
                self.push(self.unit.into_iter().chain([unit]), out);
                self.unit = None;
            }
            self.begun = true;
        }
    }

    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        self.flush(out);
        if self.byte.take().is_some() {
            self.push([0xd800], out);
        }
    }

    fn flush(&mut self, out: &mut Vec<u8>) {
        let unit = self.unit.take();
        self.push(unit, out);
    }

    fn push(&self, units: impl IntoIterator<Item = u16>, out: &mut Vec<u8>) {
        for c in char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)) {
            if self.begun || c != '\u{feff}' {
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
    }
}
