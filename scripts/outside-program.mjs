/** A program of somebody else's that uses what we give: compiled with our compiler, and with nothing else of ours. */

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Strictly, the declarations it takes included, and without even the types of Node.js. */
export function compileProgram(folder, files, options = {}) {
  const compilerOptions = {
    strict: true,
    target: 'ES2022',
    module: 'NodeNext',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: [],
    skipLibCheck: false,
    ...options,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  run(process.execPath, [createRequire(import.meta.url).resolve('typescript/bin/tsc')], folder)
}

/** @returns {string} what it printed */
export function run(command, args, cwd, options = {}) {
  const done = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28, ...options })
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${done.status}\n${done.stdout}\n${done.stderr}`)
  return done.stdout
}

export function expect(holds, otherwise) {
  if (!holds) throw new Error(otherwise)
}
