//! A sample as `JuryArena` loads it.

use memchr::memmem;

use super::SAMPLE;
use crate::diagnose::SchemaProblem;
use crate::loaded::{Held, JsonReader, Loader, Loading, rule_loss};
use evalcheck_core::finding::{Finding, Step};

pub(super) const LOADER: Loader = Loader {
    source: "This is what JuryArena's own schema (Zod) makes of the sample, by the public source of its loader.",
    is_known: true,
    held,
    may_differ,
    loss: rule_loss,
    wording: zod,
    ..Loader::UNKNOWN
};

/// JuryArena's loader parses with Zod 3. For the alternatives of a union Zod says only `Invalid input`, and our message says which was
/// meant.
fn zod(finding: &Finding) -> Option<&'static str> {
    let is_union = |key: &str| matches!(key, "content" | "type" | "usage_output");
    let last = finding.location.path.as_ref().and_then(|path| path.0.last());
    let at_union = matches!(last, Some(Step::Key(key)) if is_union(key));
    let verbatim = matches!(
        finding.problem.downcast_ref(),
        Some(
            SchemaProblem::MissingKey { .. }
                | SchemaProblem::WrongType { .. }
                | SchemaProblem::EnumValue { .. }
        )
    );
    (verbatim && !at_union).then_some("zod")
}

/// Unknown keys, repeated keys and inexact integers have findings. The key that Zod drops has none, and may be written with escapes.
fn may_differ(record: &[u8]) -> bool {
    memmem::find(record, b"__proto__").is_some() || memmem::find(record, b"\\u").is_some()
}

fn held(loading: &Loading<'_>) -> Held {
    let mut sample = Held::read_declared(loading.root, loading.bytes, JsonReader::JavaScript, &SAMPLE);
    // Zod omits this key where any key is allowed, in the object itself but not in nested ones.
    for key in ["json_schema", "usage_output"] {
        let members = sample.get_mut(key).and_then(Held::members_mut);
        for member in members.into_iter().flatten().filter(|member| member.key == "__proto__") {
            member.value.remove("Zod drops a key with this name.");
        }
    }
    sample
}
