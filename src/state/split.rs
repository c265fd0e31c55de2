//! How lists and details share the width of the window.

/// How lists and details share the width of a wide window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Split {
    /// The part of the width that the lists have, in percent.
    list_percent: u8,
    /// The details have all of it for now.
    pub(crate) is_whole: bool,
}

impl Default for Split {
    fn default() -> Self {
        Self { list_percent: 50, is_whole: false }
    }
}

impl Split {
    /// The smallest and the largest part of the lists, in percent.
    pub(crate) const RANGE: (u8, u8) = (20, 80);

    /// Lists with a part of the width that is as near to this as both can be used.
    pub(crate) fn of_list(percent: u8) -> Self {
        let (least, most) = Self::RANGE;
        Self { list_percent: percent.clamp(least, most), is_whole: false }
    }

    /// The details have the whole window, or no longer.
    pub(crate) fn toggled(self) -> Self {
        Self { is_whole: !self.is_whole, ..self }
    }

    /// The part of the width that the lists have when they are shown, in percent.
    pub(crate) fn list_percent(self) -> u8 {
        self.list_percent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_stay_usable() {
        assert_eq!([0, 35, 255].map(|percent| Split::of_list(percent).list_percent()), [20, 35, 80]);
        let whole = Split::of_list(35).toggled();
        assert!(whole.is_whole);
        assert_eq!(whole.toggled(), Split::of_list(35));
    }
}
