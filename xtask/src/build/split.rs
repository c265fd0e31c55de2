//! Splits a module in two: the functions that are needed at first, and the rest, which a page loads afterwards.
//!
//! The rest has the code of its functions, and shares memory, globals and tables with the first module. In place of these functions, the
//! first module has stubs: a stub calls the function through a slot of the table, and before that has the rest loaded if the slot is empty
//! (`www/boot/rest.js`). So every function can be called at any time, and Rust code knows nothing of this.

mod engine;
mod page;

use std::collections::HashSet;

use anyhow::{Context, Result, ensure};
use walrus::ir::{CallIndirect, RefIsNull, Value};
use walrus::{
    ConstExpr, ElementItems, ElementKind, ExportItem, Function, FunctionBuilder, FunctionId, FunctionKind,
    GlobalKind, ImportedFunction, InstrSeqBuilder, LocalId, Module, ModuleConfig, TableId, ValType, passes,
};

pub(super) use self::engine::split_engine;
pub(super) use self::page::split_page;

/// The function of the first module that loads the rest and waits for it.
const LOAD: &str = "load_rest";

/// The module that the rest imports from. `rest.js` knows it.
const FROM: &str = "first";

/// The export by which scripts see that a module is split: the table whose slots the rest fills.
const SLOTS: &str = "slots";

/// Parses a module. What it contains has numbers: positions, which are the same each time that the same bytes are parsed.
fn parse(wasm: &[u8]) -> Result<Module> {
    ModuleConfig::new().generate_name_section(false).generate_producers_section(false).parse(wasm)
}

/// The first module and the rest: one without the functions whose numbers are not in `stay`, and one with them.
fn parts(whole: &[u8], stay: &HashSet<usize>) -> Result<(Vec<u8>, Vec<u8>)> {
    let (mut first, mut rest) = (parse(whole)?, parse(whole)?);
    let goes = |(number, function): &(usize, &Function)| {
        matches!(function.kind, FunctionKind::Local(_)) && !stay.contains(number)
    };
    let moved: Vec<usize> = first.funcs.iter().enumerate().filter(goes).map(|(number, _)| number).collect();
    let shared = keep_only(&mut rest, &moved)?;
    replace(&mut first, &moved, &shared)?;
    Ok((first.emit_wasm(), rest.emit_wasm()))
}

/// Everything that modules can share, by names that are the same in each module that was parsed from the same bytes.
fn items(module: &Module) -> Vec<(String, ExportItem)> {
    let functions = module.funcs.iter().map(|function| ExportItem::Function(function.id()));
    let globals = module.globals.iter().map(|global| ExportItem::Global(global.id()));
    let tables = module.tables.iter().map(|table| ExportItem::Table(table.id()));
    let memories = module.memories.iter().map(|memory| ExportItem::Memory(memory.id()));
    let named = |kind: char, items: Vec<ExportItem>| {
        items.into_iter().enumerate().map(move |(number, item)| (format!("{kind}{number}"), item))
    };
    named('f', functions.collect())
        .chain(named('g', globals.collect()))
        .chain(named('t', tables.collect()))
        .chain(named('m', memories.collect()))
        .collect()
}

