//! The extra fields of an entry that readers need: 64-bit sizes and offsets, and its name in Unicode.

use crate::source::LittleEndian;

pub(crate) const SIZES_64: u16 = 0x0001;
pub(crate) const UNICODE_NAME: u16 = 0x7075;

/// The sizes and the offset of an entry: from its record, or from the 64-bit field if the record refers to it.
pub(crate) struct Sizes {
    pub(crate) size: u64,
    pub(crate) compressed: u64,
    pub(crate) header: u64,
}

/// The name in Unicode, and the checksum of the plain name that it belongs to.
pub(crate) struct Unicode<'a> {
    pub(crate) crc32: u32,
    pub(crate) name: &'a [u8],
}

/// Reads the extra fields. Up to three bytes at their end are padding. The error is the end of a sentence about the entry.
pub(crate) fn read<'a>(
    mut rest: &'a [u8],
    sizes: &mut Sizes,
    unicode: &mut Option<Unicode<'a>>,
) -> Result<(), &'static str> {
    let mut wide = false;
    while rest.len() >= 4 {
        let length = usize::from(rest.u16_at(2));
        let field = rest.get(4..4 + length).ok_or("its extra fields break off")?;
        match rest.u16_at(0) {
            SIZES_64 if wide => return Err("it has its 64-bit sizes twice"),
            SIZES_64 => {
                read_sizes(field, sizes)?;
                wide = true;
            }
            UNICODE_NAME => {
                let name = field.get(5..).ok_or("its name in Unicode breaks off")?;
                *unicode = Some(Unicode { crc32: field.u32_at(1), name });
            }
            _ => {}
        }
        rest = rest.get(4 + length..).unwrap_or_default();
    }
    Ok(())
}

/// The extra fields whose number satisfies `kept`, each with its number and length.
pub(crate) fn filtered(mut rest: &[u8], kept: impl Fn(u16) -> bool) -> Vec<u8> {
    let mut out = Vec::new();
    while rest.len() >= 4 {
        let (field, others) = rest.split_at((4 + usize::from(rest.u16_at(2))).min(rest.len()));
        if kept(field.u16_at(0)) {
            out.extend_from_slice(field);
        }
        rest = others;
    }
    out
}

/// Reads the 64-bit sizes. The field has only the values for which the record has all bits set, in this order.
fn read_sizes(field: &[u8], sizes: &mut Sizes) -> Result<(), &'static str> {
    let mut at = 0;
    for value in [&mut sizes.size, &mut sizes.compressed, &mut sizes.header] {
        if *value == u64::from(u32::MAX) {
            if field.len() < at + 8 {
                return Err("its 64-bit sizes break off");
            }
            *value = field.u64_at(at);
            at += 8;
        }
    }
    Ok(())
}
