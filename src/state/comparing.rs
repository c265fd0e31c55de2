//! The other version of the shown file, with which it is compared.

use std::rc::Rc;

use evalcheck_wire::compare::ComparisonSums;
use evalcheck_wire::question::{Answer, Question};
use evalcheck_wire::worker::RequestId;

use super::answers::Wanted;
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
