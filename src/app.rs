//! The root component: connects the state, the browser and the components.

use evalcheck_wire::worker::CheckId;
use yew::prelude::*;

use crate::components::{header, keys_dialog, notices, overview, question_dialog, results, start};
use crate::map_frame::MapFrame;
use crate::platform::{self, Browser, FocusKeeper, Pick};
use crate::state::{Action, KeyList, State};
use crate::views;

/// Mounts the page.
pub(crate) fn mount() {
    let renderer = match platform::root() {
        Some(root) => yew::Renderer::<App>::with_root(root),
        None => yew::Renderer::<App>::new(),
    };
    renderer.render();
}

/// The page. Its messages are the actions of the state; the browser runs the resulting effects.
struct App {
    state: State,
    browser: Browser,
    dispatch: Callback<Action>,
    on_input: Callback<Event>,
    open_picker: Callback<Pick>,
    input: NodeRef,
    map_frame: MapFrame,
    focus: FocusKeeper,
    /// Whether the page has yet to show the state, see [`Component::rendered`].
    is_rendering: bool,
}

impl Component for App {
    type Message = Action;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let dispatch = ctx.link().callback(|action: Action| action);
        let (mut state, effects) =
            State::new(views::ALL, platform::applied_theme(), platform::embed_options(), platform::address());
        let mut browser = Browser::new(dispatch.clone());
        let stored = [
            Action::SetSplit(platform::stored_split()),
            Action::SetTextMode(platform::stored_text_mode()),
            Action::ShowRule(platform::rule_of_address().filter(|_| state.embed.is_none())),
        ];
        let restored = stored.into_iter().flat_map(|action| state.update(action, platform::now_ms()));
        for effect in effects.into_iter().chain(restored) {
            browser.run(effect);
        }
        let input = NodeRef::default();
        let open_picker = browser.open_picker(&input);
        let on_input = browser.on_input();
        Self {
            state,
            on_input,
            browser,
            dispatch,
            open_picker,
            input,
            map_frame: MapFrame::default(),
            focus: FocusKeeper::default(),
            is_rendering: true,
        }
    }

    fn update(&mut self, _ctx: &Context<Self>, action: Action) -> bool {
        self.focus.note(self.check_id());
        for effect in self.state.update(action, platform::now_ms()) {
            self.browser.run(effect);
        }
        let renders = !self.state.rendering.skip;
        self.is_rendering |= renders;
        if !self.is_rendering {
            self.browser.move_focus();
        }
        renders
    }

    fn rendered(&mut self, _ctx: &Context<Self>, _first_render: bool) {
        self.is_rendering = false;
        self.browser.move_focus();
        let check = self.check_id();
        self.focus.restore(check);
    }

    fn view(&self, _ctx: &Context<Self>) -> Html {
        let state = &self.state;
        let dispatch = &self.dispatch;
        let has_results = state.aside.is_none() && (state.check.is_some() || state.batch.is_some());
        let is_fixing = has_results && state.fixing.is_some();
        html! {
            <>
                { header(state.look.theme, dispatch) }
                <main
                    class={classes!(if has_results { "results" } else { "start" }, is_fixing.then_some("busy"))}
                    aria-busy={is_fixing.then_some("true")}
                >
                    if !has_results {
                        { start(state, &self.open_picker, dispatch) }
                    } else if let Some(check) = &state.check {
                        { results(state, check, &self.map_frame, dispatch) }
                    } else if let Some(batch) = &state.batch {
                        { overview(state, batch, dispatch) }
                    }
                    <input
                        ref={&self.input}
                        class="visually-hidden"
                        type="file"
                        multiple=true
                        tabindex="-1"
                        aria-label="Files to check"
                        onchange={&self.on_input}
                    />
                </main>
                { notices(state, has_results, dispatch) }
                { question_dialog(state, dispatch) }
                { keys_dialog(state.look.keys == KeyList::Shown, state.shortcuts(), dispatch) }
                <p class="visually-hidden" role="status" aria-live="polite" data-testid="status">{ state.status() }</p>
            </>
        }
    }
}

impl App {
    /// The id of the shown check.
    fn check_id(&self) -> Option<CheckId> {
        self.state.check.as_ref().map(|check| check.id)
    }
}
