import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'

const terminals = pathToFileURL(fileURLToPath(new URL('../../dist/platform/terminals.js', import.meta.url))).href
const program = `
  import { isatty } from 'node:tty'
  const { leaveClosed, openTerminals } = await import('${terminals}')
  const open = openTerminals()
  console.log('waits')
  const waiting = setInterval(() => {
    if (isatty(1)) return
    clearInterval(waiting)
    leaveClosed(open)
  }, 20)`

// Of util-linux: it gives a program a terminal, which is closed when it dies.
it.runIf(existsSync('/usr/bin/script'))('a process whose terminal was closed ends in order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'concord-terminal-'))
  const code = join(folder, 'code')
  const shell = `trap '' HUP; "$NODE" --input-type=module -e "$PROGRAM"; echo $? > "$CODE.new"; mv "$CODE.new" "$CODE"`
  const terminal = spawn('/usr/bin/script', ['-qec', shell, '/dev/null'], {
    env: { PATH: process.env['PATH'], SHELL: '/bin/sh', NODE: process.execPath, PROGRAM: program, CODE: code },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [said] = await once(terminal.stdout, 'data')
    expect(String(said)).toContain('waits')
    terminal.kill('SIGKILL')
    await expect.poll(() => existsSync(code)).toBe(true)
    expect(readFileSync(code, 'utf8')).toBe('0\n')
  } finally {
    terminal.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})
