//! Measures the processor time of this process in the place of wall time, so that other work on the machine moves figures less.
//!
//! For stages of one thread; where several work, their times add up.

use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Time of all processors.
pub(crate) struct ProcessorTime(WallTime);

impl ProcessorTime {
    /// A clock; times are written as wall times are.
    pub(crate) fn new() -> Self {
        Self(WallTime)
    }
}

impl Measurement for ProcessorTime {
    type Intermediate = Duration;
    type Value = Duration;

    fn start(&self) -> Duration {
        let now = clock_gettime(ClockId::ProcessCPUTime);
        Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
    }

    fn end(&self, start: Duration) -> Duration {
        self.start().saturating_sub(start)
    }

    fn add(&self, first: &Duration, second: &Duration) -> Duration {
        *first + *second
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        self.0.to_f64(value)
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        self.0.formatter()
    }
}
