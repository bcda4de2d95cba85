import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { runConcord } from './run-concord.js'

async function script(shell: string): Promise<string> {
  const { code, out } = await runConcord({}, 'completion', shell)
  expect(code).toBe(0)
  return out
}

it('completes commands, what follows them and their options in bash', async () => {
  const source = await script('bash')
  const complete = (...words: string[]) => {
    const typed = words.map(word => `'${word}'`).join(' ')
    const asked = `${source}\nCOMP_WORDS=(concord ${typed}); COMP_CWORD=${words.length}; _concord; echo "\${COMPREPLY[@]}"`
    return spawnSync('bash', ['-c', asked], { encoding: 'utf8' }).stdout.trim().split(' ')
  }
  expect(complete('ru')).toEqual(['runtime'])
  expect(complete('runtime', 'pa')).toEqual(['pause'])
  expect(complete('ingest', '--scope-')).toEqual(['--scope-from-folder'])
})

it.each(['zsh', 'fish'])('names every command and option in %s, and asks for the path it stands at', async shell => {
  const source = await script(shell)
  for (const word of ['runtime', 'pause', '--scope', 'dry-run']) expect(source).toContain(word)
  expect(source).toContain(shell === 'fish' ? '__concord_at "runtime"' : 'compdef _concord concord')
})
