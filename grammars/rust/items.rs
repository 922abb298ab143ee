//! Items in the bodies of macros that pass them on, as in `cfg_rt! { pub mod sync; }`: read as if they stood beside the macro.
//!
//! Nothing says of an invocation what becomes of its tokens. Where all of them are items, a macro that does something else with them is rare:
//! these are written so that they look like nothing else. `cfg_if!` is known by the shape of its body, and `delegate!` by that and its name.
//! A macro without arguments gives the items of its own body: they are read where they are written, see [`definition`].

use crate::PassedOn;
use std::ops::Range;
use tree_sitter::{Node, Tree};

/// How deep macros in macros are looked into: each level parses its bodies once more. `cfg_rt! { cfg_net! { .. } }` has two.
const MAX_LEVELS: usize = 4;

/// The node whose children are items, besides a file.
const CONTAINER: &str = "declaration_list";

/// Nodes that have such a body.
const HOLDERS: [&str; 4] = ["foreign_mod_item", "impl_item", "mod_item", "trait_item"];

/// Nodes that define or import something.
const ITEMS: [&str; 16] = [
    "associated_type",
    "const_item",
    "enum_item",
    "extern_crate_declaration",
    "foreign_mod_item",
    "function_item",
    "function_signature_item",
    "impl_item",
    DEFINITION,
    "mod_item",
    "static_item",
    "struct_item",
    "trait_item",
    "type_item",
    "union_item",
    "use_declaration",
];

/// A macro where it is defined.
const DEFINITION: &str = "macro_definition";

/// How many attributes and comments above a call are looked at.
const MAX_ABOVE: usize = 16;

/// Nodes that may stand between items.
const BETWEEN: [&str; 5] = ["attribute_item", "block_comment", "empty_statement", "inner_attribute_item", "line_comment"];

/// Macros that make something else of what looks like an item: a `static` of `thread_local!` is a key, not what is written.
const OTHERS: [&str; 2] = ["task_local", "thread_local"];

/// The macro whose body says which methods are passed on to what: `delegate! { to self.inner { pub fn len(&self) -> usize; } }`.
const DELEGATE: &str = "delegate";

/// The most bytes in front of a method in which it is looked for what that is passed on to.
const MAX_TARGET: usize = 8 << 10;

/// Parses a part of the text.
type Parse<'p> = &'p dyn Fn(&[u8]) -> Option<Tree>;

