//! Checks a record against the templates.

use super::{Kind, Templates};
use crate::scan::blocks::Blocks;
use crate::scan::end::{End, end_at};
use crate::scan::prefix::begins_with;
use crate::scan::scanner::Scanner;
use crate::scan::scratch::Scratch;

impl<B: Blocks> Scanner<'_, B> {
    /// Checks a record against the templates, and captures its values as a scan does. `None` if it matches none.
    pub(in crate::scan) fn match_templates(
        &self,
        start: usize,
        templates: &mut Templates,
        scratch: &mut Scratch,
    ) -> End {
        let end = self.follow(start, templates, scratch);
        if end.is_some() {
            templates.hit();
        } else {
            templates.miss();
        }
        end
    }

    fn follow(&self, start: usize, templates: &mut Templates, scratch: &mut Scratch) -> End {
        scratch.captures.clear();
        let Templates { nodes, bytes, captures, begins, .. } = templates;
        begins.clear();
        let mut at = start;
        let mut next = nodes.first()?.child;
        loop {
            let (node, length) = loop {
                if next == 0 {
                    return None;
                }
                let node = nodes.get(next)?;
                let template = bytes.get(node.template.clone())?;
                let stands_here = self.bytes.get(at..).is_some_and(|rest| begins_with(rest, template));
                if stands_here && node.value.may_begin_with(self.byte(at + template.len())) {
                    break (node, template.len());
                }
                next = node.sibling;
            };
            begins.push(at);
            for capture in captures.get(node.captures.clone())? {
                let (first, offset) = capture.begins;
                scratch.captures.push((capture.number, begins[first] + offset..at + capture.end));
            }
            at += length;
            next = node.child;
            let end = match node.value {
                Kind::String(text) => self.text(at, text, scratch),
                Kind::Number(schema) => self.number_of(at, schema, scratch),
                Kind::Boolean(schema) => self.boolean_of(at, schema, scratch),
                // The template of a line ends with its line break; the record ends before it.
                Kind::End => return end_at(at - usize::from(!self.multiline)),
            };
            at = end?.get();
        }
    }
}
