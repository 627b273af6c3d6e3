/* chain.rs - iterators, closures and traits, inlined into each other */
use std::collections::HashMap;
use std::fmt::Debug;

trait Shape {
    fn area(&self) -> f64;
}

#[derive(Debug, Clone)]
struct Square(f64);

impl Shape for Square {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
}

mod deep {
    pub mod deeper {
        #[inline(always)]
        pub fn mix(value: u32) -> u32 {
            (value ^ (value >> 15)).wrapping_mul(0x2c1b3c6d)
        }

        #[inline(never)]
        pub fn sum_of(values: &[u32]) -> u32 {
            values.iter().map(|v| mix(*v)).filter(|v| v % 3 != 0).fold(0, |a, b| a.wrapping_add(b))
        }
    }
}

#[inline(never)]
fn count<T: Debug>(things: &[T]) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for thing in things {
        *counts.entry(format!("{:?}", thing)).or_insert(0) += 1;
    }
    counts
}

fn main() {
    let nr = std::env::args().count() as u32;
    let values: Vec<u32> = (0..nr * 10).rev().collect();
    let shapes: Vec<Box<dyn Shape>> =
        values.iter().map(|v| Box::new(Square(*v as f64)) as Box<dyn Shape>).collect();
    let area: f64 = shapes.iter().map(|s| s.area()).sum();
    let mut words: Vec<String> = std::env::args().collect();
    words.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    println!("{} {} {:?} {:?}", area, deep::deeper::sum_of(&values), count(&values).len(), words);
}
