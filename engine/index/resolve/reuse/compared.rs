//! New tables beside those of before: which numbers are the same files, symbols and modules, and what is not as it was.

use super::super::index::{Def, Index, Module};
use super::super::{FileId, Item, ModuleId, Name, Sym};
use super::names::hash;
use super::{Before, GONE, known};
use activate_grammars::FileFacts;
use activate_grammars::facts::{Container, ImportKind};
use activate_grammars::scope::ModuleModel;
use rustc_hash::{FxHashMap, FxHashSet};

/// New and old tables, and which numbers of the one are which of the other.
pub(super) struct Compared<'c, 'n, 'o, 'b> {
    pub(super) new: &'c Index<'n>,
    pub(super) old: &'c Index<'o>,
    pub(super) before: &'c Before<'b>,
    /// By old number.
    pub(super) files: Vec<u32>,
    pub(super) syms: Vec<u32>,
    pub(super) modules: Vec<u32>,
    /// By new number.
    pub(super) old_syms: Vec<u32>,
    /// For each new file whether it is as it was.
    pub(super) is_same: Vec<bool>,
    /// Facts of old files that changed or are gone.
    pub(super) old_facts: FxHashMap<u32, FileFacts>,
}

/// Which new files changed, or mention what did.
pub(super) struct Hits {
    /// For whoever asks for their facts.
    pub(super) facts: Vec<bool>,
    /// For their own sites alone.
    pub(super) own_sites: Vec<bool>,
}

impl<'c, 'n, 'o, 'b> Compared<'c, 'n, 'o, 'b> {
    pub(super) fn new(new: &'c Index<'n>, old: &'c Index<'o>, before: &'c Before<'b>) -> Option<Self> {
        let n_old = old.first_symbol.len().checked_sub(1)?;
        let mut files = vec![GONE; n_old];
        for (with_path, at) in before.with_path.iter().zip(0..) {
            if let Some(old) = with_path {
                *files.get_mut(*old as usize)? = at;
            }
        }
        let is_same: Vec<bool> = before.same.iter().map(Option::is_some).collect();
        let is_changed = |at: &u32| !known(&files, *at).is_some_and(|new| is_same[new as usize]);
        let old_facts: Option<FxHashMap<u32, FileFacts>> =
            (0..n_old as u32).filter(is_changed).map(|at| Some((at, (before.facts)(at)?))).collect();
        let n_syms = old.first_symbol.last().copied()? as usize;
        let (syms, old_syms) = (vec![GONE; n_syms], vec![GONE; new.member_of.len()]);
        let modules = vec![GONE; old.modules.len()];
        let mut compared = Self { new, old, before, files, syms, modules, old_syms, is_same, old_facts: old_facts? };
        compared.match_symbols()?;
        compared.match_modules()?;
        Some(compared)
    }

    /// The facts of an old file, new as they are where it did not change.
    fn facts_of_old(&self, old: u32) -> Option<&FileFacts> {
        match self.old_facts.get(&old) {
            Some(facts) => Some(facts),
            None => Some(self.new.files[known(&self.files, old)? as usize].facts.get()),
        }
    }

    fn match_symbols(&mut self) -> Option<()> {
        for old in 0..self.files.len() as u32 {
            let Some(new) = known(&self.files, old) else { continue };
            let (first_old, first_new) = (self.old.first_symbol[old as usize], self.new.first_symbol[new as usize]);
            let pairs: Vec<(u32, u32)> = if self.is_same[new as usize] {
                let n = self.new.first_symbol[new as usize + 1] - first_new;
                (self.old.first_symbol[old as usize + 1] - first_old == n).then_some(())?;
                (0..n).map(|at| (at, at)).collect()
            } else {
                same_symbols(self.old_facts.get(&old)?, self.new.files[new as usize].facts.get())
            };
            for (from, to) in pairs {
                self.syms[(first_old + from) as usize] = first_new + to;
                self.old_syms[(first_new + to) as usize] = first_old + from;
            }
        }
        Some(())
    }