/// A call of a macro where an item stands, or a macro without arguments.
struct Call {
    /// The end of the sign behind its name, where two bytes are free for the brackets that stay; else where the name begins, and nothing stays.
    start: usize,
    /// The brackets that stay, and where.
    stays: Option<(usize, &'static str)>,
    /// Whether it is opened for a single item alone.
    is_single: bool,
    /// What it is given, with its brackets.
    body: Range<usize>,
    /// The parts of that of which each may be items.
    parts: Vec<Range<usize>>,
}

/// The text with the macros opened whose bodies are items, byte for byte in the same place; none where there are none.
///
/// Of `cfg_rt! { fn f() {} }` stays `cfg_rt!{}  fn f() {}  `, so that the macro is still called; of `cfg_rt!{fn f() {}}` only the function.
pub(super) fn opened(text: &str, tree: &Tree, parse: Parse<'_>) -> Option<Vec<u8>> {
    let mut opened = text.as_bytes().to_vec();
    open_all(tree.root_node(), 0, &mut opened, parse, MAX_LEVELS).then_some(opened)
}

/// Opens what can be opened of a tree that begins at the byte `from` of the text. Tells whether that was anything.
fn open_all(root: Node<'_>, from: usize, text: &mut [u8], parse: Parse<'_>, levels: usize) -> bool {
    let Some(levels) = levels.checked_sub(1) else { return false };
    let Ok(source) = std::str::from_utf8(&text[from..from + root.end_byte()]).map(str::to_owned) else { return false };
    let mut any = false;
    for call in calls(root, from == 0, &source) {
        any |= open(&call, from, text, parse, levels);
    }
    any
}

/// The macros that are called where items stand, in a file or in what a macro of it is given.
fn calls(root: Node<'_>, is_file: bool, text: &str) -> Vec<Call> {
    let (mut found, mut containers) = (Vec::new(), vec![root]);
    while let Some(container) = containers.pop() {
        let mut cursor = container.walk();
        for child in container.named_children(&mut cursor) {
            if HOLDERS.contains(&child.kind()) {
                containers.extend(child.child_by_field_name("body").filter(|body| body.kind() == CONTAINER));
            } else if child.kind() == DEFINITION {
                found.extend(definition(child, (container, is_file && container == root), text));
            } else if let Some(node) = macro_call(child) {
                found.extend(call(node, text));
            }
        }
    }
    found
}

/// A call of a macro that stands for itself.
fn macro_call(node: Node<'_>) -> Option<Node<'_>> {
    let call = if node.kind() == "expression_statement" { node.named_child(0)? } else { node };
    (call.kind() == "macro_invocation").then_some(call)
}

fn call(node: Node<'_>, text: &str) -> Option<Call> {
    let name = node.child_by_field_name("macro")?;
    let last = text.get(name.byte_range())?.rsplit(':').next().unwrap_or_default();
    if OTHERS.contains(&last) {
        return None;
    }
    let sign = name.next_sibling().filter(|sign| sign.kind() == "!")?.end_byte();
    let mut cursor = node.walk();
    let body = node.named_children(&mut cursor).find(|child| child.kind() == "token_tree")?;
    let inner = body.start_byte() + 1..body.end_byte().checked_sub(1)?;
    let stays = text.get(sign..body.start_byte() + 2).is_some_and(|between| {
        let free = between.replace(['{', '(', '['], " ");
        free.starts_with("  ")
    });
    // A condition above the call is one of what it gives: it is said of the item where that is the only one.
    let is_single = is_conditional(node, text);
    let stays = stays && !is_single;
    let start = if stays { sign } else { node.start_byte() };
    let stays = stays.then_some((sign, "{}"));
    let parts = if last == DELEGATE { delegated(body, text) } else { branches(body, text) };
    let parts = parts.unwrap_or_else(|| vec![inner.clone()]);
    (inner.start <= inner.end).then(|| Call { start, stays, is_single, body: body.byte_range(), parts })
}

/// A macro of one rule without arguments, where what it gives stands once: in the same place, which calls it once behind it; or where the module is that
/// declares the file, if the file has nothing else. `macro_rules! root { () => { pub mod de; } } root!();` becomes a macro that gives nothing, and
/// the items; a macro that is alone in its file becomes one without a rule, see [`Traits::GIVES_FILE`](crate::facts::Traits::GIVES_FILE).
fn definition(node: Node<'_>, (container, is_file): (Node<'_>, bool), text: &str) -> Option<Call> {
    let name = node.child_by_field_name("name")?;
    let mut cursor = node.walk();
    let mut rules = node.named_children(&mut cursor).filter(|child| child.kind() == "macro_rule");
    let (rule, more) = (rules.next()?, rules.next());
    let (left, right) = (rule.child_by_field_name("left")?, rule.child_by_field_name("right")?);
    let has_arguments = !text.get(left.start_byte() + 1..left.end_byte().checked_sub(1)?)?.trim().is_empty();
    if more.is_some() || has_arguments || !text.get(node.byte_range())?.ends_with('}') {
        return None;
    }
    let inner = right.start_byte() + 1..right.end_byte().checked_sub(1)?;
    // Of half a macro the closing bracket is missing.
    (inner.start <= inner.end).then_some(())?;
    let mut cursor = container.walk();
    let (mut n_others, mut n_calls) = (0, 0);
    for child in container.named_children(&mut cursor).filter(|child| *child != node && !BETWEEN.contains(&child.kind())) {
        n_others += 1;
        let Some(call) = macro_call(child) else { continue };
        let called = call.child_by_field_name("macro").and_then(|called| text.get(called.byte_range()));
        n_calls += usize::from(called == text.get(name.byte_range()) && call.start_byte() > node.end_byte());
    }
    let (start, stays) = match (n_calls, n_others) {
        (1, _) => {
            let front = text.get(inner.clone())?;
            let first = inner.start + front.len() - front.trim_start().len();
            let free = text.get(first.checked_sub(2)?..first)?;
            (first >= inner.start + 2 && free == "  ").then_some(())?;
            (first - 2, (first - 2, "}}"))
        }
        (0, 0) if is_file => (rule.start_byte(), (rule.start_byte(), "}")),
        _ => return None,
    };
    Some(Call {
        start,
        stays: Some(stays),
        is_single: false,
        body: start..node.end_byte(),
        parts: std::iter::once(inner.start.max(start)..inner.end).collect(),
    })
}

/// Whether an attribute above a call says when it is there.
fn is_conditional(node: Node<'_>, text: &str) -> bool {
    let statement = node.parent().filter(|parent| parent.kind() == "expression_statement").unwrap_or(node);
    let above = std::iter::successors(statement.prev_named_sibling(), Node::prev_named_sibling);
    let mut attributes = above.take_while(|above| BETWEEN.contains(&above.kind())).take(MAX_ABOVE);
    attributes.any(|above| text.get(above.byte_range()).is_some_and(|text| text.starts_with("#[cfg")))
}

/// Opens one macro, and those in its body, where all that it is given are items.
fn open(call: &Call, from: usize, text: &mut [u8], parse: Parse<'_>, levels: usize) -> bool {
    let body = from + call.body.start..from + call.body.end;
    let before = text[body.clone()].to_vec();
    let part = |part: &Range<usize>| from + part.start..from + part.end;
    let most = if call.is_single { 1 } else { usize::MAX };
    if !call.parts.iter().all(|each| are_items(part(each), text, parse, (levels, most))) {
        text[body].copy_from_slice(&before);
        return false;
    }
    let start = from + call.start;
    let mut at = start;
    for part in call.parts.iter().map(part) {
        blank(&mut text[at..part.start]);
        at = part.end;
    }
    blank(&mut text[at..body.end]);
    if let Some((at, brackets)) = call.stays {
        let at = from + at;
        text[at..at + brackets.len()].copy_from_slice(brackets.as_bytes());
    }
    true
}

/// Leaves nothing but the ends of lines.
fn blank(text: &mut [u8]) {
    text.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
}

/// Whether a part of the text is items and nothing else, one at least and so many at most; opens the macros among them.
fn are_items(part: Range<usize>, text: &mut [u8], parse: Parse<'_>, (levels, most): (usize, usize)) -> bool {
    let Some(tree) = parse(&text[part.clone()]).filter(|tree| !tree.root_node().has_error()) else { return false };
    let root = tree.root_node();
    let mut cursor = root.walk();
    let (mut n_items, mut n_calls) = (0, 0);
    for child in root.named_children(&mut cursor) {
        if ITEMS.contains(&child.kind()) {
            n_items += 1;
        } else if macro_call(child).is_some() {
            n_calls += 1;
        } else if !BETWEEN.contains(&child.kind()) {
            return false;
        }
    }
    if n_items + n_calls > most {
        return false;
    }
    let any = (n_items > 0 || n_calls > 0) && open_all(root, part.start, text, parse, levels);
    n_items > 0 || any
}

/// The methods that `delegate!` passes on, as ranges of the text without their brackets; none where a body is something else.
fn delegated(body: Node<'_>, text: &str) -> Option<Vec<Range<usize>>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut end = body.start_byte() + 1;
    let mut cursor = body.walk();
    for group in body.named_children(&mut cursor).filter(|child| child.kind() == "token_tree") {
        if text.as_bytes().get(group.start_byte()) != Some(&b'{') {
            continue;
        }
        // Attributes and comments may stand in front of it.
        let mut target = text.get(end..group.start_byte())?.trim_start();
        while let Some(mark) = ["#", "//", "/*"].into_iter().find(|mark| target.starts_with(mark)) {
            let end = match mark {
                "#" => "]",
                "//" => "\n",
                _ => "*/",
            };
            target = target.split_once(end)?.1.trim_start();
        }
        target.strip_prefix("to ")?;
        let inner = group.start_byte() + 1..group.end_byte() - 1;
        (inner.start <= inner.end).then_some(())?;
        found.push(inner);
        end = group.end_byte();
    }
    let is_all = text.get(end..body.end_byte() - 1)?.trim().is_empty();
    (is_all && !found.is_empty()).then_some(found)
}

/// The part of the instance that `delegate!` passes a method on to whose signature begins at a byte: `inner` of `to self.inner { fn len(&self); }`;
/// and the method that it calls there, where an attribute names another: `push` of `#[call(push)]`.
pub(super) fn target(written: &str, at: usize) -> Option<PassedOn<'_>> {
    let start = at.saturating_sub(MAX_TARGET);
    let front = without_comments(written.as_bytes().get(start..at)?);
    let mut depth = 0_usize;
    let open = front.iter().rposition(|byte| {
        match byte {
            b'}' => depth += 1,
            b'{' if depth == 0 => return true,
            b'{' => depth -= 1,
            _ => {}
        }
        false
    })?;
    let called = called(&front[open + 1..])?;
    let before = front[..open].iter().rposition(|byte| b"{}".contains(byte)).map_or(0, |end| end + 1);
    let text = std::str::from_utf8(&front[before..open]).ok()?;
    let text =
        text.rsplit_once(']').filter(|(attributes, _)| attributes.trim_start().starts_with('#')).map_or(text, |(_, text)| text);
    let target = text.trim().strip_prefix("to ")?.trim().strip_prefix("self.")?;
    let written_at = |offset: usize, len: usize| written.get(start + offset..start + offset + len);
    let called = written_at(open + 1 + called.start, called.len()).filter(|name| !name.is_empty());
    Some(PassedOn { to: written_at(target.as_ptr() as usize - front.as_ptr() as usize, target.len())?, called })
}

