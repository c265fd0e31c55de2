//! Views: the tabs of the results. The page knows them by this trait alone; each is in a file of its own under `src/views`.

use std::fmt;
use std::rc::Rc;

use evalcheck_report::view::Direction;
use evalcheck_wire::catalogue::Catalogue;
use evalcheck_wire::findings::MapPart;
use yew::prelude::*;

use super::State;
use super::action::Action;
use super::answers::Wanted;
use super::check::Check;
use super::effect::Effect;
use super::preview::{Preview, Selection};
use super::view_id::ViewId;
use crate::map_frame::MapFrame;

/// The name of a view.
#[derive(Debug, Clone, Copy)]
pub(crate) struct About {
    /// Its id.
    pub(crate) id: ViewId,
    /// Its name, on its tab.
    pub(crate) name: &'static str,
    /// The description of the key that shows it.
    pub(crate) help: &'static str,
}

/// The number on the tab of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Count {
    /// There is none.
    None,
    /// It is not known yet.
    Unknown,
    /// The number.
    Of(u64),
}

impl From<Option<u64>> for Count {
    fn from(count: Option<u64>) -> Self {
        count.map_or(Self::Unknown, Self::Of)
    }
}

/// The data from which a view is drawn.
#[derive(Clone, Copy)]
pub(crate) struct Shown<'a> {
    /// The check that is shown.
    pub(crate) check: &'a Check,
    /// Formats and rules.
    pub(crate) catalogue: &'a Rc<Catalogue>,
    /// The frame on the map beside the list.
    pub(crate) frame: &'a MapFrame,
    /// Takes actions.
    pub(crate) dispatch: &'a Callback<Action>,
}

impl<'a> Shown<'a> {
    /// The part of the page that the user sees.
    pub(crate) fn preview(&self) -> &'a Preview {
        &self.check.preview
    }
}

/// A view. Only [`View::about`], [`View::applies`] and [`View::draw`] have to be written.
///
/// A view asks for nothing: it says which answers it needs, and draws what is there of them. What the user has chosen in it is a type of
/// its own in [`Preview::chosen`].
pub(crate) trait View {
    /// Its name.
    fn about(&self) -> About;

    /// Whether it is offered for this check.
    fn applies(&self, check: &Check) -> bool;

    /// The number on its tab, unless the bar says it.
    fn count(&self, _check: &Check) -> Count {
        Count::None
    }

    /// The answers that it needs, of a check with a report. Also called when it is not in front.
    fn wants(&self, _check: &Check) -> Vec<Wanted> {
        Vec::new()
    }

    /// Does what follows from answers. Called after each action.
    fn settle(&self, _state: &mut State, _effects: &mut Vec<Effect>) {}

    /// The user selected a row of its list, from 0; `open` brings the details to the front on a narrow screen.
    fn select(&self, _state: &mut State, _row: u64, _open: bool, _effects: &mut Vec<Effect>) {}

    /// Selects the next or previous match or mistake.
    fn go_on(&self, _state: &mut State, _direction: Direction, _effects: &mut Vec<Effect>) {}

    /// Whether the filter applies to it.
    fn has_filter(&self, _check: &Check) -> bool {
        false
    }

    /// Whether the map of the file is beside it.
    fn has_map(&self, _check: &Check) -> bool {
        false
    }

    /// Whether it has the whole width, because nothing in it has details.
    fn is_undivided(&self) -> bool {
        false
    }

    /// The selection after a click on a part of the map.
    fn of_map(&self, part: &MapPart) -> Selection {
        Selection::Finding(part.first)
    }

    /// Whether it is in front again after a change of the file that was made in it.
    fn resumes(&self, _check: &Check) -> bool {
        false
    }

    /// The selection after a file was added to the archive.
    fn added(&self, _check: &Check) -> Option<Selection> {
        None
    }

    /// The check of another state of the file, or of another file, takes the place of this one: forgets what was chosen for this one alone,
    /// and releases what the view holds.
    fn leave(&self, _state: &mut State, _effects: &mut Vec<Effect>) {}

    /// Draws it.
    fn draw(&self, shown: &Shown<'_>) -> Html;

    /// Draws the details of what is selected, if the view alone knows what that is.
    fn draw_details(&self, _shown: &Shown<'_>) -> Option<Html> {
        None
    }
}

/// All views, in the order of their tabs.
#[derive(Clone, Copy, Default)]
pub(crate) struct Views(pub(crate) &'static [&'static dyn View]);

impl fmt::Debug for Views {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|view| view.about().id)).finish()
    }
}

impl PartialEq for Views {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Views {
    /// The view with this name in the address of the page.
    pub(crate) fn named(self, name: &str) -> Option<&'static dyn View> {
        self.0.iter().find(|view| view.about().id.0 == name).copied()
    }

    /// The views that are offered for this check.
    pub(crate) fn all_offered(self, check: &Check) -> impl Iterator<Item = &'static dyn View> {
        self.0.iter().copied().filter(|view| view.applies(check))
    }

    /// The view with this id, if it is offered for this check.
    pub(crate) fn offered(self, id: ViewId, check: &Check) -> Option<&'static dyn View> {
        self.named(id.0).filter(|view| view.applies(check))
    }

    /// The view in front: the one that the user chose if it is offered, else the findings.
    pub(crate) fn front(self, check: &Check) -> Option<&'static dyn View> {
        self.offered(check.preview.view, check).or_else(|| self.named(ViewId::FINDINGS.0))
    }
}