    /// None where modules were joined or parted.
    fn match_modules(&mut self) -> Option<()> {
        let mut pairs: Vec<(ModuleId, ModuleId)> = Vec::new();
        for (old, new) in self.files.iter().enumerate().filter(|(_, new)| **new != GONE) {
            let new = *new as usize;
            pairs.push((self.old.file_scope[old], self.new.file_scope[new]));
            pairs.push((self.old.file_module[old], self.new.file_module[new]));
        }
        for (sym, module) in self.old.inline_modules() {
            let new = known(&self.syms, sym.0).and_then(|new| self.new.module_of_symbol(Sym(new)));
            pairs.extend(new.map(|new| (module, new)));
        }
        let mut taken = vec![GONE; self.new.modules.len()];
        for (old, new) in pairs {
            let (to, from) = (&mut self.modules[old.0 as usize], &mut taken[new.0 as usize]);
            if *to == GONE && *from == GONE {
                (*to, *from) = (new.0, old.0);
            } else if (*to, *from) != (new.0, old.0) {
                return None;
            }
        }
        Some(())
    }

    fn module(&self, old: Option<ModuleId>) -> Option<ModuleId> {
        known(&self.modules, old?.0).map(ModuleId)
    }

    /// The packages that have their first file now, or had their last: what has no files may be from outside.
    pub(super) fn packages_come_or_gone(&self) -> Vec<&str> {
        fn package(facts: &FileFacts) -> Option<&str> {
            Some(facts.names.get(facts.package?))
        }
        let stays: FxHashSet<u32> = self.modules.iter().copied().filter(|new| *new != GONE).collect();
        let came = self.before.with_path.iter().enumerate().filter(|(_, old)| old.is_none());
        let came = came.filter(|(at, _)| !stays.contains(&self.new.file_module[*at].0));
        let went =
            self.old_facts.iter().filter(|(at, _)| self.module(self.old.file_module.get(**at as usize).copied()).is_none());
        let mut found: Vec<&str> = came.filter_map(|(at, _)| package(self.new.files[at].facts.get())).collect();
        found.extend(went.filter_map(|(_, facts)| package(facts)));
        for (at, facts) in &self.old_facts {
            let new = known(&self.files, *at).map(|new| self.new.files[new as usize].facts.get());
            if let Some(new) = new.filter(|new| package(new) != package(facts)) {
                found.extend([package(facts), package(new)].into_iter().flatten());
            }
        }
        found
    }

    pub(super) fn sym(&self, old: Sym) -> Sym {
        Sym(self.syms.get(old.0 as usize).copied().unwrap_or(GONE))
    }

    fn file(&self, old: FileId) -> FileId {
        FileId(self.files.get(old.0 as usize).copied().unwrap_or(GONE))
    }

    /// Whether an old file is there as it was.
    fn is_same_old(&self, old: FileId) -> bool {
        known(&self.files, old.0).is_some_and(|new| self.is_same[new as usize])
    }