/// Removes everything from a module but the functions with these numbers. It imports what they need, and puts them into the slots of the
/// table. Returns the names of the imports.
fn keep_only(rest: &mut Module, numbers: &[usize]) -> Result<HashSet<String>> {
    let functions: Vec<FunctionId> = rest.funcs.iter().map(Function::id).collect();
    let kept: Vec<FunctionId> = numbers.iter().map(|number| functions[*number]).collect();
    let all: HashSet<FunctionId> = kept.iter().copied().collect();
    for export in rest.exports.iter().map(walrus::Export::id).collect::<Vec<_>>() {
        rest.exports.delete(export);
    }
    for import in rest.imports.iter().map(walrus::Import::id).collect::<Vec<_>>() {
        rest.imports.delete(import);
    }
    for segment in rest.data.iter().map(walrus::Data::id).collect::<Vec<_>>() {
        rest.data.delete(segment);
    }
    for segment in rest.elements.iter().map(walrus::Element::id).collect::<Vec<_>>() {
        rest.elements.delete(segment);
    }
    rest.start = None;
    for (name, item) in items(rest) {
        match item {
            ExportItem::Function(id) if all.contains(&id) => {}
            ExportItem::Function(id) => {
                let import = rest.imports.add(FROM, &name, id);
                let function = rest.funcs.get_mut(id);
                function.kind = FunctionKind::Import(ImportedFunction { import, ty: function.ty() });
            }
            ExportItem::Global(id) => {
                rest.globals.get_mut(id).kind = GlobalKind::Import(rest.imports.add(FROM, &name, id));
            }
            ExportItem::Table(id) => {
                let table = rest.tables.get_mut(id);
                table.elem_segments.clear();
                table.import = Some(rest.imports.add(FROM, &name, id));
            }
            ExportItem::Memory(id) => {
                let memory = rest.memories.get_mut(id);
                memory.data_segments.clear();
                memory.import = Some(rest.imports.add(FROM, &name, id));
            }
            ExportItem::Tag(_) => {}
        }
    }
    let (table, first) = add_slots(rest, kept.len())?;
    let offset = ConstExpr::Value(Value::I32(first));
    let filled = rest.elements.add(ElementKind::Active { table, offset }, ElementItems::Functions(kept));
    rest.tables.get_mut(table).elem_segments.insert(filled);
    passes::gc::run(rest);
    Ok(rest.imports.iter().map(|import| import.name.clone()).collect())
}

/// Replaces the functions with these numbers by stubs, and exports what the rest imports.
fn replace(first: &mut Module, numbers: &[usize], shared: &HashSet<String>) -> Result<()> {
    let load = first.exports.get_func(LOAD).context("the module has no function that loads its rest")?;
    let all = items(first);
    let functions: Vec<FunctionId> = first.funcs.iter().map(Function::id).collect();
    let is_moved = numbers.iter().any(|number| functions[*number] == load);
    ensure!(!is_moved, "the function that loads the rest would be in the rest");
    let (table, slot) = add_slots(first, numbers.len())?;
    let ensure = ensure_loaded(first, table, load);
    for (slot, number) in (slot..).zip(numbers) {
        let id = functions[*number];
        let ty = first.funcs.get(id).ty();
        replace_body(first, id, |body, args| {
            for arg in args {
                body.local_get(*arg);
            }
            body.i32_const(slot).call(ensure).instr(CallIndirect { ty, table });
        });
    }
    for (name, item) in all.into_iter().filter(|(name, _)| shared.contains(name)) {
        first.exports.add(&name, item);
    }
    first.exports.add(SLOTS, table);
    passes::gc::run(first);
    Ok(())
}

