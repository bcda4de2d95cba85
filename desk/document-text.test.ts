import { afterAll, expect, it, vi } from 'vitest'
import { asksOf, documentNames, documentText, followTexts, readNames, readParts, textsForgotten } from './document-text'

const service = vi.hoisted(() => ({
  text: '',
  listeners: new Set<(type: string) => void>(),
  held: 0,
  asked: [] as object[],
  gate: Promise.resolve(),
  of: '',
}))
// The next test of the same process gets the true ones.
afterAll(() => void vi.resetModules())

vi.mock('./session', () => {
  const documents = (_scope: string, query: { ids?: string; part_of?: string }) => ({
    async toArray(most: number) {
      service.asked.push(query)
      const all = Array.from({ length: service.held }, (_none, n) => ({ document_id: `d${n}`, name: `${service.of}Paper ${n}` }))
      await service.gate
      if (query.part_of !== undefined) return all.slice(-1)
      return query.ids === undefined ? all.slice(0, most) : all.filter(each => query.ids?.split(',').includes(each.document_id))
    },
  })
  return { client: { value: { documentText: async () => service.text, documents } } }
})
vi.mock('./live', () => ({
  onEvent: (listener: (type: string) => void) => {
    service.listeners.add(listener)
    return () => service.listeners.delete(listener)
  },
}))

it.each(['document.erased', 'scope.reset', 'scope.deleted', 'stream.gap'])('texts are read again after %s', async type => {
  const stop = followTexts()
  const tell = (told: string) => {
    for (const listener of service.listeners) listener(told)
  }
  service.text = 'before'
  expect(await documentText('case', 'd', 1)).toBe('before')
  service.text = 'after'
  const times = textsForgotten.value
  tell('document.indexed')
  expect(await documentText('case', 'd', 1)).toBe('before')
  tell(type)
  expect(textsForgotten.value).toBe(times + 1)
  expect(await documentText('case', 'd', 1)).toBe('after')
  stop()
  expect(service.listeners.size).toBe(0)
})

it('names of papers beyond those that are read at first are asked for together, once, and stay when the first are read again', async () => {
  const stop = followTexts()
  service.held = 5000
  await readNames('case')
  service.asked = []
  expect(documentNames.value.get('d3')).toBe('Paper 3')
  const far = Array.from({ length: 150 }, (_none, n) => `d${3000 + n}`)
  for (const id of [...far, ...far, 'gone']) expect(documentNames.value.get(id)).toBeUndefined()
  await vi.waitFor(() => expect(documentNames.value.get('d3149')).toBe('Paper 3149'))
  for (const id of [...far, 'gone']) expect(documentNames.value.get(id)).toBe(id === 'gone' ? undefined : `Paper ${id.slice(1)}`)
  expect(service.asked).toEqual([
    { ids: far.slice(0, 100).join(), limit: 200 },
    { ids: [...far.slice(100), 'gone'].join(), limit: 200 },
  ])
  await readParts('case', 'mail')
  expect(documentNames.value.get('d4999')).toBe('Paper 4999')
  await readNames('case')
  expect(documentNames.value.get('d3149')).toBe('Paper 3149')
  stop()
  service.held = 3
  service.asked = []
  await readNames('small')
  await readParts('small', 'mail')
  expect([documentNames.value.get('d3149'), documentNames.value.size]).toEqual([undefined, 3])
  expect(service.asked).toEqual([{ limit: 200 }])
  followTexts()()
})

it('what came with a paper is known also where it was opened before the names were there', async () => {
  const stop = followTexts()
  service.held = 5000
  await readParts('case', 'mail')
  await readNames('case')
  expect(documentNames.value.get('d4999')).toBe('Paper 4999')
  stop()
})

it('names that come when their case has been left are not those of the next one', async () => {
  const stop = followTexts()
  service.held = 5000
  const late = readNames('case')
  stop()
  await late
  expect(documentNames.value.size).toBe(0)
})

it('names that come late are not those of another tenant, whose case may have the same id', async () => {
  const stop = followTexts()
  service.held = 5000
  await readNames('case')
  service.asked = []
  let arrive: () => void = () => undefined
  const arrival = new Promise<void>(resolve => {
    arrive = resolve
  })
  service.gate = arrival
  expect(documentNames.value.get('d3000')).toBeUndefined()
  await vi.waitFor(() => expect(service.asked).toHaveLength(1))
  stop()
  const stopNext = followTexts()
  service.gate = Promise.resolve()
  service.of = 'Own '
  await readNames('case')
  arrive()
  await arrival
  await new Promise(resolve => setTimeout(resolve))
  expect(documentNames.value.get('d3000')).toBeUndefined()
  await vi.waitFor(() => expect(documentNames.value.get('d3000')).toBe('Own Paper 3000'))
  service.of = ''
  stopNext()
})

it('asks for no more ids at once than a request may name', () => {
  expect(asksOf([])).toEqual([])
  expect(asksOf(['a,b', '50%'])).toEqual(['a%2Cb,50%25'])
  expect(asksOf(Array.from({ length: 50 }, () => 'x'.repeat(200))).map(ask => ask.length)).toEqual([3818, 3818, 2411])
})
