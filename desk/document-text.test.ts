import { expect, it, vi } from 'vitest'
import { documentText, followTexts, textsForgotten } from './document-text'

const service = vi.hoisted(() => ({ text: '', listeners: new Set<(type: string) => void>() }))
vi.mock('./session', () => ({ client: { value: { documentText: async () => service.text } } }))
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
