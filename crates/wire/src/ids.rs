//! Numbers by which the page and the worker name checks and requests.

/// A number that the page gives to a check or to a file that it requests, growing.
pub type CheckId = u32;

/// A number that the page gives to a request about a check, growing.
pub type RequestId = u32;
