import { expect, it } from 'vitest'
import { createModelPlaces } from './model-places.js'

it('gives as many places as there are, and a place that was left twice once', () => {
  const places = createModelPlaces(2)
  const [first, second] = [places.take(), places.take()]
  expect(first).not.toBeNull()
  expect(second).not.toBeNull()
  expect(places.take()).toBeNull()
  first?.leave()
  first?.leave()
  expect(places.take()).not.toBeNull()
  expect(places.take()).toBeNull()
})
