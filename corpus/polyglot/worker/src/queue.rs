use std::collections::VecDeque;

use crate::job::Job;

/// Jobs that wait, oldest first.
#[derive(Debug, Default)]
pub struct Queue {
    jobs: VecDeque<Job>,
}

impl Queue {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the job that a line describes.
    pub fn push(&mut self, line: &str) -> Result<(), String> {
        self.jobs.push_back(Job::parse(line)?);
        Ok(())
    }

    pub fn pop(&mut self) -> Option<Job> {
        self.jobs.pop_front()
    }

    /// Drops what still waits.
    pub fn close(mut self) {
        self.jobs.clear();
    }
}
