//! What a rule means.

use evalcheck_wire::catalogue::RuleInfo;
use yew::prelude::*;

use super::text;

/// The rule's page: the same words as in RULES.md.
pub(super) fn rule_page(rule: &RuleInfo) -> Html {
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
