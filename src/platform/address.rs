//! The fragment of the page's address, and the history of the browser.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use web_sys::UrlSearchParams;
use yew::{AttrValue, Callback};

use super::layout;
use crate::state::{Action, Address, Grouping, Screen, Step, Theme};

/// Milliseconds by which a change of the same entry is delayed.
const WAIT_MS: u32 = 200;

/// The kinds of a list of findings, and their names in the address.
const GROUPINGS: [(Grouping, &str); 2] = [(Grouping::Groups, "yes"), (Grouping::Single, "no")];

/// Reads the place in the results from the page's address, if it has one. Ignores unknown keys and invalid numbers.
pub(crate) fn get() -> Option<Address> {
    let hash = web_sys::window()?.location().hash().ok()?;
    let params = UrlSearchParams::new_with_str(hash.strip_prefix('#')?).ok()?;
    let example = params.get("example").map(AttrValue::from);
    let view = match params.get("list") {
        Some(view) => view.into(),
        None => example.as_ref().map(|_| AttrValue::default())?,
    };
    let grouping = params.get("groups");
    let number = |key: &str| params.get(key)?.parse::<u64>().ok();
    Some(Address {
        view,
        filter: params.get("filter").unwrap_or_default().into(),
        grouping: GROUPINGS
            .into_iter()
            .find(|(_, name)| Some(*name) == grouping.as_deref())
            .map(|(kind, _)| kind),
        line: number("line"),
        record: number("record").and_then(|record| record.checked_sub(1)),
        has_details: params.has("details"),
        theme: params.get("theme").map(|name| Theme::from_name(&name)),
        example,
    })
}

/// The code of the rule named in the address: `#rule=shape/missing-key`.
pub(crate) fn rule() -> Option<AttrValue> {
    let hash = web_sys::window()?.location().hash().ok()?;
    let params = UrlSearchParams::new_with_str(hash.strip_prefix('#')?).ok()?;
    params.get("rule").map(AttrValue::from)
}

/// The address of the page. Browsers refuse many changes in a short time, so changes of the same history entry are delayed and replace each
/// other.
#[derive(Default)]
pub(super) struct AddressBar(Rc<RefCell<Option<Delayed>>>);

/// A delayed change.
struct Delayed {
    address: Option<Address>,
    screen: Screen,
    _timer: Timeout,
}

impl AddressBar {
    /// Changes the address; `None` removes the fragment.
    pub(super) fn set(&self, address: Option<Address>, screen: Screen, step: Step) {
        let is_new = match step {
            Step::Same | Step::Replaced => false,
            Step::New => true,
            Step::NewIfNarrow => layout::is_narrow(),
        };
        let before = self.0.take();
        if is_new && let Some(Delayed { address, screen, .. }) = before {
            write(address.as_ref(), screen, false);
        }
        if is_new || step == Step::Replaced {
            return write(address.as_ref(), screen, is_new);
        }
        let shown = address.clone();
        let timer = Timeout::new(WAIT_MS, move || write(shown.as_ref(), screen, false));
        self.0.replace(Some(Delayed { address, screen, _timer: timer }));
    }

    /// Dispatches the screen and the place to which the user goes back or forward.
    pub(super) fn listen(&self, dispatch: &Callback<Action>) -> Option<EventListener> {
        let window = web_sys::window()?;
        let history = window.history().ok()?;
        // The page begins with the start screen, also when it is loaded again.
        let _ = history.replace_state(&Screen::default().to_state().into(), "");
        let (dispatch, delayed) = (dispatch.clone(), Rc::clone(&self.0));
        Some(EventListener::new(&window, "popstate", move |_| {
            // It is about the entry that was left.
            drop(delayed.take());
            let state = history.state().ok().and_then(|state| state.as_string());
            match (state, get()) {
                (Some(state), place) => {
                    dispatch.emit(Action::GoToScreen(Screen::from_state(&state), place));
                }
                // The user has followed a link, or changed the address.
                (None, Some(place)) => dispatch.emit(Action::GoToAddress(place)),
                (None, None) => {}
            }
            if let Some(rule) = rule() {
                dispatch.emit(Action::ShowRule(Some(rule)));
            }
        }))
    }
}

/// Writes the address and the screen into this history entry or a new one.
fn write(address: Option<&Address>, screen: Screen, is_new: bool) {
    let Some(window) = web_sys::window() else { return };
    let (Ok(history), Ok(path), Ok(search)) =
        (window.history(), window.location().pathname(), window.location().search())
    else {
        return;
    };
    let fragment = address.and_then(fragment).map(|fragment| format!("#{fragment}")).unwrap_or_default();
    let url = format!("{path}{search}{fragment}");
    let state = screen.to_state().into();
    // Fails only for a page without its own address, where there is nothing to change.
    let _ = if is_new {
        history.push_state_with_url(&state, "", Some(&url))
    } else {
        history.replace_state_with_url(&state, "", Some(&url))
    };
}

fn fragment(address: &Address) -> Option<String> {
    let Address { view, filter, grouping, line, record, has_details, theme, example } = address;
    let params = UrlSearchParams::new().ok()?;
    if let Some(example) = example {
        params.append("example", example);
    }
    params.append("list", view);
    if !filter.is_empty() {
        params.append("filter", filter);
    }
    if let Some((_, name)) = GROUPINGS.iter().find(|(kind, _)| Some(*kind) == *grouping) {
        params.append("groups", name);
    }
    if let Some(record) = record {
        params.append("record", &(record + 1).to_string());
    }
    if let Some(line) = line {
        params.append("line", &line.to_string());
    }
    if *has_details {
        params.append("details", "");
    }
    if let Some(theme) = theme {
        params.append("theme", theme.as_str());
    }
    Some(String::from(params.to_string()))
}
