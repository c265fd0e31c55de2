//! The endpoint that a wrong url is meant as.

/// The guess of a change that a file for Azure does not need.
pub(super) const NOT_FOR_AZURE: &str = "which guesses that the file is not for Azure";

/// The endpoint that a url is certainly or probably meant as, and what the change loses or guesses, in words; empty if nothing.
pub(super) fn meant<'k>(url: &str, known: &[&'k str]) -> Option<(&'k str, &'static str)> {
    const HOSTS: [&str; 2] = ["https://api.openai.com/", "http://api.openai.com/"];
    let url = url.trim();
    let own = HOSTS.iter().find_map(|host| url.strip_prefix(host));
    let elsewhere = || Some(url.split_once("://")?.1.split_once('/')?.1);
    let (path, lost) = match (own, elsewhere()) {
        (Some(path), _) => (path, ""),
        (None, Some(path)) => (path, "which loses the address of the server"),
        (None, None) => (url, ""),
    };
    let path = path.trim_matches('/');
    let is_it = |endpoint: &&&str| endpoint.trim_start_matches('/') == path;
    let lacks_version = |endpoint: &&&str| endpoint.strip_prefix("/v1/") == Some(path);
    let same = known.iter().find(is_it).map(|endpoint| (*endpoint, lost));
    let guessed = || {
        let endpoint = known.iter().find(lacks_version)?;
        Some((*endpoint, if lost.is_empty() { NOT_FOR_AZURE } else { lost }))
    };
    same.or_else(guessed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_recognized_in_a_url() {
        const KNOWN: [&str; 2] = ["/v1/chat/completions", "/v1/embeddings"];
        for (url, expected) in [
            ("https://api.openai.com/v1/chat/completions", Some(("/v1/chat/completions", ""))),
            ("v1/embeddings", Some(("/v1/embeddings", ""))),
            ("/v1/embeddings/", Some(("/v1/embeddings", ""))),
            (
                "http://localhost:8000/v1/embeddings",
                Some(("/v1/embeddings", "which loses the address of the server")),
            ),
            (
                "/chat/completions",
                Some(("/v1/chat/completions", "which guesses that the file is not for Azure")),
            ),
            ("/v1/chat", None),
            ("", None),
        ] {
            assert_eq!(meant(url, &KNOWN), expected, "{url}");
        }
    }
}
