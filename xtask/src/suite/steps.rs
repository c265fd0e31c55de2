//! The steps of `test`.

use super::step::Job::{Browser, Check, Packages, Test};
use super::step::Step;
use super::{native, page, programs, release, wheels};

/// The paths on which most steps depend: all sources of the engine, the command and the page.
const CRATES: &[&str] = &["crates/"];
const PAGE: &[&str] = &["crates/", "src/", "www/", "index.html"];
const CASES: &[&str] = &["tests/cases/"];
const HOSTILE: &[&str] = &["tests/hostile/"];
const CHROMIUM: &[&str] = &["tests/browser/"];
const ORACLE: &[&str] = &["tests/oracle/", "tests/suite.mjs"];

/// All steps, in the order in which they begin: those that take longest or that others wait for come first.
pub(super) const STEPS: &[Step] = &[
    Step::new(Check, "fmt", "formatting", &[PAGE], native::fmt),
    Step::new(Browser, "build", "the page does not build as it is released", &[PAGE], page::build),
    Step::new(Check, "clippy", "lints, and what does not compile", &[PAGE], native::clippy),
    Step::new(
        Test,
        "test",
        "unit tests, golden reports, safe fixes, outputs that agree, documentation tests",
        &[PAGE, CASES, &["docs/", "fuzz/", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "action.yml"]],
        native::test,
    ),
    Step::new(
        Check,
        "generate",
        "generated files are not what the types and rules say",
        &[CRATES, &["docs/rules/", "FORMATS.md", "RULES.md"]],
        native::generated,
    ),
    Step::new(Check, "doc", "documentation with dead links", &[PAGE], native::doc)
        .full("a link in a comment whose target was renamed or removed"),
    Step::new(
        Check,
        "workflows",
        "workflows, the action and its scripts: zizmor, ShellCheck",
        &[&[".github/", "action/", "action.yml", "tests/release/requirements.txt"]],
        release::workflows,
    ),
    Step::new(
        Check,
        "clippy-wasm",
        "lints of what is compiled for wasm alone",
        &[&["crates/core/", "crates/json/"]],
        native::clippy_wasm,
    )
    .full("a lint in one of six places with `cfg(target_arch)`; that they compile, `build` shows"),
    Step::new(Check, "deny", "licences, sources and advisories of dependencies", &[CRATES, &["deny.toml"]], native::deny),
    Step::new(Browser, "examples", "the example sites of the embed do not build", &[PAGE], page::example_sites)
        .full("a documentation site of the examples that no longer builds, or whose embed no longer starts"),
    Step::new(
        Browser,
        "browser",
        "the built page in Chromium",
        &[PAGE, CASES, HOSTILE, ORACLE, CHROMIUM],
        page::in_browser,
    )
    .after(&["build", "examples"]),
    Step::new(Test, "linear", "a check takes more than time in proportion to the bytes", &[CRATES, &["tests/linear/", "tests/suite.mjs"]], programs::linear),
    Step::new(
        Packages,
        "python",
        "the Python package",
        &[CRATES, CASES, &["pyproject.toml", "docs/", ".pre-commit-hooks.yaml"]],
        wheels::step,
    ),
    Step::new(
        Test,
        "loaders",
        "verdicts against the systems' own loaders",
        &[CRATES, ORACLE, &["tests/loaders/"]],
        programs::loaders,
    ),
    Step::new(
        Test,
        "archives",
        "ZIPs against the readers and writers of others",
        &[&["crates/archive/", "crates/cli/", "tests/archives/", "tests/suite.mjs"]],
        programs::archives,
    ),
    Step::new(Packages, "api", "the JavaScript API in Node", &[CRATES, CASES], programs::api),
    Step::new(
        Packages,
        "packages",
        "the npm package in projects that use it",
        &[CRATES, &["tests/suite.mjs"]],
        programs::packages,
    ),
    Step::new(
        Packages,
        "release",
        "the release archive, the GitHub Action, the snippets of docs/ci.md",
        &[CRATES, &["action/", "action.yml", "docs/", "tests/release/", ".github/"]],
        release::release,
    ),
    Step::new(Browser, "size", "the built page exceeds its bounds of size", &[PAGE, &["benches/"]], page::size)
        .after(&["build"]),
    Step::new(Test, "oracle", "messages, paths and order against Zod 3", &[CRATES, ORACLE], programs::oracle),
    Step::new(Test, "corpora", "public suites of JSON, CSV and text", &[CRATES], native::corpora),
    Step::new(
        Browser,
        "firefox",
        "the built page in Firefox",
        &[PAGE, HOSTILE, &["tests/firefox/"]],
        page::in_firefox,
    )
    .after(&["build"]),
    Step::new(
        Test,
        "fuzz",
        "generated inputs against other readers",
        &[CRATES, CASES, &["fuzz/"]],
        native::fuzzed,
    )
    .full(
        "an input that only libFuzzer finds, or a target that no longer compiles; `test` asks the same questions of lines that it \
         makes itself",
    ),
    Step::new(
        Test,
        "instructions",
        "the command takes more instructions than its bounds",
        &[CRATES, &["benches/"]],
        native::instructions,
    )
    .full("a constant factor by which the command becomes slower; `linear` notices what grows with the bytes"),
    Step::new(Packages, "scale", "the recipes of docs/scale.md", &[CRATES, &["docs/scale.md"]], wheels::scale_step)
        .after(&["python"])
        .full("a recipe for DuckDB, Polars or Spark that no longer runs; the API that they use is tested in `python`"),
    Step::new(
        Packages,
        "engines",
        "those for Ray and PySpark, where EVALCHECK_ENGINES names a Python that has them",
        &[CRATES, &["docs/scale.md"]],
        wheels::engines_step,
    )
    .after(&["python"])
    .full("the same for Ray and PySpark"),
    Step::new(
        Browser,
        "trunk",
        "the page that Trunk builds, where a Trunk is in PATH",
        &[PAGE, &["Trunk.toml"]],
        page::trunk,
    )
    .full("`trunk serve`, which few have and the suite does not install"),
    Step::new(
        Browser,
        "lighthouse",
        "what Lighthouse says of the built page",
        &[PAGE, &["tests/lighthouse/"]],
        page::lighthouse,
    )
    .after(&["build"])
    .full("an audit of accessibility or practice that axe does not have; its scores of speed are no guard"),
];
