//! Fixtures: what gives the parameters of tests their values, by its name. The nearest is meant: of the test's own class, of its module, then
//! of the files that hold fixtures for a folder, from its own folder upwards.

use super::imports::Seen;
use super::index::{Index, Member};
use super::{FileId, Item, Name, Sym};
use activate_grammars::facts::Traits;
use activate_grammars::project::{folder_of, join};

/// The most folders upwards that are looked through.
const MAX_FOLDERS: usize = 64;

/// The fixtures of a name for what stands in a file; `by` is what takes it, which may have the name itself and stands for another then.
pub(super) fn given(index: &Index<'_>, file: FileId, name: Name, by: Option<Sym>) -> Vec<Sym> {
    let Some(holder) = index.rules(file).and_then(|rules| rules.given_in) else { return Vec::new() };
    let is_fixture = |sym: &Sym| Some(*sym) != by && index.symbol(*sym).1.traits.has(Traits::FIXTURE);
    let of_class = by.and_then(|by| index.member_of[by.0 as usize]).map_or_else(Vec::new, |class| {
        let members = index.find_members(class, name).into_iter();
        members.filter_map(|member| if let Member::Symbol(sym) = member { Some(sym) } else { None }).filter(is_fixture).collect()
    });
    if !of_class.is_empty() {
        return of_class;
    }
    let of_file = |of: FileId| -> Vec<Sym> {
        let items = index.module_items(index.file_module[of.0 as usize], name, &mut Seen::default()).into_iter();
        items.filter_map(|item| if let Item::Symbol(sym) = item { Some(sym) } else { None }).filter(is_fixture).collect()
    };
    let own = of_file(file);
    if !own.is_empty() {
        return own;
    }
    let mut folder = folder_of(index.files[file.0 as usize].path);
    for _ in 0..MAX_FOLDERS {
        let above = join(folder, holder).and_then(|path| index.file_at(&path)).filter(|above| *above != file);
        let found = above.map_or_else(Vec::new, of_file);
        if !found.is_empty() || folder.is_empty() {
            return found;
        }
        folder = folder_of(folder);
    }
    Vec::new()
}
