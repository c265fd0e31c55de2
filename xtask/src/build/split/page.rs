//! The split of the page: the start screen, the bar with a verdict and the first list stay; other views, and what is drawn from answers of the
//! worker, go to the rest. The worker answers questions only when its own rest is there, which `boot.js` hands over after the rest of the page.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use walrus::{Function, FunctionId, FunctionKind, passes};

use super::{parse, parts, replace_body};
use crate::process::timed;

/// Parts of the names of functions that are not needed before an answer has come. A name that is missing here costs size, and one that is
/// wrong a wait (`rest.spec.ts` looks for it), never an error.
const LATER: [&str; 30] = [
    "evalcheck_page::state::view::View>::draw",
    "evalcheck_page::components::list::Rows>::",
    "evalcheck_page::components::answers::",
    "evalcheck_page::components::attachment::",
    "evalcheck_page::components::copy_menu::",
    "evalcheck_page::components::detail::of_selected",
    "evalcheck_page::components::editor::",
    "evalcheck_page::components::file_map::",
    "evalcheck_page::components::finding::",
    "evalcheck_page::components::fix_card::",
    "evalcheck_page::components::line_text::",
    "evalcheck_page::components::markdown::",
    "evalcheck_page::components::mistakes::",
    "evalcheck_page::components::rule::",
    "evalcheck_page::components::sample::",
    "evalcheck_page::components::source::",
    "evalcheck_page::components::suggestions::",
    "evalcheck_page::components::token::",
    "evalcheck_page::components::tool_call::",
    "evalcheck_page::components::turn::",
    "evalcheck_page::display::excerpt::",
    "evalcheck_page::display::json_tokens::",
    "evalcheck_page::display::tool_results::",
    "evalcheck_page::display::word_diff::",
    "evalcheck_page::platform::boot::parsed_rules",
    "evalcheck_report::overview::",
    "evalcheck_report::view::",
    "evalcheck_wire::findings::",
    "evalcheck_wire::question::Answer",
    "similar::",
];

/// The lists that can be in front at first, and the table of answers from which they are drawn.
const FIRST: [&str; 6] = [
    "evalcheck_page::state::answers::",
    "evalcheck_page::state::items::",
    "evalcheck_page::views::findings::",
    "evalcheck_page::views::finding_groups::",
    "evalcheck_page::views::lines::",
    "evalcheck_page::views::records::",
];

/// Functions with fewer instructions stay: one that several types share has the name of any of them.
const SMALL: u64 = 80;

/// Splits the page's module. `page` becomes its first part.
pub(in crate::build) fn split_page(page: &Path, rest: &Path) -> Result<()> {
    let whole = fs::read(page).context("there is no page to split")?;
    timed("splitting the page", || {
        let (first, later) = parts(&whole, &needed_at_first(&whole)?)?;
        fs::write(page, first)?;
        fs::write(rest, later).context("cannot write the rest of the page")
    })
}

/// The numbers of the functions that stay: all but those with a name of the rest, and those that only they call.
fn needed_at_first(whole: &[u8]) -> Result<HashSet<usize>> {
    let mut module = parse(whole)?;
    let all: Vec<FunctionId> = module.funcs.iter().map(Function::id).collect();
    let later: HashSet<FunctionId> =
        module.funcs.iter().filter(|it| is_later(it)).map(Function::id).collect();
    ensure!(!later.is_empty(), "no function of the page has a name of its rest");
    // What only these functions call is not called any more.
    for id in &later {
        replace_body(&mut module, *id, |body, _| {
            body.unreachable();
        });
    }
    passes::gc::run(&mut module);
    let called: HashSet<FunctionId> = module.funcs.iter().map(Function::id).collect();
    let stays = |id: &FunctionId| called.contains(id) && !later.contains(id);
    Ok((0..).zip(all).filter(|(_, id)| stays(id)).map(|(number, _)| number).collect())
}

fn is_later(function: &Function) -> bool {
    let name = without_hashes(function.name.as_deref().unwrap_or_default());
    let is_large = matches!(&function.kind, FunctionKind::Local(local) if local.size() >= SMALL);
    let has_part = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    is_large && has_part(&LATER) && !has_part(&FIRST)
}

/// A name without the hashes of crates: `evalcheck_page[5f9ceabba7ef7a1a]::main`.
fn without_hashes(name: &str) -> String {
    name.split('[').map(|part| part.split_once(']').map_or(part, |(_, after)| after)).collect()
}

#[cfg(test)]
mod tests {
    use walrus::{FunctionBuilder, Module, ModuleConfig};

    use super::*;

    #[test]
    fn functions_that_only_the_rest_calls_go_with_it() {
        let mut module = Module::with_config(ModuleConfig::new());
        let mut add = |name: &str, size: u64, calls: &[FunctionId]| {
            let mut function = FunctionBuilder::new(&mut module.types, &[], &[]);
            function.name(name.to_owned());
            let mut body = function.func_body();
            for call in calls {
                body.call(*call);
            }
            for _ in 0..size {
                body.i32_const(0).drop();
            }
            function.finish(vec![], &mut module.funcs)
        };
        let of_both = add("of_both", SMALL, &[]);
        let of_rest = add("of_rest", SMALL, &[]);
        let detail = "evalcheck_page[5f9ceabba7ef7a1a]::components::detail::of_selected";
        let large = add(detail, SMALL, &[of_both, of_rest]);
        let small = add(&format!("{detail}::{{closure#0}}"), 1, &[]);
        let main = add("main", 1, &[of_both, large, small]);
        module.exports.add("main", main);
        let whole = module.emit_wasm();

        let stay = needed_at_first(&whole).unwrap();
        let names = parse(&whole).unwrap();
        let mut staying: Vec<_> = (0..)
            .zip(names.funcs.iter())
            .filter(|(number, _)| stay.contains(number))
            .filter_map(|(_, function)| function.name.clone())
            .collect();
        staying.sort();
        assert_eq!(staying, [format!("{detail}::{{closure#0}}"), "main".to_owned(), "of_both".to_owned()]);
        assert_eq!(without_hashes(detail), "evalcheck_page::components::detail::of_selected");
    }
}
