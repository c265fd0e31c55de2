//! WebAssembly modules: compiled by cargo, bound to JavaScript by wasm-bindgen, optimised by wasm-opt.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use wasm_bindgen_cli_support::Bindgen;

use super::names::integrity;
use crate::process::{built_files, cargo, output, say, target, timed};
use crate::tools::{self, WASM_TARGET, WasmOpt};

/// The features that rustc emits for the target and for SIMD. They are listed one by one: with all features, wasm-opt emits code that
/// browsers reject.
const WASM_FEATURES: &[&str] = &[
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// The level of wasm-opt. LLVM has optimised already: `-Oz` and `-O3` take three to six times as long, and their output is larger after
/// compression, the engine by 12 kB.
const LEVEL: &str = "-O1";

/// The target of a library. The manifest does not contain `cdylib`: cargo gives the file of such a crate the same name for every set of
/// features, so that one build would replace the library that another links.
const LIBRARY: &[&str] = &["--lib", "--crate-type", "cdylib"];

/// A crate that becomes a module.
struct Source {
    package: &'static str,
    /// The target of the package.
    target: &'static [&'static str],
    /// The name of cargo's file, without its ending.
    file: &'static str,
    /// The name of the module's files.
    name: &'static str,
    bindings: Bindings,
    /// The cargo profile of a release.
    profile: &'static str,
}

/// The way in which JavaScript loads a module.
enum Bindings {
    /// As an ES module.
    Module,
    /// As an ES module that needs the address of its wasm.
    ModuleWithoutAddress,
    /// As a classic script that declares this name: the page starts any number of workers from the text of one.
    Script(&'static str),
}

/// Small: it is loaded before anything is shown.
const PAGE: Source = Source {
    package: "evalcheck-page",
    target: &["--bin", "evalcheck-page"],
    file: "evalcheck-page",
    name: "page",
    bindings: Bindings::Module,
    profile: "page-release",
};

/// Fast: it runs over gigabytes.
const WORKER: Source = Source {
    package: "evalcheck-worker",
    target: LIBRARY,
    file: "evalcheck_worker",
    name: "worker",
    bindings: Bindings::Script("wasm_bindgen"),
    profile: "engine-release",
};

/// Fast, like the worker.
const REGEX: Source = Source {
    package: "evalcheck-regex",
    target: LIBRARY,
    file: "evalcheck_regex",
    name: "regex",
    bindings: Bindings::Script("regex_module"),
    profile: "engine-release",
};

/// Small: it reads a few kB at a time.
const MARKDOWN: Source = Source {
    package: "evalcheck-markdown",
    target: LIBRARY,
    file: "evalcheck_markdown",
    name: "markdown",
    bindings: Bindings::Script("markdown_module"),
    profile: "page-release",
};

/// As small as it gets: most of it are tables, and the regular expressions of a schema.
const SCHEMA: Source = Source {
    package: "evalcheck-schema",
    target: LIBRARY,
    file: "evalcheck_schema",
    name: "schema",
    bindings: Bindings::Script("schema_module"),
    profile: "page-release",
};

/// The modules that a worker loads on first use. `crates/worker/modules.js` knows the names that their scripts declare,
/// `www/boot/boot.js` those of their files.
const ON_DEMAND: [&Source; 3] = [&REGEX, &MARKDOWN, &SCHEMA];

const JAVASCRIPT_API: Source = Source {
    package: "evalcheck-js",
    target: LIBRARY,
    file: "evalcheck_js",
    name: "evalcheck",
    bindings: Bindings::ModuleWithoutAddress,
    profile: "engine-release",
};

/// The module that a check with a schema of the user's own loads. It is compiled as for the page.
const JAVASCRIPT_SCHEMA: Source =
    Source { name: "evalcheck-schema", bindings: Bindings::ModuleWithoutAddress, ..SCHEMA };

/// The files of a module.
pub(super) struct Module {
    name: &'static str,
    /// The name that its script declares, if it is a classic script.
    global: Option<&'static str>,
    /// The script that loads the module.
    script: PathBuf,
    pub(super) wasm: PathBuf,
}

impl Module {
    /// The text of the script.
    pub(super) fn script(&self) -> Result<String> {
        fs::read_to_string(&self.script).with_context(|| format!("cannot read {}", self.script.display()))
    }

    /// The text of a script that can be joined with others, because it declares only one name.
    pub(super) fn joinable_script(&self) -> Result<String> {
        let script = self.script()?;
        let is_joinable = self.global.is_some_and(|global| script.contains(&format!("let {global} = ")));
        ensure!(is_joinable, "wasm-bindgen wrote no script for {} that can be joined with others", self.name);
        Ok(script)
    }

