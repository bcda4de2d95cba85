/** Every command says in its help how it is used, by an example that can be copied. */

import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { runCommandLine } from './command-line.js'

const here = fileURLToPath(import.meta.url)

/** What is printed, and how it ended. */
async function printed(args: readonly string[], { program, env = {} }: { program?: string; env?: Record<string, string> } = {}) {
  let out = ''
  const caught = vi.spyOn(process.stdout, 'write').mockImplementation(chunk => {
    out += chunk
    return true
  })
  try {
    const code = await runCommandLine({ args, env, ...(program === undefined ? {} : { program }) })
    return { code, out }
  } finally {
    caught.mockRestore()
  }
}

async function helpOf(words: readonly string[], program?: string): Promise<string> {
  const { code, out } = await printed([...words, '--help'], program === undefined ? {} : { program })
  expect(code).toBe(0)
  return out
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
  const help = await helpOf(['migrate'], here)
  expect(help).toMatch(/\$ DATABASE_URL=postgres:\/\/concord@db\/concord node \S+ migrate$/m)
})

it('what doctor found names it so, too', async () => {
  const { out } = await printed(['doctor'], { program: here, env: { DATA_DIR: '/nowhere/data', PORT: '1' } })
  expect(out).toMatch(/which the first `node \S+ serve` makes/)
  expect(out).not.toContain('`concord ')
})
