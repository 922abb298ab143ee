//! The values that are masked in whatever a thread writes, set around a piece of work.
//!
//! Text is made in some hundred places, of names, messages and files; each would have to hand the values on, and the one that forgot would
//! give a secret away.
//!
//! Values are remembered no longer than they are held.

use super::known_secrets::KnownSecrets;
use std::cell::RefCell;
use std::sync::Arc;

thread_local! {
    static KNOWN: RefCell<Arc<KnownSecrets>> = RefCell::default();
}

/// The values that this thread masks: for work that goes on in another.
pub fn known() -> Arc<KnownSecrets> {
    KNOWN.with_borrow(Arc::clone)
}

/// Lets this thread mask `values` in all that it writes from here on, in the place of others.
pub fn hold(values: Arc<KnownSecrets>) {
    KNOWN.set(values);
}

/// Does a piece of work in which `values` are masked, and no others.
pub fn masking<T>(values: &Arc<KnownSecrets>, work: impl FnOnce() -> T) -> T {
    // Given back even where the work panics: the thread goes on with other work.
    struct Back(Arc<KnownSecrets>);
    impl Drop for Back {
        fn drop(&mut self) {
            hold(std::mem::take(&mut self.0));
        }
    }
    let _back = Back(KNOWN.replace(Arc::clone(values)));
    work()
}

/// Asks for the values that this thread masks.
pub(super) fn with_known<T>(ask: impl FnOnce(&KnownSecrets) -> T) -> T {
    KNOWN.with_borrow(|known| ask(known))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known_secrets::Gathered;
    use crate::redactor::Masks;
    use crate::safe::Safe;

    #[test]
    fn what_is_known_is_masked_during_the_work_and_not_after_it() {
        let mut gathered = Gathered::default();
        let file = b"DB_PASSWORD=copper-walnut-5512\n";
        gathered.add(file, &Masks::find(".env", file));
        let values = Arc::new(gathered.build());
        let name = || Safe::name("logs in as copper-walnut-5512").as_str().to_owned();
        assert_eq!(masking(&values, name), "logs in as [REDACTED:assigned-secret]");
        assert_eq!(masking(&values, || masking(&Arc::default(), name)), name());
        let panicked = std::panic::catch_unwind(|| masking(&values, || panic!("on purpose")));
        assert!(panicked.is_err() && known().is_empty());
    }
}