/// Where the attributes at the end of a text name the method that is called, an empty place if they name none; none where they say that nothing is
/// called.
fn called(text: &[u8]) -> Option<Range<usize>> {
    let (mut found, mut rest) = (0..0, text.trim_ascii_end());
    while rest.ends_with(b"]") {
        let mut depth = 0_usize;
        let open = rest.iter().rposition(|byte| {
            depth += usize::from(*byte == b']');
            depth -= usize::from(*byte == b'[');
            depth == 0
        })?;
        let attribute = &rest[open + 1..rest.len() - 1];
        let words: Vec<&[u8]> = attribute.split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_')).collect();
        match words.as_slice() {
            [b"field" | b"const", ..] => return None,
            [b"call", name, ..] if !name.is_empty() => {
                let start = name.as_ptr() as usize - text.as_ptr() as usize;
                found = start..start + name.len();
            }
            _ => {}
        }
        rest = rest[..open].trim_ascii_end().strip_suffix(b"#")?.trim_ascii_end();
    }
    Some(found)
}

/// A text with blanks in place of the comments that end a line.
fn without_comments(text: &[u8]) -> Vec<u8> {
    let mut blank = text.to_vec();
    for line in blank.split_mut(|byte| *byte == b'\n') {
        let is_text = |at: usize| line[..at].iter().filter(|byte| **byte == b'"').count() % 2 == 1;
        let comment = line.windows(2).position(|pair| pair == b"//").filter(|at| !is_text(*at));
        if let Some(at) = comment {
            line[at..].fill(b' ');
        }
    }
    blank
}

