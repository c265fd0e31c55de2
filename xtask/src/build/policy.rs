//! The content security policy: read from index.html, changed, and written again.

use std::fmt;

use anyhow::{Context, Result};

/// Directives and their sources, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Policy(Vec<(String, Vec<String>)>);

impl Policy {
    /// Parses a policy.
    pub(super) fn parse(text: &str) -> Self {
        let directive = |text: &str| {
            let mut words = text.split_ascii_whitespace().map(str::to_owned);
            words.next().map(|name| (name, words.collect()))
        };
        Self(text.split(';').filter_map(directive).collect())
    }

    /// Adds a source to a directive that the policy has.
    pub(super) fn allow(&mut self, directive: &str, source: String) -> Result<()> {
        let found = self.0.iter_mut().find(|(name, _)| name == directive);
        found.with_context(|| format!("the content security policy has no {directive}"))?.1.push(source);
        Ok(())
    }

    /// Adds a directive.
    pub(super) fn add(&mut self, directive: &str, sources: &[&str]) {
        self.0.push((directive.to_owned(), sources.iter().copied().map(str::to_owned).collect()));
    }

    /// Removes sources from all directives, and directives that have none left: by default nothing is allowed either.
    pub(super) fn forget(&mut self, is_forgotten: impl Fn(&str) -> bool) {
        self.0.retain_mut(|(_, sources)| {
            let had = !sources.is_empty();
            sources.retain(|source| !is_forgotten(source));
            !had || !sources.is_empty()
        });
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (name, sources)) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str("; ")?;
            }
            f.write_str(name)?;
            for source in sources {
                write!(f, " {source}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_is_changed_and_written_as_it_was_read() {
        let text =
            "default-src 'none'; script-src 'self' 'sha256-x'; connect-src 'self'; upgrade-insecure-requests";
        let mut policy = Policy::parse(text);
        assert_eq!(policy.to_string(), text);
        policy.forget(|source| source == "'self'");
        assert_eq!(
            policy.to_string(),
            "default-src 'none'; script-src 'sha256-x'; upgrade-insecure-requests"
        );
        policy.allow("script-src", "'sha256-y'".to_owned()).unwrap();
        policy.add("style-src", &["'sha256-z'"]);
        assert!(
            policy.to_string().ends_with(
                "script-src 'sha256-x' 'sha256-y'; upgrade-insecure-requests; style-src 'sha256-z'"
            )
        );
        assert!(policy.allow("connect-src", "x".to_owned()).is_err());
    }
}
