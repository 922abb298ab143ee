//! How long everything is measured: all benches together take less than 15 minutes on two cores.

use criterion::BenchmarkGroup;
use criterion::measurement::Measurement;
use std::time::Duration;

/// Until caches and branch predictors know what is coming.
const WARM_UP: Duration = Duration::from_millis(300);

/// For all samples of one number together; what takes longer than this for as many samples takes as long as it takes.
const MEASURED: Duration = Duration::from_millis(1_500);

/// Samples of each number, which is as few as give a spread.
const N_SAMPLES: usize = 10;

/// Gives a group its pace.
pub(crate) fn set(group: &mut BenchmarkGroup<'_, impl Measurement>) {
    group.sample_size(N_SAMPLES).warm_up_time(WARM_UP).measurement_time(MEASURED);
}
