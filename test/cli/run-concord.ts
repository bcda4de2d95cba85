/** Runs a command in this process and catches what it prints. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { vi } from 'vitest'
import { runCommandLine } from '../../src/cli/command-line.js'
import { partsOf } from '../support/zip-parts.js'

export interface CommandRun {
  code: number
  out: string
  err: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into output of every shape
  json: any
}

export async function runConcord(env: Record<string, string>, ...args: string[]): Promise<CommandRun> {
  let [out, err] = ['', '']
  const catching = [
    vi.spyOn(process.stdout, 'write').mockImplementation(chunk => {
      out += chunk
      return true
    }),
    vi.spyOn(process.stderr, 'write').mockImplementation(chunk => {
      err += chunk
      return true
    }),
    vi.spyOn(console, 'error').mockImplementation(line => {
      err += `${line}\n`
    }),
  ]
  try {
    const code = await runCommandLine({ args, env })
    return { code, out, err, json: args.includes('--json') ? JSON.parse(out || 'null') : undefined }
  } finally {
    for (const spy of catching) spy.mockRestore()
  }
}

/** What the commands in the README of a bundle say, to somebody who has nothing but the archive. */
export async function verifiedAsReadmeSays(bundle: Buffer, folder: string): Promise<[what: string, code: number, out: string][]> {
  const parts = partsOf(bundle)
  for (const [name, content] of parts) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  const said: [string, number, string][] = []
  for (const [command] of String(parts.get('README.txt')).matchAll(/(?<=^ {2}concord )verify .*$/gm)) {
    const words = command.split(' ')
    const { code, out } = await runConcord({}, ...words.map(word => (parts.has(word) ? join(folder, word) : word)))
    said.push([words[1] ?? '', code, out])
  }
  return said
}
