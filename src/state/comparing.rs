//! The other version of the shown file, with which it is compared.

use std::rc::Rc;

use evalcheck_wire::compare::ComparisonSums;
use evalcheck_wire::question::{Answer, Question};
use evalcheck_wire::worker::RequestId;

use super::State;
use super::answers::Wanted;
use super::check::Check;
use super::dataset::Dataset;
use super::preview::Preview;
use super::remote::Remote;

/// Another version of the file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Comparing {
    /// The other version.
    pub(crate) other: Rc<Dataset>,
    /// Whether the other version is the newer one.
    pub(crate) is_other_newer: bool,
}

impl Comparing {
    const fn question(&self) -> Question {
        Question::Comparison { is_other_newer: self.is_other_newer }
    }

    /// The answer that is needed.
    pub(super) fn wanted(&self) -> Wanted {
        Wanted::Answer(Rc::new(self.question()), Some(self.other.key))
    }
}

/// The file that was shown before this one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Previous {
    /// The file.
    pub(crate) dataset: Rc<Dataset>,
    /// The id of its format.
    format: String,
}

impl Previous {
    /// The file of a check that gives way to other files; `None` if it cannot be compared with the only one of them.
    pub(super) fn of(check: &Check, files: &[Dataset]) -> Option<Self> {
        let [file] = files else { return None };
        let format = check.report()?.format.id.clone();
        let is_comparable = check.batch_index.is_none() && check.is_comparable_with(file);
        is_comparable.then(|| Self { dataset: Rc::clone(check.original()), format })
    }
}

impl State {
    /// The file that was shown before, if a comparison with it is offered: both have the same format.
    pub(crate) fn comparable_previous(&self) -> Option<&Dataset> {
        let check = self.check.as_ref().filter(|check| check.can_compare())?;
        let previous = self.previous.as_ref().filter(|_| check.preview.comparing().is_none())?;
        (previous.format == check.report()?.format.id).then_some(&*previous.dataset)
    }
}

impl Preview {
    /// The other version, if the file is compared with one.
    pub(crate) fn comparing(&self) -> Option<Comparing> {
        Option::clone(&self.chosen.get::<Option<Comparing>>())
    }

    /// The number of the comparison, and its progress or the differences.
    pub(crate) fn comparison(&self) -> Option<(RequestId, Remote<&ComparisonSums>)> {
        let question = self.comparing()?.question();
        let sums = |answer| Answer::try_as_comparison_ref(answer).map(|sums| &**sums);
        Some((self.answers.request(&question)?, self.answers.state(&question, sums)?))
    }
}
