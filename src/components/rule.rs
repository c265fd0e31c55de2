//! What a rule means.

use std::rc::Rc;

use evalcheck_wire::catalogue::Catalogue;
use yew::prelude::*;

use super::text;

#[derive(Properties, PartialEq)]
pub(crate) struct RulePageProps {
    pub(crate) catalogue: Rc<Catalogue>,
    /// The rule's place in the catalogue.
    pub(crate) rule: usize,
}

/// The rule's page: the same words as in RULES.md.
#[component]
pub(crate) fn RulePage(props: &RulePageProps) -> Html {
    let Some(rule) = props.catalogue.rules.get(props.rule) else { return Html::default() };
    html! {
        <section class="rule" data-testid="rule-detail">
            <h3>{ "What this rule means" }</h3>
            <p class="rule-summary">{ text::prose(&rule.summary) }</p>
            <p>{ text::prose(&rule.meaning) }</p>
            <div class="rule-examples">
                { example("Fails", "failing", &rule.failing) }
                { example("Mended", "mended", &rule.mended) }
            </div>
        </section>
    }
}

fn example(name: &'static str, class: &'static str, shown: &str) -> Html {
    if shown.is_empty() {
        return Html::default();
    }
    html! { <figure class={class}><figcaption>{ name }</figcaption><pre>{ text::block(shown) }</pre></figure> }
}
