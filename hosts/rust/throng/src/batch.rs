//! Many questions at once: what a batch is. Its calls are in ffi/calls.rs.

use crate::answers::Meeting;
use crate::executor::Executor;
use crate::ffi;
use crate::Result;

/// Asks in blocks on an executor, and keeps the answers. It serves one call at a time, so take one for each thread that
/// asks. Its memory stays from one call to the next, so steady frames allocate nothing.
///
/// Answers live until the batch is used again:
///
/// ```compile_fail,E0499
/// # let crowd = throng::Crowd::<2>::new().unwrap();
/// # let mut batch = throng::Batch::new().unwrap();
/// let near = batch.neighbours(&crowd, &throng::Neighbourhood::within(1.0)).unwrap();
/// let far = batch.neighbours(&crowd, &throng::Neighbourhood::within(9.0)).unwrap();
/// println!("{} {}", near.len(), far.len());
/// ```
///
/// They do not borrow the crowd, which may move on meanwhile:
///
/// ```
/// # let mut crowd = throng::Crowd::<2>::new().unwrap();
/// # let mut batch = throng::Batch::new().unwrap();
/// let near = batch.neighbours(&crowd, &throng::Neighbourhood::within(1.0))?;
/// crowd.update(&[[1.0, 2.0]])?;
/// assert_eq!(near.len(), 0);
/// # Ok::<(), throng::Error>(())
/// ```
///
/// Shapes are of the crowd's dimension, and only paths have a first hit:
///
/// ```compile_fail,E0277
/// # let crowd = throng::Crowd::<2>::new().unwrap();
/// # let mut batch = throng::Batch::new().unwrap();
/// batch.query(&crowd, &[throng::Ball { centre: [0.0, 0.0, 0.0], radius: 1.0 }]);
/// ```
/// ```compile_fail,E0277
/// # let crowd = throng::Crowd::<2>::new().unwrap();
/// # let mut batch = throng::Batch::new().unwrap();
/// batch.first(&crowd, &[throng::Ball { centre: [0.0, 0.0], radius: 1.0 }]); // a ball is no path
/// ```
#[derive(Debug)]
pub struct Batch {
    pub(crate) handle: ffi::BatchHandle,
    pub(crate) counts: Vec<u32>,
    found: Vec<bool>,
    pub(crate) meetings: Vec<Meeting>,
    /// What the handle runs on; it ends after it.
    _executor: Option<Executor>,
}

impl Batch {
    /// On the default executor.
    pub fn new() -> Result<Self> {
        Self::make(None)
    }
    pub fn on(executor: &Executor) -> Result<Self> {
        Self::make(Some(executor))
    }
    fn make(executor: Option<&Executor>) -> Result<Self> {
        let handle = ffi::batch(executor)?;
        Ok(Batch { handle, counts: Vec::new(), found: Vec::new(), meetings: Vec::new(), _executor: executor.cloned() })
    }

    /// Which of the counts are not zero.
    pub(crate) fn found(&mut self) -> &[bool] {
        self.found.clear();
        self.found.extend(self.counts.iter().map(|&found| found != 0));
        &self.found
    }
}
