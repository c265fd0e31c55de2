//! The catalogue in the types of the wire.

use std::collections::BTreeMap;

use evalcheck_core::order::Order;
use evalcheck_wire::catalogue::{Catalogue, Example, FormatInfo, RuleExample, RuleInfo, ShortName};

use crate::formats::{FORMATS, Formats};

/// All formats and rules, for selectors and help.
pub fn catalogue() -> Catalogue {
    catalogue_of(FORMATS)
}

/// The catalogue of these formats.
pub fn catalogue_of(formats: Formats) -> Catalogue {
    let infos = formats.iter().map(|format| FormatInfo {
        id: format.id.to_owned(),
        title: format.about.title.to_owned(),
        system: format.about.system.to_owned(),
        link: format.about.link.to_owned(),
        expected: format.detection.expected.to_owned(),
        extensions: format.detection.extensions.iter().map(|&extension| extension.to_owned()).collect(),
        versions: format.versions().into_iter().map(str::to_owned).collect(),
        summary: format.about.summary.to_owned(),
        loader: format.loader.source.to_owned(),
        is_loader_known: format.loader.is_known,
        names: format
            .names()
            .map(|short| ShortName {
                name: short.name.to_owned(),
                paths: short.paths,
                help: short.help.to_owned(),
            })
            .collect(),
        examples: format
            .examples
            .iter()
            .map(|example| Example {
                id: example.id.to_owned(),
                title: example.title.to_owned(),
                file_name: example.file_name.to_owned(),
                content: example.content(),
            })
            .collect(),
    });
    let mut examples: BTreeMap<String, BTreeMap<String, RuleExample>> =
        serde_json::from_str(include_str!("examples.json")).unwrap_or_default();
    let mut rules: Vec<RuleInfo> = crate::rules::of(formats)
        .map(|rule| RuleInfo {
            code: rule.code.to_owned(),
            severity: rule.severity,
            summary: rule.summary.to_owned(),
            title: (!rule.title.is_empty()).then(|| rule.title.to_owned()),
            meaning: rule.meaning.to_owned(),
            fix: rule.fix.map(|fix| fix.as_str().to_owned()),
            other_words: rule.other_words.iter().map(|&words| words.to_owned()).collect(),
            invalid: rule.invalid.to_owned(),
            valid: rule.valid.to_owned(),
            examples: examples.remove(rule.code).unwrap_or_default(),
        })
        .collect();
    rules.order_by(|a, b| a.code.cmp(&b.code));
    Catalogue { formats: infos.collect(), rules }
}
