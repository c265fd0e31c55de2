//! The keys of the records as a tree, with their types and in how many records each of them is.

use std::iter::Peekable;

use evalcheck_render::overview::sections::types_in_words;
use evalcheck_report::ROOT_PATH;
use evalcheck_report::overview::{Overview, PathFacts};
use evalcheck_wire::question::{Answer, Question};
use yew::prelude::*;

use super::overview::{overview_or_progress, wanted_by};
use crate::components::text;
use crate::display::format_number::{counted, grouped};
use crate::state::{About, Check, Remote, SchemaAction, Shown, View, ViewId, Wanted, percent_of};

/// The view of the keys.
pub(super) struct SchemaView;

const ID: ViewId = ViewId::SCHEMA;

impl View for SchemaView {
    fn about(&self) -> About {
        About { id: ID, name: "Schema", help: "Schema: keys, types and presence" }
    }

    fn applies(&self, check: &Check) -> bool {
        check.has_statistics()
    }

    fn wants(&self, check: &Check) -> Vec<Wanted> {
        if !check.wants_schema() {
            return wanted_by(ID, check);
        }
        // The worker keeps the schema from counting the statistics.
        let schema = check.overview().is_some().then_some(Question::Schema);
        [Question::Overview].into_iter().chain(schema).map(Wanted::from).collect()
    }

    fn draw(&self, shown: &Shown<'_>) -> Html {
        match overview_or_progress(shown) {
            Ok(overview) => html! {
                <div class="dataset-overview" data-testid="schema">
                    { json_schema(shown) }
                    { tree(overview) }
                </div>
            },
            Err(progress) => progress,
        }
    }
}

/// A key, and the keys of the objects at it.
struct Node<'a> {
    key: &'a str,
    facts: &'a PathFacts,
    children: Vec<Node<'a>>,
}

/// The keys of records: `paths` lists each of them before those below it.
fn keys(paths: &[PathFacts]) -> Vec<Node<'_>> {
    keys_below(None, &mut paths.iter().filter(|facts| facts.path != ROOT_PATH).peekable())
}

fn keys_below<'a>(
    above: Option<&PathFacts>,
    paths: &mut Peekable<impl Iterator<Item = &'a PathFacts>>,
) -> Vec<Node<'a>> {
    let mut nodes = Vec::new();
    while let Some((key, facts)) = paths.peek().and_then(|facts| Some((key_below(above, facts)?, *facts))) {
        paths.next();
        nodes.push(Node { key, facts, children: keys_below(Some(facts), paths) });
    }
    nodes
}

/// The end of a path that is below another; it may contain periods. `None` if it is not below.
fn key_below<'a>(above: Option<&PathFacts>, facts: &'a PathFacts) -> Option<&'a str> {
    let Some(above) = above else { return Some(&facts.path) };
    let has_keys = above.types.object + above.types.array > 0;
    facts.path.strip_prefix(&above.path)?.strip_prefix('.').filter(|_| has_keys)
}

/// The JSON Schema that fits the records: what to do with it, once it is made.
fn json_schema(shown: &Shown<'_>) -> Html {
    let button = |id: &'static str, class: &'static str, label: &'static str, action: SchemaAction| {
        let onclick = shown.dispatch.reform(move |_| action.clone().into());
        html! { <button type="button" {class} data-testid={id} {onclick}>{ label }</button> }
    };
    let check = shown.check;
    if !check.wants_schema() {
        return html! { <p>{ button("make-json-schema", "", "Make a JSON Schema", SchemaAction::Make) }</p> };
    }
    match check.preview.answers.state(&Question::Schema, Answer::try_as_schema_ref) {
        Some(Remote::Loaded(_)) => html! {
            <div class="made-schema" role="status" data-testid="made-schema">
                <p>
                    <strong class="file-name">{ text::inline(&check.schema_name()) }</strong>
                    { " describes the records as they are: keys that all of them have are required, and no other keys are allowed." }
                </p>
                { button("use-schema", "primary", "Check with it", SchemaAction::UseMade) }
                { button("download-schema", "", "Download", SchemaAction::DownloadMade) }
            </div>
        },
        Some(Remote::Failed(why)) => html! { <p role="status">{ text::inline(&why) }</p> },
        Some(Remote::Stopped(_)) => {
            html! { <p>{ button("make-json-schema", "", "Make a JSON Schema", SchemaAction::Make) }</p> }
        }
        Some(Remote::Waiting(advance)) => {
            html! { <p>{ format!("Making the schema, {} %", percent_of(&advance)) }</p> }
        }
        None => Html::default(),
    }
}

fn tree(overview: &Overview) -> Html {
    html! {
        <>
            <p class="muted">{ format!("The keys of {}.", counted(overview.records, "record")) }</p>
            { list(&keys(&overview.paths), overview.records, overview.records) }
            if overview.at_other_paths > 0 {
                <p class="muted">{ format!("and {} at further paths", counted(overview.at_other_paths, "value")) }</p>
            }
        </>
    }
}

/// Keys with their types, and the keys below them. `above` is the number of records with a value above them, of `all`.
fn list(nodes: &[Node<'_>], above: u64, all: u64) -> Html {
    html! {
        <ul class="schema">
            for Node { key, facts, children } in nodes {
                <li data-testid="schema-key">
                    <span class="mono">
                        if *key == "*" {
                            <em>{ "each element" }</em>
                        } else {
                            { text::inline(key) }
                        }
                    </span>
                    <span class="muted">{ format!(" {}", types_in_words(&facts.types)) }</span>
                    <span class={classes!((facts.records < above).then_some("partial"))}>
                        { presence(facts.records, all) }
                    </span>
                    if !children.is_empty() {
                        { list(children, facts.records, all) }
                    }
                </li>
            }
        </ul>
    }
}

/// In how many records a value is.
fn presence(records: u64, all: u64) -> String {
    if records == all {
        return " in all records".to_owned();
    }
    format!(" in {} of {}", grouped(records), counted(all, "record"))
}

#[cfg(test)]
mod tests {
    use evalcheck_report::overview::TypeCounts;

    use super::*;

    #[test]
    fn paths_are_a_tree() {
        let string = TypeCounts { string: 1, ..TypeCounts::default() };
        let object = TypeCounts { object: 1, ..TypeCounts::default() };
        let facts = |path: &str, types: TypeCounts| PathFacts {
            path: path.to_owned(),
            types,
            ..PathFacts::default()
        };
        let paths = [
            facts("(root)", object),
            facts("input", object),
            facts("input.a.b", string),
            facts("id", string),
            facts("id.of", string),
        ];
        let root = keys(&paths);
        let names =
            |nodes: &[Node<'_>]| -> Vec<String> { nodes.iter().map(|node| node.key.to_owned()).collect() };
        assert_eq!(names(&root), ["input", "id", "id.of"]);
        assert_eq!(names(&root[0].children), ["a.b"]);
        assert_eq!(presence(2, 3), " in 2 of 3 records");
        assert_eq!(presence(3, 3), " in all records");
    }
}
