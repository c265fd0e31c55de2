//! Texts of a list in one. The standard library's `join` is compiled anew for each type of text, with a copy for each of the
//! usual lengths of the separator: half a kilobyte of the worker's wasm, compressed.

/// All texts, with the separator between them.
pub(crate) fn joined<T: AsRef<str>>(texts: &[T], separator: &str) -> String {
    let mut all = String::new();
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            all.push_str(separator);
        }
        all.push_str(text.as_ref());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn a_separator_stands_between_texts_only() {
        for texts in [&[][..], &["a"], &["a", "", "b"], &["", ""]] {
            assert_eq!(joined(texts, ", "), texts.join(", "));
        }
    }
}
