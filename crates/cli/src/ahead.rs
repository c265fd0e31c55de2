//! Finds known lines of a file on separate threads, ahead of its check.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use evalcheck_engine::check::known_lines::{FoundLines, LineRules, LineScanner};
use evalcheck_engine::parts::FEWEST;

use crate::file_again::FileAgain;

/// The number of bytes that a thread reads at once: bytes copied from the system's cache are still in the cache of the core when they are
/// scanned. With 512 KiB, two threads take half as long again.
const PIECE: u64 = 256 << 10;

/// The size of a file from which a second thread is worth its start.
pub(crate) const SMALLEST: u64 = 16 << 20;

/// The number of consecutive pieces without known lines after which a thread ends: it would only take time from the check, which reads
/// all of them.
const HOPELESS: usize = 64;

/// The most pieces of each thread that wait for the check; a thread that is further ahead blocks.
const WAITING: usize = 64;

/// The most pieces of each thread that wait for a check with statistics. The statistics of a piece take about 100 KB.
const WAITING_STATISTICS: usize = 8;

/// The default number of threads: the number of cores.
pub(crate) fn cores() -> NonZero<usize> {
    thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// The known lines of a piece, by the number of the piece.
type Found = (u64, Vec<FoundLines>);

/// The known lines of a file, in order. Waits for the threads that find them. A piece that cannot be read has none: the check then reads
/// it, and reports the error.
#[derive(Debug)]
pub(crate) struct Ahead {
    found: Receiver<Found>,
    /// Pieces that arrived before their turn.
    early: BTreeMap<u64, Vec<FoundLines>>,
    /// The next piece in order.
    next: u64,
    current: std::vec::IntoIter<FoundLines>,
}

impl Ahead {
    /// Starts `jobs` threads. They end with the file, or when this is dropped.
    ///
    /// # Errors
    /// No thread can be started.
    pub(crate) fn start(file: &FileAgain, size: u64, rules: &LineRules, jobs: usize) -> io::Result<Self> {
        let waiting = if rules.counts_statistics() { WAITING_STATISTICS } else { WAITING };
        let (send, found) = sync_channel(jobs * waiting);
        let next_piece = Arc::new(AtomicU64::new(0));
        for _ in 0..jobs {
            let (send, next_piece, file, rules) =
                (send.clone(), next_piece.clone(), file.clone(), rules.clone());
            thread::Builder::new().name("lines".to_owned()).spawn(move || {
                if let Some(scanner) = LineScanner::new(&rules, FEWEST) {
                    scan_pieces(&file, size, scanner, &next_piece, &send);
                }
            })?;
        }
        Ok(Self { found, early: BTreeMap::new(), next: 0, current: Vec::new().into_iter() })
    }

    /// The lines of the next piece in order; `None` after the last one.
    fn next_piece(&mut self) -> Option<Vec<FoundLines>> {
        loop {
            if let Some(lines) = self.early.remove(&self.next) {
                self.next += 1;
                return Some(lines);
            }
            let (piece, lines) = self.found.recv().ok()?;
            self.early.insert(piece, lines);
        }
    }
}

impl Iterator for Ahead {
    type Item = FoundLines;

    fn next(&mut self) -> Option<FoundLines> {
        loop {
            if let Some(lines) = self.current.next() {
                return Some(lines);
            }
            self.current = self.next_piece()?.into_iter();
        }
    }
}

/// Scans pieces of a file until none is left, the receiver is gone, or many pieces in a row had no known lines.
fn scan_pieces(
    file: &FileAgain,
    size: u64,
    mut scanner: LineScanner,
    next_piece: &AtomicU64,
    send: &SyncSender<Found>,
) {
    let mut file = file.open();
    let mut without = 0;
    while without < HOPELESS {
        let piece = next_piece.fetch_add(1, Ordering::Relaxed);
        let start = piece.saturating_mul(PIECE);
        if start >= size {
            return;
        }
        let length = usize::try_from(PIECE.min(size - start)).unwrap_or(0);
        let buffer = scanner.buffer(length);
        let is_read = file.as_mut().is_ok_and(|file| file.read_exact_at(start, buffer).is_ok());
        let lines = if is_read { scanner.scan(start, length) } else { Vec::new() };
        without = if lines.is_empty() { without + 1 } else { 0 };
        if send.send((piece, lines)).is_err() {
            return;
        }
    }
}
