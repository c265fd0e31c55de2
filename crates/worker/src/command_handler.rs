//! Handles the commands of the page.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use evalcheck_blob::FileSnapshot;
use evalcheck_engine::rejects::Rejects;
use evalcheck_wire::fix::EditPlan;
use evalcheck_wire::worker::{CheckId, CheckOptions, Command, Event, RequestId};
use web_sys::Blob;

use crate::check::{self, FileCheck};
use crate::diff::diff;
use crate::port::{self, Request};
use crate::purpose::Purpose;
use crate::watch;

/// The most lines in one answer.
const MOST_LINES: u32 = 500;

/// The most bytes of an attachment that are read for a preview. A larger PDF or picture is not shown.
const MOST_ATTACHMENT: usize = 32 << 20;

/// Owns the checks. A finished check is kept to answer questions about its lines.
#[derive(Default)]
pub(crate) struct CommandHandler {
    /// The check that answers questions.
    current: RefCell<Option<Rc<FileCheck>>>,
    /// The check of a changed file, or for a change. It takes the place of the current one with the first question about it.
    next: RefCell<Option<Rc<FileCheck>>>,
}

impl CommandHandler {
    /// Executes the command of a request.
    pub(crate) fn handle(&self, request: Request) {
        match request.command {
            Command::Check { job, options, shown } => {
                self.check(job, options, Purpose::Report, request.file, shown);
            }
            Command::Fix { job, options, change, shown } => {
                self.check(job, options, change.into(), request.file, shown);
            }
            Command::InvalidRecords { job, options } => {
                let Some((file, snapshot)) = request.file else { return };
                let purpose = Purpose::InvalidRecords(Rejects::default());
                match FileCheck::start(job, file, snapshot, options, purpose) {
                    Ok(check) => wasm_bindgen_futures::spawn_local(check.run()),
                    Err(why) => check::export(job, Err(why)),
                }
            }
            Command::Diff { job } => {
                let (Some((file, _)), Some(original)) = (request.file, request.original) else { return };
                wasm_bindgen_futures::spawn_local(async move {
                    let name = check::name_of(&original);
                    check::export(job, diff(original, file, &name).await);
                });
            }
            Command::Apply { job, check, fix } => {
                if let Some(check) = self.find(check) {
                    let mut plan = EditPlan::default();
                    plan.add(&fix);
                    wasm_bindgen_futures::spawn_local(async move { check.apply(job, plan, 1).await });
                }
            }
            Command::Cancel { job } => {
                self.next
                    .borrow_mut()
                    .take_if(|check| check.id() == job)
                    .iter()
                    .for_each(|check| check.cancel());
                if let Some(check) = self.find(job) {
                    check.cancel();
                }
            }
            Command::Lines { job, request, from, count } => {
                self.answer(job, request, |check| {
                    let lines = check.lines(from.max(1), count.min(MOST_LINES))?;
                    Ok(Event::Lines { job, request, lines })
                });
            }
            Command::InvalidLine { job, request, from, direction } => {
                self.answer(job, request, |check| {
                    Ok(Event::InvalidLine { job, request, line: check.check().invalid_line(from, direction) })
                });
            }
            Command::Record { job, request, line, at } => {
                self.answer(job, request, |check| {
                    let record = check.record(line, at)?.map(Box::new);
                    Ok(Event::Record { job, request, record })
                });
            }
            Command::Judge { job, request, line, text } => {
                self.answer(job, request, |check| {
                    let judged = check.judge(line, &text)?;
                    Ok(Event::Judged { job, request, judged })
                });
            }
            Command::Attachment { job, request, entry } => {
                let Some(check) = self.find(job) else { return };
                match check.attachment(&entry, MOST_ATTACHMENT) {
                    Ok((attachment, bytes)) => {
                        port::post_with(
                            &Event::Attachment { job, request, attachment: Ok(attachment) },
                            &bytes,
                        );
                    }
                    Err(why) => port::post(&Event::Attachment { job, request, attachment: Err(why) }),
                }
            }
            Command::Ping => port::post(&Event::Pong),
        }
    }

    /// Starts a check, and ends the others but the one that is shown meanwhile.
    fn check(
        &self,
        job: CheckId,
        options: CheckOptions,
        purpose: Purpose,
        file: Option<(Blob, FileSnapshot)>,
        shown: Option<CheckId>,
    ) {
        let is_beside = shown.and_then(|shown| self.find(shown)).is_some();
        let others = [self.next.take(), if is_beside { None } else { self.current.take() }];
        others.iter().flatten().for_each(|check| check.end());
        let Some((file, snapshot)) = file else {
            return watch::died("The command to check came without a file.");
        };
        match FileCheck::start(job, file, snapshot, options, purpose) {
            Ok(check) => {
                let place = if is_beside { &self.next } else { &self.current };
                place.replace(Some(Rc::clone(&check)));
                wasm_bindgen_futures::spawn_local(check.run());
            }
            Err(why) => watch::died(&why),
        }
    }

    /// The check with this number. Questions about an older one are dropped.
    fn find(&self, job: CheckId) -> Option<Rc<FileCheck>> {
        if let Some(next) = self.next.borrow_mut().take_if(|check| check.id() == job)
            && let Some(old) = self.current.replace(Some(next))
        {
            old.end();
        }
        self.current.borrow().as_ref().filter(|check| check.id() == job).map(Rc::clone)
    }

    /// Posts the answer to a question, or why there is none.
    fn answer(&self, job: CheckId, request: RequestId, ask: impl FnOnce(&FileCheck) -> io::Result<Event>) {
        let Some(check) = self.find(job) else { return };
        port::post(&ask(&check).unwrap_or_else(|error| {
            let message = error.to_string();
            Event::Unavailable { job, request, message }
        }));
    }
}