/// The branches of `cfg_if!`, as ranges of the text without their brackets; none where a body is something else.
fn branches(body: Node<'_>, text: &str) -> Option<Vec<Range<usize>>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let (mut end, mut has_condition) = (body.start_byte() + 1, false);
    let mut cursor = body.walk();
    for group in body.named_children(&mut cursor).filter(|child| child.kind() == "token_tree") {
        let words: Vec<&str> = text.get(end..group.start_byte())?.split_whitespace().collect();
        let is_condition = text.as_bytes().get(group.start_byte()) == Some(&b'[');
        let fits = match (words.as_slice(), is_condition) {
            (["if", "#"], true) => found.is_empty() && !has_condition,
            (["else", "if", "#"], true) | (["else"], false) => !found.is_empty() && !has_condition,
            (words, is_condition) => words.is_empty() && !is_condition && has_condition,
        };
        if !fits {
            return None;
        }
        if !is_condition {
            let inner = group.start_byte() + 1..group.end_byte() - 1;
            (inner.start <= inner.end).then_some(())?;
            found.push(inner);
        }
        (end, has_condition) = (group.end_byte(), is_condition);
    }
    let is_all = text.get(end..body.end_byte() - 1)?.trim().is_empty() && !has_condition;
    (is_all && !found.is_empty()).then_some(found)
}
