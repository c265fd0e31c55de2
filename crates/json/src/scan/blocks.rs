//! Blocks of sixteen bytes: the bytes that end a run of plain string content, or separate the cells of a CSV.
//!
//! The only module with unsafe code: the loads of the SIMD implementation. A test compares its masks with those of the
//! scalar one, for every byte at every position.

/// The number of bytes in a block.
pub const BLOCK: usize = 16;

/// The number of bytes in four blocks, which the CSV scanner examines together.
pub(crate) const WIDE: usize = 64;

/// The classes of the bytes in a block. Bit `i` is about byte `i`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Masks {
    /// The byte is `"`, `\` or a control character: plain content ends here.
    pub special: u32,
    /// The byte is not ASCII.
    pub high: u32,
}

/// An implementation of the operations on blocks.
pub trait Blocks: std::fmt::Debug {
    /// Searches for the bytes in `wanted`, and with `ENDS` also for quotes and control characters; `special` of the masks marks them.
    fn look<const ENDS: bool, const WANTED: usize>(block: &[u8; BLOCK], wanted: [u8; WANTED]) -> Masks;

    /// The masks of a block of string content.
    fn masks(block: &[u8; BLOCK]) -> Masks {
        Self::look::<true, 1>(block, [b'\\'])
    }

    /// The masks of two adjacent blocks of string content. Bit `i` is about byte `i` of both.
    fn masks_of_two(blocks: &[u8; 2 * BLOCK]) -> Masks {
        let (Some(first), Some(second)) = (blocks.first_chunk(), blocks.last_chunk()) else {
            return Masks { special: !0, high: !0 };
        };
        let (first, second) = (Self::masks(first), Self::masks(second));
        Masks { special: first.special | second.special << BLOCK, high: first.high | second.high << BLOCK }
    }

    /// A mask of the bytes of a block that are in `wanted`. Bit `i` is about byte `i`.
    fn any_of<const WANTED: usize>(block: &[u8; BLOCK], wanted: [u8; WANTED]) -> u32 {
        Self::look::<false, WANTED>(block, wanted).special
    }

    /// For each of three bytes, a mask of its occurrences in four blocks. Bit `i` is about byte `i` of all four.
    fn each_of(blocks: &[u8; WIDE], wanted: [u8; 3]) -> [u64; 3] {
        let mut places = [0; 3];
        for (index, block) in blocks.as_chunks::<BLOCK>().0.iter().enumerate() {
            for (places, byte) in places.iter_mut().zip(wanted) {
                *places |= u64::from(Self::any_of(block, [byte])) << (index * BLOCK);
            }
        }
        places
    }
}

/// Byte by byte: for machines without SIMD, and the reference in tests.
#[derive(Debug)]
pub struct Scalar;

impl Blocks for Scalar {
    fn look<const ENDS: bool, const WANTED: usize>(block: &[u8; BLOCK], wanted: [u8; WANTED]) -> Masks {
        let mut masks = Masks { special: 0, high: 0 };
        for (i, byte) in block.iter().enumerate() {
            masks.special |=
                u32::from(wanted.contains(byte) || (ENDS && (*byte == b'"' || *byte < 0x20))) << i;
            masks.high |= u32::from(*byte >= 0x80) << i;
        }
        masks
    }
}

/// SIMD where it is available (simd128 in wasm, SSE2 on x86-64), otherwise [`Scalar`].
#[derive(Debug)]
pub struct Simd;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
impl Blocks for Simd {
    fn look<const ENDS: bool, const WANTED: usize>(block: &[u8; BLOCK], wanted: [u8; WANTED]) -> Masks {
        use core::arch::wasm32::{
            u8x16_bitmask, u8x16_eq, u8x16_le, u8x16_splat, v128, v128_load, v128_or, v128_xor,
        };
        #[expect(
            unsafe_code,
            reason = "SAFETY: the reference is to 16 bytes, and v128_load needs no alignment"
        )]
        #[expect(clippy::cast_ptr_alignment, reason = "the load needs no alignment")]
        let v = unsafe { v128_load(block.as_ptr().cast::<v128>()) };
        let mut special = u8x16_splat(0);
        for byte in wanted {
            special = v128_or(special, u8x16_eq(v, u8x16_splat(byte)));
        }
        if ENDS {
            // Flipping bit 1 maps the quote (0x22) to 0x20 and permutes the control characters, so one comparison finds both.
            // `<=` is one instruction less than `<` on x86.
            special = v128_or(special, u8x16_le(v128_xor(v, u8x16_splat(2)), u8x16_splat(0x20)));
        }
        Masks { special: u32::from(u8x16_bitmask(special)), high: u32::from(u8x16_bitmask(v)) }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Blocks for Simd {
    #[expect(
        clippy::cast_sign_loss,
        clippy::cast_possible_wrap,
        clippy::cast_ptr_alignment,
        reason = "bytes are reinterpreted, not converted; the load needs no alignment"
    )]
    fn look<const ENDS: bool, const WANTED: usize>(block: &[u8; BLOCK], wanted: [u8; WANTED]) -> Masks {
        use core::arch::x86_64::{
            __m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128,
            _mm_set1_epi8, _mm_setzero_si128, _mm_xor_si128,
        };
        #[expect(
            unsafe_code,
            reason = "SAFETY: the reference is to 16 bytes, the load needs no alignment, and \
            SSE2 is available by the cfg above"
        )]
        unsafe {
            let v = _mm_loadu_si128(block.as_ptr().cast::<__m128i>());
            let mut special = _mm_setzero_si128();
            for byte in wanted {
                special = _mm_or_si128(special, _mm_cmpeq_epi8(v, _mm_set1_epi8(byte as i8)));
            }
            if ENDS {
                // As in wasm.
                let turned = _mm_xor_si128(v, _mm_set1_epi8(2));
                let ends = _mm_cmpeq_epi8(_mm_min_epu8(turned, _mm_set1_epi8(0x20)), turned);
                special = _mm_or_si128(special, ends);
            }
            Masks { special: _mm_movemask_epi8(special) as u32, high: _mm_movemask_epi8(v) as u32 }
        }
    }
}

#[cfg(not(any(
    all(target_arch = "wasm32", target_feature = "simd128"),
    all(target_arch = "x86_64", target_feature = "sse2")
)))]
impl Blocks for Simd {
    fn look<const ENDS: bool, const WANTED: usize>(block: &[u8; BLOCK], wanted: [u8; WANTED]) -> Masks {
        Scalar::look::<ENDS, WANTED>(block, wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_paths_give_the_same_masks() {
        for byte in 0..=255 {
            for place in 0..BLOCK {
                for filler in [b'a', 0xc3, b'"', 0] {
                    let mut block = [filler; BLOCK];
                    block[place] = byte;
                    assert_eq!(Simd::masks(&block), Scalar::masks(&block), "byte {byte:#x} at {place}");
                    let wanted = [b'"', byte, byte ^ 0x80];
                    assert_eq!(
                        Simd::any_of(&block, wanted),
                        Scalar::any_of(&block, wanted),
                        "{byte:#x} at {place}"
                    );
                }
            }
        }
    }
}
