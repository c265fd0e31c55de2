//! A web server for the built page: as plain as the static hosts that the page is made for.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, LOCATION, X_CONTENT_TYPE_OPTIONS};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use percent_encoding::percent_decode_str;

/// A folder that is served on 127.0.0.1 until the process ends.
pub(crate) struct Site {
    address: SocketAddr,
    base: String,
    thread: std::thread::JoinHandle<()>,
}

impl Site {
    /// Serves `folder` below the path `base` (`/`, `/evalcheck/`), at `port` or, when that is taken, at one of the
    /// `more` ports after it. Port 0 takes any free one.
    pub(crate) fn start(folder: &Path, base: &str, port: u16, more: u16) -> Result<Self> {
        let base = format!("/{}/", base.trim_matches('/')).replace("//", "/");
        let listener = bind(port, more)?;
        let address = listener.local_addr().context("the server has no address")?;
        listener.set_nonblocking(true)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let place = Arc::new((folder.to_path_buf(), base.clone()));
        let thread = std::thread::spawn(move || runtime.block_on(serve(listener, place)));
        Ok(Self { address, base, thread })
    }

    /// Where the page is.
    pub(crate) fn url(&self) -> String {
        format!("http://{}{}", self.address, self.base)
    }

    /// Serves until the process is ended.
    pub(crate) fn wait(self) {
        let _ = self.thread.join();
    }
}

fn bind(port: u16, more: u16) -> Result<TcpListener> {
    let ports: Vec<SocketAddr> =
        (port..=port.saturating_add(more)).map(|port| (Ipv4Addr::LOCALHOST, port).into()).collect();
    TcpListener::bind(&*ports)
        .with_context(|| format!("cannot serve at 127.0.0.1:{port} nor at the {more} ports after it"))
}

/// Answers on every connection at the same time: browsers keep several open, and some of them silent.
async fn serve(listener: TcpListener, place: Arc<(PathBuf, String)>) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    loop {
        let Ok((connection, _)) = listener.accept().await else { continue };
        let place = Arc::clone(&place);
        let service = service_fn(move |request: Request<Incoming>| {
            let answer = answer(&request, &place.0, &place.1);
            async { Ok::<_, Infallible>(answer) }
        });
        tokio::spawn(async move {
            // It fails when the browser went away, which concerns nobody.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(connection), service).await;
        });
    }
}

fn answer(request: &Request<Incoming>, folder: &Path, base: &str) -> Response<Full<Bytes>> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return refusal(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD\n");
    }
    let path = request.uri().path();
    if path == base.trim_end_matches('/') && path != base {
        let mut moved = refusal(StatusCode::MOVED_PERMANENTLY, "");
        moved.headers_mut().extend(base.parse().ok().map(|to| (LOCATION, to)));
        return moved;
    }
    let found = path.strip_prefix(base).and_then(|rest| file_path(folder, rest)).and_then(|file| {
        let file = if file.is_dir() { file.join("index.html") } else { file };
        Some((std::fs::read(&file).ok()?, file))
    });
    let Some((content, file)) = found else { return refusal(StatusCode::NOT_FOUND, "not found\n") };
    let response = Response::builder()
        .header(CONTENT_TYPE, content_type(&file))
        .header(X_CONTENT_TYPE_OPTIONS, "nosniff")
        // A new build shows at the next reload.
        .header(CACHE_CONTROL, "no-cache")
        .body(Full::from(content));
    response.unwrap_or_else(|error| refusal(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()))
}

fn refusal(status: StatusCode, text: &str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::from(text.to_owned()));
    *response.status_mut() = status;
    response
}

/// The file that a path names; `None` when it would lead out of the folder.
fn file_path(folder: &Path, path: &str) -> Option<PathBuf> {
    let decoded = percent_decode_str(path).decode_utf8().ok()?;
    let plain = Path::new(decoded.as_ref()).components().all(|part| matches!(part, Component::Normal(_)));
    (plain && !decoded.contains(['\\', ':', '\0'])).then(|| folder.join(decoded.as_ref()))
}

fn content_type(file: &Path) -> String {
    let kind = mime_guess::from_path(file).first_or_octet_stream();
    let text = kind.type_() == "text" || kind.subtype() == "javascript" || kind.subtype() == "json";
    if text { format!("{kind}; charset=utf-8") } else { kind.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    fn get(site: &Site, path: &str) -> String {
        let mut connection = std::net::TcpStream::connect(site.address).unwrap();
        write!(connection, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn the_folder_is_served_below_its_base_and_nothing_else() {
        let site = Site::start(&crate::root().join("xtask"), "/some/where", 0, 0).unwrap();
        assert!(site.url().ends_with("/some/where/"));
        let found = get(&site, "/some/where/src/main.rs");
        assert!(found.starts_with("HTTP/1.1 200") && found.contains("nosniff"), "{found}");
        assert!(get(&site, "/some/where").starts_with("HTTP/1.1 301"));
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
    fn silent_connections_keep_nobody_waiting() {
        let site = Site::start(&crate::root().join("xtask"), "/", 0, 0).unwrap();
        let silent: Vec<_> = (0..50).map(|_| std::net::TcpStream::connect(site.address).unwrap()).collect();
        assert!(get(&site, "/Cargo.toml").starts_with("HTTP/1.1 200"));
        drop(silent);
    }

    #[test]
    fn modules_and_wasm_get_the_types_that_browsers_insist_on() {
        assert_eq!(content_type(Path::new("a.wasm")), "application/wasm");
        assert_eq!(content_type(Path::new("a.js")), "text/javascript; charset=utf-8");
        assert_eq!(content_type(Path::new("a.html")), "text/html; charset=utf-8");
    }
}
