/** Every command says in its help how it is used, by an example that can be copied. */

import { expect, it, vi } from 'vitest'
import { runCommandLine } from './command-line.js'

async function helpOf(words: readonly string[], program?: string): Promise<string> {
  let help = ''
  const caught = vi.spyOn(process.stdout, 'write').mockImplementation(chunk => {
    help += chunk
    return true
  })
  try {
    expect(await runCommandLine({ args: [...words, '--help'], env: {}, program })).toBe(0)
  } finally {
    caught.mockRestore()
  }
  return help
}

/** Of itself and what is below it. */
async function commandsWithoutExample(words: readonly string[]): Promise<string[]> {
  const help = await helpOf(words)
  const [, below = ''] = help.split('\nCommands:\n')
  const names = [...(below.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name = '']) => name)
  const found: string[] = []
  for (const name of names.filter(each => each !== 'help')) found.push(...(await commandsWithoutExample([...words, name])))
  return /^Examples?:\n {2}\$ .*\bconcord /m.test(help) ? found : [words.join(' '), ...found]
}

it('every command has an example', async () => {
  expect(await commandsWithoutExample([])).toEqual([])
}, 60_000)

it('examples name the command as it can be run, and nothing else otherwise', async () => {
  const help = await helpOf(['migrate'], new URL(import.meta.url).pathname)
  expect(help).toMatch(/\$ DATABASE_URL=postgres:\/\/concord@db\/concord node \S+ migrate$/m)
})
