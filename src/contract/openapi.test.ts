import { expect, it } from 'vitest'
import { openApiDocument } from './openapi.js'

interface Described {
  operationId: string
  parameters: { name: string }[]
  responses: Record<string, { headers?: object; content?: object }>
}

const described = Object.values(openApiDocument()['paths'] as Record<string, Record<string, Described>>).flatMap(path =>
  Object.values(path),
)

it('declares 304 and the ETag wherever a reader may say what it has', () => {
  const asked = described.filter(({ parameters }) => parameters.some(({ name }) => name === 'If-None-Match'))
  expect(asked.length).toBeGreaterThan(2)
  const undeclared = asked.filter(({ responses }) => !('304' in responses) || !('ETag' in (responses['200']?.headers ?? {})))
  expect(undeclared.map(({ operationId }) => operationId)).toEqual([])
})

it('declares an original as a file of any type', () => {
  const original = described.find(({ operationId }) => operationId === 'getOriginal')
  expect(Object.keys(original?.responses['200']?.content ?? {})).toEqual(['*/*'])
})
