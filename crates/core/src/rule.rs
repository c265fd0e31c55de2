//! Rules, and the problems that break them. Each is declared once, by the `rules!` macro, where it is detected.
//!
//! A declaration holds the code, the severity, the message with its typed arguments, what to do, and the rule's page
//! (meaning, an invalid example, the fixed one). RULES.md, the page's help and the texts of findings come from here.

mod mistake;
mod scope;

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

use evalcheck_report::{Applicability, Loss, Severity};

use crate::location::Related;
pub use mistake::{Mistake, Part};
pub use scope::Scope;

/// Whether rules have their pages.
#[doc(hidden)]
pub const HAS_PAGES: bool = cfg!(feature = "pages");

/// A rule's identity and page.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stable code, `shape/missing-key`.
    pub code: &'static str,
    /// The severity of its findings.
    pub severity: Severity,
    /// A summary in one line.
    pub summary: &'static str,
    /// The problem of the value at the path of a finding, as the end of a sentence that begins with the path: `is missing`. Empty
    /// if the message says it.
    pub title: &'static str,
    /// Which fixes its findings may have; `None` for no fixes. A finding also has no fix when the facts for it are missing.
    pub fix: Option<Fixable>,
    /// The loss of a system that loads a dataset with the problem.
    pub loss: Option<Loss>,
    /// The formats whose datasets can have the problem.
    pub scope: Scope,
    /// Its page. [`Page::EMPTY`] without the feature `pages`.
    pub page: &'static Page,
}

/// The page of a rule. Documents and the catalogue (`rules.json`) are made from it, with the feature `pages`; a check does not need it, and the
/// web page would have to load it first.
#[derive(Debug, PartialEq, Eq)]
pub struct Page {
    /// The meaning of the rule, and why it matters to the system.
    pub meaning: &'static str,
    /// Messages of common loaders about the same problem, without locations, so that a search for such a message finds the rule.
    pub other_words: &'static [&'static str],
    /// Ways to make the mistake in a clean dataset, for an example in each format.
    pub mistakes: &'static [Mistake],
    /// An example with the problem: lines of a dataset, or a few words on a file.
    pub invalid: &'static str,
    /// The same example without the problem.
    pub valid: &'static str,
}

impl Page {
    /// A page without texts.
    pub const EMPTY: Self = Self { meaning: "", other_words: &[], mistakes: &[], invalid: "", valid: "" };
}

/// Which fixes the findings of a rule may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixable {
    /// Safe fixes.
    Safe,
    /// Fixes that lose or guess something.
    Unsafe,
    /// Either, which depends on the bytes.
    Either,
}

impl Fixable {
    /// `safe`, `unsafe` or `safe or unsafe`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
            Self::Either => "safe or unsafe",
        }
    }

    /// Whether the findings of a rule may have such a fix.
    pub fn allows(self, applicability: Applicability) -> bool {
        match self {
            Self::Safe => applicability == Applicability::Safe,
            Self::Unsafe => applicability == Applicability::Unsafe,
            Self::Either => true,
        }
    }
}

impl Rule {
    /// The category of the rule: the part of its code before the slash.
    pub fn category(&self) -> &'static str {
        self.code.split_once('/').map_or(self.code, |(category, _)| category)
    }
}

/// A problem with typed arguments. Its type is declared where the problem is detected.
///
/// The `rules!` macro declares such a type, with all texts about it.
pub trait Problem: Any {
    /// The rule that is broken.
    fn rule(&self) -> &'static Rule;

    /// The message, in one line.
    fn message(&self) -> String;

    /// The problem with the value at the path, as the end of a sentence that begins with the path: `is "human"`. `None` if the message or
    /// [`Rule::title`] says it.
    fn brief(&self) -> Option<String>;

    /// Advice, in one or two sentences.
    fn hint(&self) -> Option<String>;

    /// Other locations that belong to it.
    fn related(&self) -> Vec<Related>;

