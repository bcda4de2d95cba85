import { expect, it } from 'vitest'
import { createModelPlaces } from './model-stage.js'

it('gives as many places as there are, and one that was left again', () => {
  const places = createModelPlaces(2)
  expect([places.take(), places.take(), places.take()]).toEqual([true, true, false])
  places.leave()
  expect([places.take(), places.take()]).toEqual([true, false])
})
