//! Who knows the type of a method: of those that call a promise which many fulfil, these are the likeliest to run it.

use super::FactBase;
use activate_rules::atoms::NodeId;
use activate_rules::links::LinkKind;
use rustc_hash::FxHashSet;

/// Links from a type to what uses it.
const USED_BY: [LinkKind; 4] = [LinkKind::CalledBy, LinkKind::ReferencedBy, LinkKind::ExtendedBy, LinkKind::ImplementedBy];

/// Links from a definition to what calls it.
const CALLED_BY: [LinkKind; 2] = [LinkKind::CalledBy, LinkKind::ReferencedBy];

/// What a user of a promise has to do with the type of a method that fulfils it, the closest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Knows {
    /// It uses the type itself.
    Type,
    /// It uses a method of the type, or what uses the type, as a function that makes it does.
    Part,
    /// Something in its file does.
    File,
    /// Nothing that is known.
    Nothing,
}

/// What uses the types of some methods.
pub(crate) struct Users {
    of_types: FxHashSet<NodeId>,
    of_parts: FxHashSet<NodeId>,
    files: FxHashSet<NodeId>,
}

impl Users {
    /// The users of the types of these.
    pub(crate) fn of(base: &FactBase, methods: impl IntoIterator<Item = NodeId>) -> Self {
        let (mut types, mut parts) = (FxHashSet::default(), FxHashSet::default());
        let mut files = FxHashSet::default();
        for method in methods {
            files.insert(base.file_of(method));
            types.extend(base.container(method));
        }
        for of in &types {
            let members = base.links().row(*of).filter(|(_, link)| link.kind() == LinkKind::Contains);
            parts.extend(members.map(|(member, _)| member));
        }
        let of_types = with_users(base, &types, &USED_BY);
        parts.extend(of_types.iter().filter(|user| base.is_symbol(**user) && base.test_around(**user).is_none()));
        let of_parts = with_users(base, &parts, &CALLED_BY);
        files.extend(of_types.iter().map(|user| base.file_of(*user)));
        Self { of_types, of_parts, files }
    }

    /// What one has to do with these types.
    pub(crate) fn knows(&self, base: &FactBase, user: NodeId) -> Knows {
        if self.of_types.contains(&user) {
            Knows::Type
        } else if self.of_parts.contains(&user) {
            Knows::Part
        } else if self.files.contains(&base.file_of(user)) {
            Knows::File
        } else {
            Knows::Nothing
        }
    }
}

/// What has one of these links to definitions, with the tests in which it stands.
fn with_users(base: &FactBase, used: &FxHashSet<NodeId>, kinds: &[LinkKind]) -> FxHashSet<NodeId> {
    let links = used.iter().flat_map(|used| base.links().row(*used)).filter(|(_, link)| kinds.contains(&link.kind()));
    links.flat_map(|(user, _)| [Some(user), base.test_around(user).filter(|_| base.is_symbol(user))]).flatten().collect()
}