/// Replaces the body of a function by one that `fill` makes for its arguments.
fn replace_body(
    module: &mut Module,
    id: FunctionId,
    fill: impl FnOnce(&mut InstrSeqBuilder<'_>, &[LocalId]),
) {
    let ty = module.funcs.get(id).ty();
    let (params, results) = (module.types.params(ty).to_vec(), module.types.results(ty).to_vec());
    let args: Vec<LocalId> = params.iter().map(|of| module.locals.add(*of)).collect();
    let mut function = FunctionBuilder::new(&mut module.types, &params, &results);
    fill(&mut function.func_body(), &args);
    module.funcs.get_mut(id).kind = FunctionKind::Local(function.local_func(args));
}

/// A function that loads the rest if a slot is empty, and returns the slot.
fn ensure_loaded(module: &mut Module, table: TableId, load: FunctionId) -> FunctionId {
    let slot = module.locals.add(ValType::I32);
    let mut ensure = FunctionBuilder::new(&mut module.types, &[ValType::I32], &[ValType::I32]);
    let mut body = ensure.func_body();
    body.local_get(slot).table_get(table).instr(RefIsNull {});
    body.if_else(
        None,
        |then| {
            then.call(load);
        },
        |_| {},
    );
    body.local_get(slot);
    ensure.finish(vec![slot], &mut module.funcs)
}

/// Adds slots to the table for indirect calls. Returns the table and the first slot.
fn add_slots(module: &mut Module, count: usize) -> Result<(TableId, i32)> {
    let id = module.tables.main_function_table()?.context("the module has no table for indirect calls")?;
    let table = module.tables.get_mut(id);
    let first = i32::try_from(table.initial)?;
    table.initial += count as u64;
    table.maximum = Some(table.initial);
    Ok((id, first))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module with a function `load_rest`, and two functions that call each other and have a slot each.
    fn whole() -> Vec<u8> {
        let mut module = Module::with_config(ModuleConfig::new());
        let table = module.tables.add_local(false, 2, Some(2), walrus::RefType::FUNCREF);
        let load = module.types.add(&[], &[]);
        let (load, _) = module.add_import_func("env", "load", load);
        let mut caller = FunctionBuilder::new(&mut module.types, &[], &[]);
        caller.func_body().call(load);
        let caller = caller.finish(vec![], &mut module.funcs);
        let value = module.locals.add(ValType::I32);
        let mut double = FunctionBuilder::new(&mut module.types, &[ValType::I32], &[ValType::I32]);
        double.func_body().local_get(value).local_get(value).binop(walrus::ir::BinaryOp::I32Add);
        let double = double.finish(vec![value], &mut module.funcs);
        let value = module.locals.add(ValType::I32);
        let mut four_times = FunctionBuilder::new(&mut module.types, &[ValType::I32], &[ValType::I32]);
        four_times.func_body().local_get(value).call(double).call(double);
        let four_times = four_times.finish(vec![value], &mut module.funcs);
        module.exports.add(LOAD, caller);
        module.exports.add("four_times", four_times);
        module.exports.add("double", double);
        let items = ElementItems::Functions(vec![double, four_times]);
        let offset = ConstExpr::Value(Value::I32(0));
        let filled = module.elements.add(ElementKind::Active { table, offset }, items);
        module.tables.get_mut(table).elem_segments.insert(filled);
        module.emit_wasm()
    }

    fn number(wasm: &[u8], export: &str) -> usize {
        let module = parse(wasm).unwrap();
        let id = module.exports.get_func(export).unwrap();
        module.funcs.iter().position(|function| function.id() == id).unwrap()
    }

    #[test]
    fn functions_that_do_not_stay_move_to_the_rest() {
        let whole = whole();
        let stay = HashSet::from([number(&whole, LOAD), number(&whole, "double")]);
        let (first, rest) = parts(&whole, &stay).unwrap();
        let (first, rest) = (parse(&first).unwrap(), parse(&rest).unwrap());
        // The rest has the function that moved, and imports the one that it calls, and the table.
        assert_eq!(rest.funcs.iter_local().count(), 1);
        let imports: Vec<_> = rest.imports.iter().map(|import| import.name.clone()).collect();
        assert_eq!(imports.len(), 2, "{imports:?}");
        for name in imports {
            assert!(first.exports.iter().any(|export| export.name == name), "{name}");
        }
        // The first module has a stub in its place, which is exported as before, and one slot more.
        assert!(first.exports.get_func("four_times").is_ok());
        assert_eq!(first.tables.iter().next().unwrap().initial, 3);
        // And one function that looks whether the slot is filled.
        assert_eq!(first.funcs.iter_local().count(), 4);
    }

    #[test]
    fn a_module_that_cannot_load_its_rest_is_not_split() {
        let mut module = parse(&whole()).unwrap();
        assert!(parts(&module.emit_wasm(), &HashSet::new()).is_err(), "it would load itself");
        module.exports.remove(LOAD).unwrap();
        assert!(parts(&module.emit_wasm(), &HashSet::new()).is_err());
    }
}
