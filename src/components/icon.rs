//! Icons, as strokes on a 24 by 24 grid. They are decorative, because text beside them has the same meaning.

use yew::prelude::*;

/// An icon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Icon {
    /// A tick.
    Check,
    /// A cross.
    Cross,
    /// A triangle with an exclamation mark.
    Warning,
    /// A circle with an i.
    Info,
    /// A circle with a dash.
    Unknown,
    /// A sheet with lines.
    Sheet,
    /// A sheet with an arrow into it.
    Drop,
    /// A padlock.
    Lock,
    /// Two sheets.
    Copy,
    /// An arrow to a line.
    Download,
    /// Half a disc.
    Auto,
    /// A sun.
    Sun,
    /// A moon.
    Moon,
    /// An arrow up.
    Up,
    /// An arrow down.
    Down,
    /// A chevron that points down.
    Expand,
    /// Three dots.
    More,
    /// An arrow to the left.
    Left,
    /// A paper clip.
    Clip,
    /// Two corners of a square.
    Maximize,
}

impl Icon {
    /// The path of its strokes.
    const fn path(self) -> &'static str {
        match self {
            Self::Maximize => "M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7",
            Self::Check => "M5 12.5l4.5 4.5L19 7.5",
            Self::Cross => "M6.5 6.5l11 11M17.5 6.5l-11 11",
            Self::Warning => "M12 4L2.8 19.5h18.4zM12 10v4.5M12 17v.2",
            Self::Info => "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5M12 8v.2",
            Self::Unknown => "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8 12h8",
            Self::Sheet => {
                "M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8zM14 3v5h5M9 12.5h6M9 16.5h6"
            }
            Self::Drop => {
                "M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8zM14 3v5h5M12 10.5v6.5M9 14.2l3 3 3-3"
            }
            Self::Lock => {
                "M6 11h12a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1zM8 11V8a4 4 0 0 1 8 0v3"
            }
            Self::Copy => {
                "M9 9h9a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1zM5 15V4a1 1 0 0 1 1-1h9"
            }
            Self::Expand => "M6 9.500l6 6 6-6",
            Self::More => "M5 12v.01M12 12v.01M19 12v.01",
            Self::Download => "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 20h14",
            Self::Auto => {
                "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 3v18M12 8l6.2-1.6M12 13l8.9-2M12 18l6.5-1.6"
            }
            Self::Sun => {
                "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4"
            }
            Self::Moon => "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
            Self::Up => "M12 19V5M6 11l6-6 6 6",
            Self::Down => "M12 5v14M6 13l6 6 6-6",
            Self::Left => "M19 12H5M11 6l-6 6 6 6",
            Self::Clip => {
                "M19 11.5l-7.5 7.5a4.6 4.6 0 0 1-6.5-6.5l8-8a3 3 0 0 1 4.3 4.3l-8 8a1.4 1.4 0 0 1-2-2l7-7"
            }
        }
    }

    /// Renders the icon as SVG, hidden from screen readers.
    pub(crate) fn draw(self) -> Html {
        html! {
            <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d={self.path()} /></svg>
        }
    }
}
