//! The description of a rule.

use evalcheck_wire::catalogue::RuleInfo;
use yew::prelude::*;

use super::text;

/// The description of a rule, as in docs/rules, with the example for a format.
pub(super) fn rule_page(rule: &RuleInfo, format: &str) -> Html {
    let (invalid, valid) = rule.example(format);
    html! {
        <section class="rule" data-testid="rule-detail">
            <h4>{ "What this rule means" }</h4>
            <p class="rule-summary">{ text::with_code(&rule.summary) }</p>
            <p>{ text::with_code(&rule.meaning) }</p>
            if !rule.other_words.is_empty() {
                <p class="muted">{ "Loaders say:" }</p>
                <ul class="other-words">
                    for words in &rule.other_words {
                        <li><code>{ words }</code></li>
                    }
                </ul>
            }
            <div class="rule-examples">
                { example("Not valid", "invalid", invalid) }
                { example("Fixed", "valid", valid) }
            </div>
        </section>
    }
}

fn example(title: &'static str, class: &'static str, text: &str) -> Html {
    if text.is_empty() {
        return Html::default();
    }
    html! { <figure class={class}><figcaption>{ title }</figcaption><pre>{ text::block(text) }</pre></figure> }
}
