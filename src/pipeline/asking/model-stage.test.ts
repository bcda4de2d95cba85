import { expect, it } from 'vitest'
import { fitting } from './model-case.js'
import { createModelPlaces } from './model-stage.js'

it('gives as many places as there are, and one that was left again', () => {
  const places = createModelPlaces(2)
  expect([places.take(), places.take(), places.take()]).toEqual([true, true, false])
  places.leave()
  expect([places.take(), places.take()]).toEqual([true, false])
})

it('shows what has room beside a document that has none', () => {
  const documents = [5, 60, 30, 20].map(characters => ({ characters }))
  expect(fitting(documents, 50).map(each => each.characters)).toEqual([5, 30])
})
