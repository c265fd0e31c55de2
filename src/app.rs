//! The page: state, browser and components put together.

use yew::prelude::*;

use crate::components::{header, overlay, overview, results, start};
use crate::platform::{self, Host, Pick};
use crate::state::{Action, State};

/// Begins.
pub(crate) fn mount() {
    let renderer = match platform::root() {
        Some(root) => yew::Renderer::<App>::with_root(root),
        None => yew::Renderer::<App>::new(),
    };
    renderer.render();
}

/// The page. Its messages are the actions of the state; what follows from them is carried out by the host.
struct App {
    state: State,
    host: Host,
    dispatch: Callback<Action>,
    on_chosen: Callback<Event>,
    choose: Callback<Pick>,
    input: NodeRef,
}

impl Component for App {
    type Message = Action;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let dispatch = ctx.link().callback(|action: Action| action);
        let (state, begin) = State::new(platform::remembered_theme(), platform::embed_options());
        let mut host = Host::new(dispatch.clone());
        for effect in begin {
            host.run(effect);
        }
        let input = NodeRef::default();
        let choose = {
            let input = input.clone();
            Callback::from(move |pick| platform::open_picker(&input, pick))
        };
        Self { state, on_chosen: host.on_chosen(), host, dispatch, choose, input }
    }

    fn update(&mut self, _ctx: &Context<Self>, action: Action) -> bool {
        for effect in self.state.update(action, platform::now_ms()) {
            self.host.run(effect);
        }
        !self.state.skip_render
    }

    fn view(&self, _ctx: &Context<Self>) -> Html {
        let state = &self.state;
        let dispatch = &self.dispatch;
        let is_busy = state.check.is_some() || state.batch.is_some();
        // The first screen has a place of its own for it.
        let refused = state.refused.as_ref().filter(|_| is_busy);
        html! {
            <>
                { header(state.theme, dispatch) }
                <main class={if is_busy { "results" } else { "start" }}>
                    if let Some(check) = &state.check {
                        { results(state, check, dispatch) }
                    } else if let Some(batch) = &state.batch {
                        { overview(state, batch, dispatch) }
                    } else {
                        { start(state, &self.choose, dispatch) }
                    }
                    <input
                        ref={&self.input}
                        class="visually-hidden"
                        type="file"
                        multiple=true
                        tabindex="-1"
                        aria-label="Files to check"
                        onchange={&self.on_chosen}
                    />
                </main>
                { overlay(state, refused, dispatch) }
                <p class="visually-hidden" role="status" aria-live="polite" data-testid="status">{ state.status() }</p>
            </>
        }
    }
}
