//! A web server for the built page: as plain as the static hosts that the page is made for.

use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use percent_encoding::percent_decode_str;
use tiny_http::{Header, Method, Request, Response, Server};

/// As many files at once; a browser asks for six.
const THREADS: usize = 6;

/// A folder that is served on 127.0.0.1 until the process ends.
pub(crate) struct Site {
    address: SocketAddr,
    base: String,
    threads: Vec<std::thread::JoinHandle<()>>,
}

impl Site {
    /// Serves `folder` below the path `base` (`/`, `/evalcheck/`), at `port` or, when that is taken, at one of the
    /// `more` ports after it. Port 0 takes any free one.
    pub(crate) fn start(folder: &Path, base: &str, port: u16, more: u16) -> Result<Self> {
        let base = format!("/{}/", base.trim_matches('/')).replace("//", "/");
        let (server, address) = bind(port, more)?;
        let server = Arc::new(server);
        let threads = (0..THREADS)
            .map(|_| {
                let (server, folder, base) = (Arc::clone(&server), folder.to_path_buf(), base.clone());
                std::thread::spawn(move || {
                    while let Ok(request) = server.recv() {
                        // It fails when the browser went away, which concerns nobody.
                        let _ = answer(request, &folder, &base);
                    }
                })
            })
            .collect();
        Ok(Self { address, base, threads })
    }

    /// Where the page is.
    pub(crate) fn url(&self) -> String {
        format!("http://{}{}", self.address, self.base)
    }

    /// Serves until the process is ended.
    pub(crate) fn wait(self) {
        for thread in self.threads {
            let _ = thread.join();
        }
    }
}

fn bind(port: u16, more: u16) -> Result<(Server, SocketAddr)> {
    let mut refused = None;
    for port in port..=port.saturating_add(more) {
        match Server::http((Ipv4Addr::LOCALHOST, port)) {
            Ok(server) => {
                let address = server.server_addr().to_ip().context("the server has no address")?;
                return Ok((server, address));
            }
            Err(error) => refused = Some(error),
        }
    }
    let reason = refused.map_or_else(String::new, |error| error.to_string());
    Err(anyhow!("cannot serve at 127.0.0.1:{port} nor at the {more} ports after it: {reason}"))
}

fn answer(request: Request, folder: &Path, base: &str) -> std::io::Result<()> {
    if !matches!(request.method(), Method::Get | Method::Head) {
        return request.respond(Response::from_string("only GET and HEAD\n").with_status_code(405));
    }
    let path = request.url().split(['?', '#']).next().unwrap_or_default();
    if path == base.trim_end_matches('/') && path != base {
        let moved = Response::empty(301).with_header(header("Location", base));
        return request.respond(moved);
    }
    let found = path.strip_prefix(base).and_then(|rest| file_path(folder, rest)).and_then(|file| {
        let file = if file.is_dir() { file.join("index.html") } else { file };
        Some((File::open(&file).ok().filter(|_| file.is_file())?, file))
    });
    let Some((content, file)) = found else {
        return request.respond(Response::from_string("not found\n").with_status_code(404));
    };
    let response = Response::from_file(content)
        .with_header(header("Content-Type", &content_type(&file)))
        .with_header(header("X-Content-Type-Options", "nosniff"))
        // A new build shows at the next reload.
        .with_header(header("Cache-Control", "no-cache"));
    request.respond(response)
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

/// A header of fixed, plain text.
#[expect(
    clippy::expect_used,
    reason = "it fails on what is not ASCII, which neither a content type nor a base path is"
)]
fn header(name: &str, value: &str) -> Header {
    Header::from_bytes(name, value).expect("ASCII")
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
    fn modules_and_wasm_get_the_types_that_browsers_insist_on() {
        assert_eq!(content_type(Path::new("a.wasm")), "application/wasm");
        assert_eq!(content_type(Path::new("a.js")), "text/javascript; charset=utf-8");
        assert_eq!(content_type(Path::new("a.html")), "text/html; charset=utf-8");
    }
}
