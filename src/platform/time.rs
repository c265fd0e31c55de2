//! The page's clock.

/// Milliseconds since the page was opened.
pub(crate) fn now_ms() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |performance| performance.now())
}
