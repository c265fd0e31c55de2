//! A sample as `JuryArena` holds it.

use super::SAMPLE;
use crate::loaded::{Held, JsonReader, Loader, Loading};

pub(super) const LOADER: Loader = Loader {
    source: "This is what JuryArena's own schema (Zod) makes of the sample, by the public source of its loader.",
    held,
};

fn held(loading: &Loading<'_>) -> Held {
    let mut sample = Held::read_declared(loading.root, loading.bytes, JsonReader::JavaScript, &SAMPLE);
    // Zod leaves out this key where any key is allowed, in the object itself and not in those within.
    for key in ["json_schema", "usage_output"] {
        let members = sample.get_mut(key).and_then(Held::members_mut);
        for member in members.into_iter().flatten().filter(|member| member.key == "__proto__") {
            member.value.remove("Zod drops a key with this name.");
        }
    }
    sample
}