    /// Whether the trees of modules and what globs bring into them are as they were, and no root of a tree came or went.
    pub(super) fn has_same_modules(&self) -> bool {
        let is_root = |index: &Index<'_>, file: usize| {
            let module = index.file_module[file];
            index.modules[module.0 as usize].root == Some(module)
        };
        let came = self.before.with_path.iter().enumerate().filter(|(_, old)| old.is_none());
        let went = self.files.iter().enumerate().filter(|(_, new)| **new == GONE);
        if came.into_iter().any(|(at, _)| is_root(self.new, at)) || went.into_iter().any(|(at, _)| is_root(self.old, at)) {
            return false;
        }
        // Nobody asks which file of a folder is the first but for the name of its package.
        let is_folder = |module: &Module| {
            let rules = module.file.and_then(|file| self.new.rules(file));
            rules.is_some_and(|rules| rules.modules == ModuleModel::Folder)
        };
        let is_same = |(old, new): (&Module, &u32)| {
            if *new == GONE {
                return true;
            }
            let new = &self.new.modules[*new as usize];
            let mapped = |module: Option<ModuleId>| (module.is_some(), self.module(module));
            let is = |module: Option<ModuleId>| (module.is_some(), module);
            mapped(old.parent) == is(new.parent)
                && mapped(old.root) == is(new.root)
                && (is_folder(new) || old.file.map(|file| self.file(file)) == new.file)
                && self.old_globs(old).is_some_and(|globs| globs.iter().eq(self.new_globs(new).iter()))
        };
        self.old.modules.iter().zip(&self.modules).all(is_same)
    }

    /// The globs of a module: of files that are as they were by place, of others by what they say.
    fn old_globs(&self, module: &Module) -> Option<Vec<(FileId, Result<u32, String>)>> {
        let glob = |(file, place): &(FileId, u32)| {
            let said = if self.is_same_old(*file) { Ok(*place) } else { Err(said(self.facts_of_old(file.0)?, *place)) };
            Some((self.file(*file), said))
        };
        module.globs.iter().map(glob).collect()
    }

    fn new_globs(&self, module: &Module) -> Vec<(FileId, Result<u32, String>)> {
        let glob = |(file, place): &(FileId, u32)| {
            let facts = || self.new.files[file.0 as usize].facts.get();
            (*file, if self.is_same[file.0 as usize] { Ok(*place) } else { Err(said(facts(), *place)) })
        };
        module.globs.iter().map(glob).collect()
    }

    /// Whether blocks of files that did not change belong to the same types, and types that were there have the supertypes they had.
    pub(super) fn has_same_types(&self) -> bool {
        let (new, old) = (self.new, self.old);
        let has_same_owners = self.before.same.iter().enumerate().all(|(at, same)| {
            let Some(before) = same else { return true };
            let types = old.owner_types[*before as usize].iter().map(|of| of.map(|of| self.sym(of)));
            types.eq(new.owner_types[at].iter().copied())
        });
        let supers = |index: &Index<'_>, of: Sym, sym: &dyn Fn(Sym) -> Sym, file: &dyn Fn(FileId) -> FileId| {
            let list = index.supers.get(&of).into_iter().flatten();
            list.map(|above| (sym(above.target), above.kind, file(above.file))).collect::<Vec<_>>()
        };
        let blocks = |index: &Index<'_>, of: Sym, file: &dyn Fn(FileId) -> FileId, is_same: &dyn Fn(FileId) -> bool| {
            let list = index.outside_blocks.get(&of).into_iter().flatten();
            list.map(|(at, place)| (file(*at), Some(*place).filter(|_| is_same(*at)))).collect::<Vec<_>>()
        };
        let is_same_new = |file: FileId| self.is_same[file.0 as usize];
        let has_same = |sym: u32| {
            let (of, was) = (Sym(self.syms[sym as usize]), Sym(sym));
            of.0 == GONE
                || supers(old, was, &|sym| self.sym(sym), &|file| self.file(file)) == supers(new, of, &|sym| sym, &|file| file)
                    && old.supers_outside.get(&was) == new.supers_outside.get(&of)
                    && blocks(old, was, &|file| self.file(file), &|file| self.is_same_old(file))
                        == blocks(new, of, &|file| file, &is_same_new)
        };
        let were = old.supers.keys().chain(old.supers_outside.keys()).chain(old.outside_blocks.keys()).map(|sym| sym.0);
        let are = new.supers.keys().chain(new.supers_outside.keys()).chain(new.outside_blocks.keys());
        let are = are.filter_map(|sym| known(&self.old_syms, sym.0));
        let of_same = |sym: &&Sym| is_same_new(new.symbol_file[sym.0 as usize]);
        let exported = old.exported.iter().map(|sym| self.sym(*sym)).filter(|sym| sym.0 != GONE);
        let exported: FxHashSet<Sym> = exported.filter(|sym| of_same(&sym)).collect();
        has_same_owners
            && self.has_same_at_large()
            && were.chain(are).all(has_same)
            && new.exported.iter().filter(of_same).copied().collect::<FxHashSet<_>>() == exported
    }

    /// Whether what was there before and is there now is seen by all files, is a part of another type and is had by types of all kinds as before.
    fn has_same_at_large(&self) -> bool {
        let (new, old) = (self.new, self.old);
        let stays = |sym: Sym| self.old_syms[sym.0 as usize] != GONE;
        let global = |index: &Index<'_>| -> Vec<Sym> {
            let all = index.globals.values().flatten();
            all.filter_map(|def| if let Def::Symbol(sym) = def { Some(*sym) } else { None }).collect()
        };
        let mapped = |syms: Vec<Sym>| -> FxHashSet<Sym> {
            syms.into_iter().map(|sym| self.sym(sym)).filter(|sym| sym.0 != GONE).collect()
        };
        let staying = |syms: Vec<Sym>| -> FxHashSet<Sym> { syms.into_iter().filter(|sym| stays(*sym)).collect() };
        let merged = old.merged.iter().map(|(part, of)| (self.sym(*part), self.sym(*of)));
        let merged: FxHashMap<Sym, Sym> = merged.filter(|(part, of)| part.0 != GONE && of.0 != GONE).collect();
        let is: FxHashMap<Sym, Sym> =
            new.merged.iter().filter(|(part, of)| stays(**part) && stays(**of)).map(|(part, of)| (*part, *of)).collect();
        merged == is
            && mapped(global(old)) == staying(global(new))
            && mapped(old.general_blocks.iter().copied().collect()) == staying(new.general_blocks.iter().copied().collect())
    }

    fn item(&self, old: Item) -> Option<Item> {
        match old {
            Item::Symbol(sym) => known(&self.syms, sym.0).map(|sym| Item::Symbol(Sym(sym))),
            Item::Module(module) => self.module(Some(module)).map(Item::Module),
            Item::Foreign => Some(Item::Foreign),
        }
    }

    /// For each new file whether it changed or its imports lead elsewhere.
    pub(super) fn changed_or_led_elsewhere(&self) -> Vec<bool> {
        let is_other = |(at, same): (usize, &Option<u32>)| {
            let Some(before) = same else { return true };
            let (was, is) = (&self.old.import_targets[*before as usize], &self.new.import_targets[at]);
            let is_one =
                |(was, is): (&Vec<Item>, &Vec<Item>)| was.iter().map(|item| self.item(*item)).eq(is.iter().copied().map(Some));
            was.len() != is.len() || !was.iter().zip(is).all(is_one)
        };
        self.before.same.iter().enumerate().map(is_other).collect()
    }

    pub(super) fn hits(&self, changed_or_led_elsewhere: &[bool], names: &FxHashSet<Name>) -> Hits {
        let index = self.new;
        let mentions = |at: usize| {
            let names_of = index.name_maps[at].get();
            names_of.is_none_or(|all| all.iter().any(|name| names.contains(name)))
        };
        let facts: Vec<bool> = changed_or_led_elsewhere.iter().enumerate().map(|(at, other)| *other || mentions(at)).collect();
        let near = self.near(changed_or_led_elsewhere);
        let moved = self.before.with_path.iter().any(Option::is_none) || self.files.contains(&GONE);
        // Where files are modules, an import asks which paths are there.
        let is_path = |model: ModuleModel| matches!(model, ModuleModel::File | ModuleModel::Unknown);
        let by_path = |at: usize| moved && index.rules(FileId(at as u32)).is_some_and(|rules| is_path(rules.modules));
        let imports = |at: usize| !index.import_targets[at].is_empty();
        // What an import runs depends on which files its folder has.
        let runs = |at: usize| {
            let imports = || &index.files[at].facts.get().imports;
            moved
                && index.rules(FileId(at as u32)).is_some_and(|rules| rules.runs_on_import.is_some())
                && imports().iter().any(|import| import.kind == ImportKind::Effect)
        };
        let own_sites =
            (0..facts.len()).map(|at| near.contains(&index.file_module[at]) || by_path(at) && imports(at) || runs(at)).collect();
        Hits { facts, own_sites }
    }

    /// The modules whose files have other modules at hand than before, two imports away.
    fn near(&self, changed_or_led_elsewhere: &[bool]) -> FxHashSet<ModuleId> {
        let targets = |index: &Index<'_>, file: FileId| -> Vec<ModuleId> {
            let items = index.import_targets[file.0 as usize].iter().flatten();
            let module = |item: &Item| match item {
                Item::Symbol(sym) => Some(index.file_module[index.symbol_file[sym.0 as usize].0 as usize]),
                Item::Module(module) => Some(*module),
                Item::Foreign => None,
            };
            items.filter_map(module).collect()
        };
        let all = |index: &Index<'_>, module: ModuleId| -> FxHashSet<ModuleId> {
            index.files_of(module).iter().flat_map(|file| targets(index, *file)).collect()
        };
        let of_new =
            changed_or_led_elsewhere.iter().enumerate().filter(|(_, other)| **other).map(|(at, _)| self.new.file_module[at]);
        let of_gone = self.files.iter().enumerate().filter(|(_, new)| **new == GONE).map(|(at, _)| self.old.file_module[at]);
        let changed: FxHashSet<ModuleId> = of_new.chain(of_gone.filter_map(|module| self.module(Some(module)))).collect();
        let mut old_of_new: FxHashMap<ModuleId, ModuleId> = FxHashMap::default();
        for (old, new) in self.modules.iter().enumerate().filter(|(_, new)| changed.contains(&ModuleId(**new))) {
            old_of_new.insert(ModuleId(*new), ModuleId(old as u32));
        }
        let has_others = |module: &ModuleId| {
            let Some(old) = old_of_new.get(module) else { return true };
            let were: Option<FxHashSet<ModuleId>> = all(self.old, *old).into_iter().map(|was| self.module(Some(was))).collect();
            were != Some(all(self.new, *module))
        };
        let moved: FxHashSet<ModuleId> = changed.into_iter().filter(has_others).collect();
        if moved.is_empty() {
            return moved;
        }
        let mut near = moved.clone();
        for at in 0..self.new.files.len() {
            let file = FileId(at as u32);
            if targets(self.new, file).iter().any(|module| moved.contains(module)) {
                near.insert(self.new.file_module[at]);
            }
        }
        near
    }
}

