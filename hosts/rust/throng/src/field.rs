//! A field of every element of a slice, read where it lies.

use std::marker::PhantomData;
use std::mem::size_of;

/// Values that lie at equal distances: a slice, or one field of each element of a slice. Nothing is copied.
///
/// ```
/// struct Boid { position: [f32; 2], heading: f32 }
/// let boids = [Boid { position: [1.0, 2.0], heading: 0.0 }, Boid { position: [3.0, 4.0], heading: 0.5 }];
/// let positions = throng::Field::of(&boids, |boid| &boid.position);
/// assert_eq!((positions.len(), positions.get(1)), (2, Some(&[3.0, 4.0])));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Field<'a, F> {
    /// Of the first value; the one with index i is `stride` * i bytes behind it, and lives for 'a.
    first: *const F,
    stride: usize,
    len: usize,
    values: PhantomData<&'a [F]>,
}

impl<'a, F> Field<'a, F> {
    /// The field that `field` borrows from each element.
    ///
    /// Every element is looked at: what `field` returns must lie at the same place in each. Of a plain field the
    /// compiler sees that, and makes no loop.
    ///
    /// # Panics
    /// If `field` returns something that does not lie in the element, or lies elsewhere in different elements.
    pub fn of<T>(elements: &'a [T], field: impl Fn(&'a T) -> &'a F) -> Self {
        let place = |element: &'a T| {
            let value: *const F = field(element);
            (value as usize).wrapping_sub(element as *const T as usize)
        };
        let offset = elements.first().map_or(0, place);
        // With that, and each value borrowed for 'a, whatever is read by stride is what `field` has returned.
        assert!(
            elements.is_empty() || offset.saturating_add(size_of::<F>()) <= size_of::<T>(),
            "the field does not lie in the element"
        );
        assert!(
            elements.iter().all(|element| place(element) == offset),
            "the field lies elsewhere in different elements"
        );
        Field {
            first: elements.as_ptr().cast::<u8>().wrapping_add(offset).cast::<F>(),
            stride: size_of::<T>(),
            len: elements.len(),
            values: PhantomData,
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    pub fn get(&self, index: usize) -> Option<&'a F> {
        (index < self.len).then(|| crate::ffi::value_of(self, index))
    }
    pub(crate) fn address(&self) -> *const F {
        self.first
    }
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }
}

impl<'a, E, const N: usize> Field<'a, [E; N]> {
    /// One coordinate of each value.
    ///
    /// # Panics
    /// If there is no such axis.
    pub fn axis(&self, axis: usize) -> Field<'a, E> {
        assert!(axis < N, "there are {} axes, and no axis {}", N, axis);
        Field {
            first: self.first.cast::<E>().wrapping_add(axis),
            stride: self.stride,
            len: self.len,
            values: PhantomData,
        }
    }
}

impl<'a, F> From<&'a [F]> for Field<'a, F> {
    fn from(values: &'a [F]) -> Self {
        Field { first: values.as_ptr(), stride: size_of::<F>(), len: values.len(), values: PhantomData }
    }
}

impl<'a, F> From<&'a Vec<F>> for Field<'a, F> {
    fn from(values: &'a Vec<F>) -> Self {
        values.as_slice().into()
    }
}

impl<'a, F, const M: usize> From<&'a [F; M]> for Field<'a, F> {
    fn from(values: &'a [F; M]) -> Self {
        values.as_slice().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Element {
        _name: u8,
        place: [f64; 3],
        weight: f32,
    }

    fn elements() -> Vec<Element> {
        (0..5).map(|i| Element { _name: 0, place: [f64::from(i), 0.5, -1.0], weight: 2.0 * i as f32 }).collect()
    }

    #[test]
    fn fields_are_read_where_they_lie() {
        let elements = elements();
        let places = Field::of(&elements, |element| &element.place);
        let weights = Field::of(&elements, |element| &element.weight);
        for (i, element) in elements.iter().enumerate() {
            assert!(std::ptr::eq(places.get(i).unwrap(), &element.place));
            assert!(std::ptr::eq(weights.get(i).unwrap(), &element.weight));
            assert!(std::ptr::eq(places.axis(2).get(i).unwrap(), &element.place[2]));
        }
        assert_eq!((places.get(5), places.len(), places.is_empty()), (None, 5, false));
        assert!(Field::of(&elements[..0], |element| &element.weight).get(0).is_none());
    }

    #[test]
    fn slices_are_fields() {
        let values = vec![1u32, 2, 3];
        for field in [Field::from(&values), Field::from(&values[..]), Field::from(&[1, 2, 3])] {
            assert_eq!((field.len(), field.get(2)), (3, Some(&3)));
        }
    }

    #[test]
    #[should_panic(expected = "does not lie in the element")]
    fn what_lies_behind_the_element_is_no_field() {
        let elements = [Box::new(1.0f32), Box::new(2.0)];
        let _ = Field::of(&elements, |element| &**element);
    }

    #[test]
    #[should_panic(expected = "lies elsewhere in different elements")]
    fn what_changes_its_place_is_no_field() {
        let elements = [[0u32, 1], [1, 0]];
        let _ = Field::of(&elements, |pair| &pair[pair[0] as usize]);
    }

    #[test]
    #[should_panic(expected = "lies elsewhere in different elements")]
    fn what_only_some_have_is_no_field() {
        let elements = [Some(1.0f32), None];
        static NONE: f32 = 0.0;
        let _ = Field::of(&elements, |element| element.as_ref().unwrap_or(&NONE));
    }

    #[test]
    #[should_panic(expected = "no axis 3")]
    fn there_are_as_many_axes_as_coordinates() {
        let _ = Field::from(&[[0.0f32; 3]; 2]).axis(3);
    }
}
