//! Reads jobs from standard input, one a line, and runs them.

mod job;
mod queue;

use std::io;

use queue::Queue;

fn main() {
    let mut queue = Queue::new();
    for line in io::stdin().lines().map_while(Result::ok) {
        if let Err(error) = queue.push(&line) {
            eprintln!("worker: {error}");
        }
    }
    while let Some(job) = queue.pop() {
        println!("{}", job.run());
    }
    queue.close();
}
