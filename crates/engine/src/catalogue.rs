//! The catalogue in the types of the wire.

use evalcheck_core::order::Order;
use evalcheck_wire::catalogue::{
    Catalogue, Example, FormatInfo, FormatOption, RuleInfo, RuleName, ShortName,
};

use crate::formats::{FORMATS, Formats};

/// All formats, and the names of all rules, for selectors and help.
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
        options: format
            .options
            .iter()
            .map(|option| FormatOption {
                name: option.name.to_owned(),
                title: option.format.about.title.to_owned(),
                help: option.help.to_owned(),
            })
            .collect(),
        summary: format.about.summary.to_owned(),
        loader: format.loader.source.to_owned(),
        is_loader_known: format.loader.is_known,
        is_detected: format.is_detected(),
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
    let mut rules: Vec<RuleName> = crate::rules::of(formats)
        .map(|rule| RuleName {
            code: rule.code.to_owned(),
            severity: rule.severity,
            summary: rule.summary.to_owned(),
            title: (!rule.title.is_empty()).then(|| rule.title.to_owned()),
        })
        .collect();
    rules.order_by(|a, b| a.code.cmp(&b.code));
    Catalogue { formats: infos.collect(), rules }
}

/// All rules with their pages, ordered by code. `cargo xtask generate` writes the file; the web page loads it by itself.
///
/// ```
/// let rules = evalcheck_engine::catalogue::rules();
/// let rule = rules.iter().find(|rule| rule.code == "shape/missing-key");
/// assert!(rule.is_some_and(|rule| !rule.meaning.is_empty()));
/// ```
pub fn rules() -> Vec<RuleInfo> {
    serde_json::from_str(include_str!("rules.json")).unwrap_or_default()
}