    /// The mistake outside of the records that causes this problem, if any. Of the findings with one cause, the first is listed
    /// and the others are only counted, because the correction of that one mistake resolves them all. `None` for a problem that
    /// has to be corrected where it is.
    fn cause(&self) -> Option<Cause>;
}

/// A mistake outside of the records that causes several findings of one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// A mistake that is certain when the first finding is made.
    File(String),
    /// A header that every record contradicts in this way. If one record does not, each finding is a mistake of its own.
    EveryRecord(String),
}

/// Any [`Problem`]. Copies share it.
#[derive(Clone)]
pub struct AnyProblem(Rc<dyn Problem>);

impl AnyProblem {
    /// Whether the problem is of this type.
    pub fn is<P: Problem>(&self) -> bool {
        self.downcast_ref::<P>().is_some()
    }

    /// The problem, if it is of this type.
    pub fn downcast_ref<P: Problem>(&self) -> Option<&P> {
        let problem: &dyn Any = &*self.0;
        problem.downcast_ref()
    }
}

impl<P: Problem> From<P> for AnyProblem {
    fn from(problem: P) -> Self {
        Self(Rc::new(problem))
    }
}

impl Deref for AnyProblem {
    type Target = dyn Problem;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

// The texts for users, so that the engine does not contain a printer for the fields of every problem.
impl fmt::Debug for AnyProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule().code, self.message())
    }
}

/// Two problems are equal when a user cannot tell them apart.
impl PartialEq for AnyProblem {
    fn eq(&self, other: &Self) -> bool {
        self.rule() == other.rule() && self.message() == other.message() && self.hint() == other.hint()
    }
}

