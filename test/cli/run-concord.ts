/** Runs a command in this process and catches what it prints. */

import { vi } from 'vitest'
import { runCommandLine } from '../../src/cli/command-line.js'

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
