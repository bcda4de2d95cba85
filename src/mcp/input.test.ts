import { expect, it, vi } from 'vitest'
import { checkInput } from './input.js'
import { tools } from './tools.js'

it.each(tools.map(tool => [tool.name, tool] as const))('the input of %s is checked without a word on standard error', (_, tool) => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  try {
    expect(() => checkInput(tool.input, { unknown: true })).toThrow()
    expect(warned.mock.calls).toEqual([])
  } finally {
    warned.mockRestore()
  }
})
