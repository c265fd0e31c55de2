//! Durations of recordings.

/// The duration of a recording in milliseconds, rounded down, by its media type, its first bytes and its size. `None` if these do
/// not give it exactly: for formats whose packets would have to be counted, and headers that were written before the end was known.
///
/// ```
/// use evalcheck_core::content::milliseconds;
///
/// let mut wav = b"RIFF\x26\x01\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\xfa\0\0\0".to_vec();
/// wav.resize(44 + 250, 0x80);
/// assert_eq!(milliseconds("audio/wav", &wav, 294), Some(31));
/// assert_eq!(milliseconds("audio/wav", &wav, 200), None);
/// ```
pub fn milliseconds(media_type: &str, head: &[u8], size: u64) -> Option<u32> {
    let found = match media_type {
        "audio/wav" => wav(head, size),
        "audio/flac" => flac(head),
        _ => None,
    };
    found?.try_into().ok()
}

/// Codings of a WAV in which every sample has the same size: integers, floating point numbers, A-law and mu-law.
const CODINGS: [u16; 4] = [1, 3, 6, 7];

/// The coding of a header that has the actual coding in a later field.
const EXTENSIBLE: u16 = 0xFFFE;

fn wav(head: &[u8], size: u64) -> Option<u64> {
    let u16_at = |at: usize| Some(u16::from_le_bytes(*head.get(at..)?.first_chunk()?));
    let u32_at = |at: usize| Some(u32::from_le_bytes(*head.get(at..)?.first_chunk()?));
    let mut format = None;
    let mut at = 12;
    loop {
        let id = head.get(at..at + 4)?;
        let length = u32_at(at + 4)?;
        let data = at + 8;
        if id == b"fmt " {
            let coding = match u16_at(data)? {
                EXTENSIBLE => u16_at(data + 24)?,
                coding => coding,
            };
            let (rate, block) = (u64::from(u32_at(data + 4)?), u64::from(u16_at(data + 12)?));
            format = CODINGS.contains(&coding).then_some((rate, block));
        } else if id == b"data" {
            let (rate, block) = format?;
            let left = size.checked_sub(data as u64)?;
            // A program that writes to a pipe does not know the length.
            let is_known = u64::from(length) <= left && (length > 0 || left == 0);
            let samples = u64::from(length).checked_div(block).filter(|_| is_known)?;
            return (samples * 1000).checked_div(rate);
        }
        at = data.checked_add(usize::try_from(length).ok()?)?.checked_add(usize::from(length % 2 == 1))?;
        head.get(at..)?;
    }
}

fn flac(head: &[u8]) -> Option<u64> {
    // The first block has the rate in 20 bits and the number of samples in 36, which is 0 if unknown.
    let is_first = matches!(head.get(4)?, 0 | 0x80);
    let info = u64::from_be_bytes(*head.get(18..)?.first_chunk()?);
    let (rate, samples) = (info >> 44, info & ((1 << 36) - 1));
    (samples * 1000).checked_div(rate).filter(|_| is_first && samples > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A WAV header with this coding, whose data has this length, after a chunk of another kind.
    fn header(coding: u16, length: u32) -> Vec<u8> {
        let mut bytes = b"RIFF\0\0\0\0WAVELIST\x03\0\0\0abc\0fmt \x28\0\0\0".to_vec();
        bytes.extend(coding.to_le_bytes());
        bytes.extend(2_u16.to_le_bytes());
        bytes.extend(44_100_u32.to_le_bytes());
        bytes.extend(176_400_u32.to_le_bytes());
        bytes.extend(4_u16.to_le_bytes());
        bytes.resize(bytes.len() + 10, 0);
        bytes.extend([1, 0]);
        bytes.resize(bytes.len() + 14, 0);
        bytes.extend(b"data");
        bytes.extend(length.to_le_bytes());
        bytes
    }

    #[test]
    fn a_wav_says_how_long_it_is() {
        let of = |coding, length, size| milliseconds("audio/wav", &header(coding, length), size);
        assert_eq!(of(1, 176_400, 1 << 20), Some(1_000));
        assert_eq!(of(EXTENSIBLE, 176_400, 1 << 20), Some(1_000));
        assert_eq!(of(2, 176_400, 1 << 20), None, "ADPCM");
        assert_eq!(of(1, u32::MAX, 1 << 20), None, "not known when it was written");
        assert_eq!(of(1, 0, 1 << 20), None);
        let head = header(1, 176_400);
        for end in 0..head.len() {
            assert_eq!(milliseconds("audio/wav", &head[..end], 1 << 20), None);
        }
    }

    #[test]
    fn a_flac_says_how_long_it_is_or_that_it_is_not_known() {
        let of = |rate: u64, samples: u64| {
            let mut head = b"fLaC\0\0\0\x22".to_vec();
            head.resize(18, 0);
            head.extend(((rate << 44) | (1 << 41) | (15 << 36) | samples).to_be_bytes());
            milliseconds("audio/flac", &head, 100)
        };
        assert_eq!((of(48_000, 72_000), of(48_000, 0), of(0, 72_000)), (Some(1_500), None, None));
        assert_eq!(milliseconds("audio/flac", b"fLaC", 4), None);
        assert_eq!(milliseconds("audio/mpeg", b"ID3", 3), None);
    }
}
