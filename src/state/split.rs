//! The division of the window between lists and details.

/// The division of a wide window between lists and details.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Split {
    /// The width of the lists, in percent.
    list_percent: u8,
    /// Whether the details temporarily have the whole width.
    pub(crate) is_whole: bool,
}

impl Default for Split {
    fn default() -> Self {
        Self { list_percent: 50, is_whole: false }
    }
}

impl Split {
    /// The minimum and maximum width of the lists, in percent.
    pub(crate) const RANGE: (u8, u8) = (20, 80);

    /// A division with this width of the lists, clamped so that both panes are usable.
    pub(crate) fn of_list(percent: u8) -> Self {
        let (least, most) = Self::RANGE;
        Self { list_percent: percent.clamp(least, most), is_whole: false }
    }

    /// Gives the details the whole window, or restores the division.
    pub(crate) fn toggled(self) -> Self {
        Self { is_whole: !self.is_whole, ..self }
    }

    /// The width of the lists when they are shown, in percent.
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