/// What an import says.
fn said(facts: &FileFacts, place: u32) -> String {
    let Some(import) = facts.imports.get(place as usize) else { return String::new() };
    let path: Vec<&str> = import.path.iter().map(|name| facts.names.get(*name)).collect();
    format!("{}{}", u8::from(import.exported), path.join("/"))
}

/// The symbols that two states of a file have alike, by name, kind and what is around them, in order.
fn same_symbols(old: &FileFacts, new: &FileFacts) -> Vec<(u32, u32)> {
    let chains = |facts: &FileFacts| {
        let mut chains: Vec<u64> = Vec::with_capacity(facts.symbols.len());
        let mut seen: FxHashMap<u64, u32> = FxHashMap::default();
        for symbol in &facts.symbols {
            let around = match symbol.container {
                Container::File => 0,
                Container::Symbol(id) => chains.get(id.0 as usize).copied().unwrap_or_default(),
                Container::Owner(_) => 1,
            };
            let chain = hash(&(facts.names.get(symbol.name), symbol.kind, around));
            let n = seen.entry(chain).or_default();
            *n += 1;
            chains.push(hash(&(chain, *n)));
        }
        chains
    };
    let places: FxHashMap<u64, u32> = chains(new).into_iter().zip(0..).collect();
    chains(old).iter().zip(0..).filter_map(|(chain, at)| Some((at, *places.get(chain)?))).collect()
}
