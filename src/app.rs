//! The page: state, browser and components put together.

use yew::prelude::*;

use crate::components::{Header, Overlay, Results, Start};
use crate::platform::{self, Host};
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
    choose: Callback<()>,
    input: NodeRef,
}

impl Component for App {
    type Message = Action;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let dispatch = ctx.link().callback(|action: Action| action);
        let (state, begin) = State::new(platform::remembered_theme());
        let mut host = Host::new(dispatch.clone());
        for effect in begin {
            host.run(effect);
        }
        let input = NodeRef::default();
        let choose = {
            let input = input.clone();
            Callback::from(move |()| platform::open_picker(&input))
        };
        Self { state, on_chosen: host.on_chosen(), host, dispatch, choose, input }
    }

    fn update(&mut self, _ctx: &Context<Self>, action: Action) -> bool {
        for effect in self.state.update(action, platform::now_ms()) {
            self.host.run(effect);
        }
        true
    }

    fn view(&self, _ctx: &Context<Self>) -> Html {
        let state = &self.state;
        let dispatch = &self.dispatch;
        html! {
            <>
                <Header theme={state.theme} {dispatch} />
                if let Some(check) = &state.check {
                    <Results
                        {check}
                        catalogue={&state.catalogue}
                        engine={&state.engine}
                        format={&state.format}
                        notice={state.notice}
                        {dispatch}
                    />
                } else {
                    <Start
                        catalogue={&state.catalogue}
                        engine={&state.engine}
                        format={&state.format}
                        pasting={state.pasting}
                        refused={&state.refused}
                        choose={&self.choose}
                        {dispatch}
                    />
                }
                <Overlay dragging={state.dragging} refused={state.check.as_ref().and(state.refused.clone())} />
                <input
                    ref={&self.input}
                    class="visually-hidden"
                    type="file"
                    tabindex="-1"
                    aria-label="File to check"
                    onchange={&self.on_chosen}
                />
                <p class="visually-hidden" role="status" aria-live="polite" data-testid="status">{ state.status() }</p>
            </>
        }
    }
}
