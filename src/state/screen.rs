//! The screens of the page, which are entries of the browser's history.

use super::address::Step;
use super::dataset::FileKey;
use super::format_choice::FormatChoice;
use super::user_schema::UserSchema;

/// A screen. An entry of the history names it by numbers, which tell nothing about a dataset. The default is the start screen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Screen {
    /// The first of the files that were opened; none on the start screen.
    pub(crate) opened: Option<FileKey>,
    /// The index of the shown file, if several were opened; none for their list.
    pub(crate) file: Option<usize>,
}

/// The start screen is shown, and the results stay open for the way back.
#[derive(Debug, Clone)]
pub(crate) struct Aside {
    /// The format of the results: the user may choose another one for the next file.
    pub(super) format: Option<FormatChoice>,
    /// Their schema, likewise.
    pub(super) schema: UserSchema,
}

impl Screen {
    /// How the history records it after another screen.
    pub(super) fn step_from(self, before: Self) -> Step {
        let is_replaced = self.opened != before.opened && self.opened.is_some() && before.opened.is_some();
        if is_replaced || self.file.is_some() && before.file.is_some() { Step::Replaced } else { Step::New }
    }

    /// The state of its entry in the history.
    pub(crate) fn to_state(self) -> String {
        let Some(FileKey(opened)) = self.opened else { return String::new() };
        self.file.map_or_else(|| opened.to_string(), |file| format!("{opened} {file}"))
    }

    /// The screen of an entry with this state.
    pub(crate) fn from_state(state: &str) -> Self {
        let mut numbers = state.split(' ');
        let opened = numbers.next().and_then(|key| key.parse().ok()).map(FileKey);
        Self { opened, file: numbers.next().and_then(|file| file.parse().ok()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screen_is_read_as_it_was_written() {
        let screens = [
            Screen::default(),
            Screen { opened: Some(FileKey(7)), file: None },
            Screen { opened: Some(FileKey(7)), file: Some(30) },
        ];
        for screen in screens {
            assert_eq!(Screen::from_state(&screen.to_state()), screen);
        }
        assert_eq!(Screen::from_state("of another page"), Screen::default());
    }
}
