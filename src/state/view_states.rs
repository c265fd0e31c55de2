//! The choices of the user in views.

use std::any::Any;
use std::rc::Rc;

/// The states of views by their types. A view that has none yet has the default of its type.
#[derive(Debug, Clone, Default)]
pub(crate) struct ViewStates(Vec<Rc<dyn Any>>);

impl PartialEq for ViewStates {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
            && self.0.iter().zip(&other.0).all(|(one, other)| Rc::ptr_eq(one, other))
    }
}

impl ViewStates {
    /// The state of this type.
    pub(crate) fn get<T: Default + 'static>(&self) -> Rc<T> {
        let found = self.0.iter().find_map(|state| Rc::clone(state).downcast::<T>().ok());
        found.unwrap_or_default()
    }

    /// Changes the state of this type.
    pub(crate) fn change<T: Clone + Default + 'static>(&mut self, change: impl FnOnce(&mut T)) {
        let mut state = self.get::<T>();
        self.0.retain(|state| !state.is::<T>());
        change(Rc::make_mut(&mut state));
        self.0.push(state);
    }
}
