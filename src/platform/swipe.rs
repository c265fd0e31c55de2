//! Swipes over the details on a narrow screen, which lead to the next or previous row of the list.

use std::cell::Cell;
use std::rc::Rc;

use gloo_events::EventListener;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, PointerEvent};
use yew::Callback;

use super::layout;
use crate::state::{Action, Direction, Focus, Key};

/// The minimum length of a swipe, in CSS pixels.
const LENGTH: i32 = 60;

/// Listens on the document. If the browser takes the movement for scrolling, the pointer is cancelled and never released.
pub(super) fn listen(dispatch: &Callback<Action>) -> Option<[EventListener; 2]> {
    let (document, dispatch) = (web_sys::window()?.document()?, dispatch.clone());
    let start = Rc::new(Cell::new(None));
    let pressed = {
        let start = Rc::clone(&start);
        EventListener::new(&document, "pointerdown", move |event| start.set(place(event)))
    };
    let released = EventListener::new(&document, "pointerup", move |event| {
        if let Some(direction) = start.take().zip(place(event)).and_then(|(from, to)| direction(from, to)) {
            dispatch.emit(Action::Key(Key::Row(direction), Focus::Details));
        }
    });
    Some([pressed, released])
}

/// The position of a finger that is on the details of a narrow screen.
fn place(event: &Event) -> Option<(i32, i32)> {
    let event = event.dyn_ref::<PointerEvent>().filter(|event| event.pointer_type() == "touch")?;
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let is_on_details = layout::is_narrow() && target.closest(".detail-body").ok()?.is_some();
    is_on_details.then(|| (event.client_x(), event.client_y()))
}

fn direction(from: (i32, i32), to: (i32, i32)) -> Option<Direction> {
    let (right, down) = (to.0 - from.0, to.1 - from.1);
    let is_swipe = right.abs() >= LENGTH && right.abs() > 2 * down.abs();
    is_swipe.then_some(if right < 0 { Direction::Next } else { Direction::Previous })
}