/// Declares a group of rules: an enum with a variant for each rule, with typed arguments and all texts.
///
/// - `message` and `hint` are format strings that name the arguments. An argument that needs another `Display` has a type of
///   its own.
/// - `title` is the problem of the value at the path, for a message in a loader's words. `brief` is an expression of arguments: the same
///   with the value.
/// - `related` is another location: its label, and an expression of arguments, which are references. The expression is a
///   [`Location`](crate::finding::Location) or an option of one.
/// - `cause` is an expression of arguments: a [`Cause`] or an option of one.
/// - `fix` says which fixes findings may have ([`Fixable`]), `loss` what a system loses if it loads the dataset.
/// - `applies` says which formats can have the problem ([`Scope`]). A rule without it has the scope after `for`. A group without
///   `for` applies to the formats that list it.
/// - `other_words` are messages of common loaders about the same problem.
/// - `mistakes` are ways to make the mistake: a [`Part`], the text in its place, and after `=>` the text without the mistake, if
///   that differs from the part.
/// - The text after `says` begins all messages of the group.
#[macro_export]
macro_rules! rules {
    (
        $(#[$group_doc:meta])*
        $group:ident $(for $scope:ident)? $(says $begins:literal)? {
            $(
                $variant:ident $({ $($arg:ident : $ty:ty),* $(,)? })? = $code:literal, $severity:ident {
                    summary: $summary:literal,
                    $(title: $title:literal,)?
                    message: $message:literal,
                    $(brief: $brief:expr,)?
                    $(hint: $hint:literal,)?
                    $(related: $label:literal => $related:expr,)?
                    $(cause: $cause:expr,)?
                    $(fix: $fix:ident,)?
                    $(loss: $loss:ident,)?
                    $(applies: $applies:ident,)?
                    meaning: $meaning:literal,
                    $(other_words: [$($words:literal),* $(,)?],)?
                    $(mistakes: [
                        $($part:ident $(($of:literal))? $made:literal $(=> $without:literal)?),* $(,)?
                    ],)?
                    invalid: $invalid:literal,
                    valid: $valid:literal $(,)?
                }
            )*
        }
    ) => {
        $(#[$group_doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub enum $group {
            $(
                #[doc = concat!("`", $code, "`: ", $summary)]
                #[allow(missing_docs, reason = "arguments are named for the message that shows them")]
                $variant $({ $($arg: $ty),* })?,
            )*
        }

        impl $group {
            /// The beginning of every message.
            const BEGINS: &'static str = concat!($($begins)?);

            /// The scope of rules without their own.
            const SCOPE: $crate::rule::Scope =
                [$($crate::rule::Scope::$scope,)? $crate::rule::Scope::Listed][0];

            /// The rules of this group, in the order of their declaration.
            pub const RULES: &'static [$crate::rule::Rule] = &[
                $($crate::rule::Rule {
                    code: $code,
                    severity: $crate::Severity::$severity,
                    summary: $summary,
                    title: concat!($($title)?),
                    fix: [$(Some($crate::rule::Fixable::$fix),)? None][0],
                    loss: [$(Some($crate::Loss::$loss),)? None][0],
                    scope: [$($crate::rule::Scope::$applies,)? Self::SCOPE][0],
                    page: if $crate::rule::HAS_PAGES {
                        &$crate::rule::Page {
                            meaning: $meaning,
                            other_words: &[$($($words),*)?],
                            mistakes: &[$($($crate::rule::Mistake {
                                part: $crate::rule::Part::$part $(($of))?,
                                invalid: $made,
                                valid: [$($without,)? ""][0],
                            }),*)?],
                            invalid: $invalid,
                            valid: $valid,
                        }
                    } else {
                        &$crate::rule::Page::EMPTY
                    },
                },)*
            ];

            /// The message without the beginning that all messages of the group have.
            pub fn detail(&self) -> String {
                match self {
                    $(Self::$variant $({ $($arg),* })? => {
                        $($(let _ = $arg;)*)?
                        format!($message)
                    })*
                }
            }

            /// The index in [`Self::RULES`].
            const fn index(&self) -> usize {
                #[derive(Clone, Copy)]
                enum Index { $($variant),* }
                match self { $(Self::$variant { .. } => Index::$variant as usize,)* }
            }

        }

        impl $crate::rule::Problem for $group {
            fn rule(&self) -> &'static $crate::rule::Rule {
                &Self::RULES[self.index()]
            }

            fn message(&self) -> String {
                [Self::BEGINS, &self.detail()].concat()
            }

            fn brief(&self) -> Option<String> {
                match self {
                    $(Self::$variant $({ $($arg),* })? => {
                        $($(let _ = $arg;)*)?
                        #[allow(unused_mut, unused_assignments, reason = "a title may be enough")]
                        let mut brief = None;
                        $(brief = Some($brief);)?
                        brief
                    })*
                }
            }

            fn hint(&self) -> Option<String> {
                match self {
                    $(Self::$variant $({ $($arg),* })? => {
                        $($(let _ = $arg;)*)?
                        #[allow(unused_mut, unused_assignments, reason = "a rule may have no hint")]
                        let mut hint = None;
                        $(hint = Some(format!($hint));)?
                        hint
                    })*
                }
            }

            fn related(&self) -> Vec<$crate::location::Related> {
                match self {
                    $(Self::$variant $({ $($arg),* })? => {
                        $($(let _ = $arg;)*)?
                        #[allow(unused_mut, unused_assignments, reason = "a rule may have no other place")]
                        let mut related = None;
                        $(related = $crate::location::Related::new($label, $related);)?
                        related.into_iter().collect()
                    })*
                }
            }

            fn cause(&self) -> Option<$crate::rule::Cause> {
                match self {
                    $(Self::$variant $({ $($arg),* })? => {
                        $($(let _ = $arg;)*)?
                        #[allow(unused_mut, unused_assignments, reason = "a rule may stand for itself")]
                        let mut cause = None;
                        $(cause = Option::from($cause);)?
                        cause
                    })*
                }
            }
        }
    };
}
