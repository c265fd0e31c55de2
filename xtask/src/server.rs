//! A web server for the built page: as simple as the static hosts for which the page is made.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;

use anyhow::{Context, Result};
use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, X_CONTENT_TYPE_OPTIONS};
use axum::response::Redirect;
use axum::routing::get;
use tower_http::compression::{CompressionLayer, CompressionLevel};
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

/// A folder that is served on 127.0.0.1 until the process ends.
pub(crate) struct Site {
    address: SocketAddr,
    base: String,
    thread: std::thread::JoinHandle<()>,
}

/// The address at which a folder is served, and the options.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The path below which it is served: `/`, `/evalcheck/`.
    pub(crate) base: &'a str,
    /// The port; 0 takes any free one.
    pub(crate) port: u16,
    /// The number of ports after this one that are tried if it is taken.
    pub(crate) more_ports: u16,
    /// Whether responses are compressed, as on most hosts.
    pub(crate) compressed: bool,
}

impl Place<'_> {
    /// Any free port, at the root.
    pub(crate) const ANY: Place<'static> = Place { base: "/", port: 0, more_ports: 0, compressed: true };
}

impl Site {
    /// Serves `folder`.
    pub(crate) fn start(folder: &Path, place: Place) -> Result<Self> {
        let base = format!("/{}/", place.base.trim_matches('/')).replace("//", "/");
        let listener = bind(place)?;
        let address = listener.local_addr().context("the server has no address")?;
        listener.set_nonblocking(true)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let router = router(folder, &base, place.compressed);
        let thread = std::thread::spawn(move || {
            runtime.block_on(async {
                if let Ok(listener) = tokio::net::TcpListener::from_std(listener) {
                    let _ = axum::serve(listener, router).await;
                }
            });
        });
        Ok(Self { address, base, thread })
    }

    /// The address of the page.
    pub(crate) fn url(&self) -> String {
        format!("http://{}{}", self.address, self.base)
    }

    /// Serves until the process is ended.
    pub(crate) fn wait(self) {
        let _ = self.thread.join();
    }
}

fn bind(place: Place) -> Result<TcpListener> {
    let Place { port, more_ports, .. } = place;
    let ports: Vec<SocketAddr> =
        (port..=port.saturating_add(more_ports)).map(|port| (Ipv4Addr::LOCALHOST, port).into()).collect();
    TcpListener::bind(&*ports)
        .with_context(|| format!("cannot serve at 127.0.0.1:{port} nor at the {more_ports} ports after it"))
}

fn router(folder: &Path, base: &str, compressed: bool) -> Router {
    let files = ServeDir::new(folder);
    let router = if base == "/" {
        Router::new().fallback_service(files)
    } else {
        let to = base.to_owned();
        Router::new()
            .route(base.trim_end_matches('/'), get(async move || Redirect::permanent(&to)))
            .nest_service(base, files)
    };
    let header = |name, value| SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value));
    router
        // It is on this machine: to compress well would take longer than to send.
        .layer(CompressionLayer::new().gzip(compressed).quality(CompressionLevel::Fastest))
        // A reload shows a new build.
        .layer(header(CACHE_CONTROL, "no-cache"))
        .layer(header(X_CONTENT_TYPE_OPTIONS, "nosniff"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    fn site(base: &str, compressed: bool) -> Site {
        let place = Place { base, compressed, ..Place::ANY };
        Site::start(&crate::root().join("xtask"), place).unwrap()
    }

    fn get(site: &Site, path: &str) -> String {
        let mut connection = std::net::TcpStream::connect(site.address).unwrap();
        let headers = "Host: localhost\r\nAccept-Encoding: gzip\r\nConnection: close";
        write!(connection, "GET {path} HTTP/1.1\r\n{headers}\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        connection.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    #[test]
    fn the_folder_is_served_below_its_base_and_nothing_else() {
        let site = site("/some/where", false);
        assert!(site.url().ends_with("/some/where/"));
        let found = get(&site, "/some/where/src/main.rs");
        assert!(found.starts_with("HTTP/1.1 200") && found.contains("nosniff"), "{found}");
        assert!(found.contains("no-cache") && found.contains("fn main()"), "{found}");
        assert!(get(&site, "/some/where").starts_with("HTTP/1.1 308"));
        for path in [
            "/src/main.rs",
            "/some/where/../Cargo.toml",
            "/some/where/%2e%2e/Cargo.toml",
            "/some/where//etc/passwd",
        ] {
            assert!(get(&site, path).starts_with("HTTP/1.1 404"), "{path}");
        }
    }

    #[test]
    fn compression_is_chosen() {
        assert!(get(&site("/", true), "/src/main.rs").contains("content-encoding: gzip"));
        assert!(!get(&site("/", false), "/src/main.rs").contains("content-encoding"));
    }

    #[test]
    fn silent_connections_keep_nobody_waiting() {
        let site = site("/", false);
        let silent: Vec<_> = (0..50).map(|_| std::net::TcpStream::connect(site.address).unwrap()).collect();
        assert!(get(&site, "/Cargo.toml").starts_with("HTTP/1.1 200"));
        drop(silent);
    }
}