    /// The name of its wasm file in the folder of the worker.
    pub(super) fn file_name(&self) -> String {
        on_demand_file(self.name)
    }
}

/// The names of the files of the modules that a worker loads on first use.
pub(super) fn on_demand_files() -> impl Iterator<Item = String> {
    ON_DEMAND.into_iter().map(|source| on_demand_file(source.name))
}

fn on_demand_file(name: &str) -> String {
    format!("{name}.wasm")
}

/// The modules of the page.
pub(super) struct Modules {
    /// The page and the engine are optimised after they were split.
    pub(super) page: Module,
    pub(super) worker: Module,
    /// The modules that a worker loads on first use.
    pub(super) on_demand: Vec<Module>,
    wasm_opt: Option<WasmOpt>,
}

impl Modules {
    /// Optimises a file for a release, if there is an optimiser.
    pub(super) fn optimize(&self, wasm: &Path) -> Result<()> {
        self.wasm_opt.iter().try_for_each(|wasm_opt| optimize(wasm_opt, wasm))
    }
}

/// Builds the modules of the page, into `target/page/`. The page itself takes as long as all others together, and is built in parallel
/// with them.
pub(super) fn modules(release: bool) -> Result<Modules> {
    let folder = crate::root().join("target").join("page");
    tools::wasm_target()?;
    let wasm_opt = wasm_opt(release);
    let optimized = |source| module(source, wasm_opt.as_ref(), release, &folder);
    let (page, worker, on_demand) = std::thread::scope(|scope| -> Result<_> {
        let page = scope.spawn(|| module(&PAGE, None, release, &folder));
        let worker = module(&WORKER, None, release, &folder)?;
        let on_demand = ON_DEMAND.into_iter().map(optimized).collect::<Result<_>>()?;
        let page = page.join().map_err(|_| anyhow!("building {} panicked", PAGE.package))?;
        Ok((page?, worker, on_demand))
    })?;
    Ok(Modules { page, worker, on_demand, wasm_opt })
}

/// The modules of the JavaScript API.
pub(super) struct JavascriptApi {
    pub(super) engine: Module,
    pub(super) schema: Module,
}

/// Builds them into `target/js/`. They share compiled crates with those of the page, so a release builds faster than any other profile; only
/// wasm-opt takes long.
pub(super) fn javascript_api(optimized: bool) -> Result<JavascriptApi> {
    let folder = crate::root().join("target").join("js");
    tools::wasm_target()?;
    let wasm_opt = wasm_opt(optimized);
    let built = |source| module(source, wasm_opt.as_ref(), true, &folder);
    Ok(JavascriptApi { engine: built(&JAVASCRIPT_API)?, schema: built(&JAVASCRIPT_SCHEMA)? })
}

/// The optimiser for a release, if it is available.
fn wasm_opt(release: bool) -> Option<WasmOpt> {
    if release { tools::wasm_opt() } else { None }
}

/// Compiles a crate and returns its wasm file.
fn compile(source: &Source, release: bool) -> Result<PathBuf> {
    let mut build = cargo();
    // Flags from outside would replace those of .cargo/config.toml, and the scanner would lose SIMD.
    build.args(["rustc", "--target", WASM_TARGET, "--package", source.package]).args(source.target);
    build.env_remove("RUSTFLAGS");
    if release {
        build.args(["--profile", source.profile]);
    }
    let files = timed(&format!("compiling {} to WebAssembly", source.package), || built_files(&mut build))?;
    let name = format!("{}.wasm", source.file);
    let file = files.into_iter().find(|file| file.file_name().is_some_and(|file| file == name.as_str()));
    file.with_context(|| format!("cargo built no wasm file for {}", source.package))
}

/// Compiles a crate and makes a module of it.
fn module(source: &Source, wasm_opt: Option<&WasmOpt>, release: bool, folder: &Path) -> Result<Module> {
    let file = compile(source, release)?;
    timed(&format!("binding {} to JavaScript", source.package), || bind(source, &file, release, folder))?;
    let module = Module {
        name: source.name,
        global: match source.bindings {
            Bindings::Script(global) => Some(global),
            Bindings::Module | Bindings::ModuleWithoutAddress => None,
        },
        script: folder.join(format!("{}.js", source.name)),
        wasm: folder.join(format!("{}_bg.wasm", source.name)),
    };
    if let Some(wasm_opt) = wasm_opt {
        optimize(wasm_opt, &module.wasm)?;
    }
    Ok(module)
}

fn bind(source: &Source, file: &Path, release: bool, folder: &Path) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(file)
        .out_name(source.name)
        .typescript(false)
        .omit_default_module_path(matches!(source.bindings, Bindings::ModuleWithoutAddress))
        .remove_producers_section(release);
    match source.bindings {
        Bindings::Module | Bindings::ModuleWithoutAddress => bindgen.web(true)?,
        Bindings::Script(name) => bindgen.no_modules(true)?.no_modules_global(name)?,
    };
    let mut output = bindgen.generate_output()?;
    ensure!(
        output.snippets().values().all(Vec::is_empty) && output.local_modules().is_empty(),
        "{} brings scripts of its own, which the build does not carry along",
        source.package
    );
    output.emit(folder)
}

/// Optimises a module in place. The result is kept for builds in which the module has not changed.
fn optimize(wasm_opt: &WasmOpt, wasm: &Path) -> Result<()> {
    let folder = target().join("wasm-opt");
    fs::create_dir_all(&folder)?;
    let name = wasm.file_name().unwrap_or_default().display();
    let (kept, kept_for) = (folder.join(name.to_string()), folder.join(format!("{name}.input")));
    let input = format!("{LEVEL} {}", integrity(fs::read(wasm)?));
    if kept.is_file() && fs::read_to_string(&kept_for).is_ok_and(|known| known == input) {
        fs::copy(&kept, wasm)?;
        return Ok(());
    }
    let mut command = wasm_opt.command();
    command.args(WASM_FEATURES).args([LEVEL, "--strip-debug", "--strip-producers"]);
    timed(&format!("wasm-opt {LEVEL} {name}"), || output(command.arg(wasm).arg("-o").arg(&kept)))?;
    let kilobytes = |file: &Path| fs::metadata(file).map(|file| file.len().div_ceil(1000));
    say(format!("{name}: from {} kB to {} kB", kilobytes(wasm)?, kilobytes(&kept)?));
    fs::copy(&kept, wasm)?;
    fs::write(kept_for, input)?;
    Ok(())
}
