/**
 * Writes the client's declarations (`dist/client/*.d.ts`), for programs in TypeScript that use it. They follow from what
 * the compiler infers about every call, which takes it some seconds: a start from a working copy does not wait for them but
 * has them made by a process of their own. `index.d.ts` is written last: where it is, all of them are.
 */

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'src')
const entry = join(source, 'client', 'index.ts')
const made = join(root, 'dist', 'client', 'index.d.ts')

/** @returns {Promise<number>} 0, or 1 when the compiler found a fault, which it says */
export async function declareClient() {
  const { default: typescript } = await import('typescript')
  const files = new Map()
  const options = {
    ...optionsOf(typescript),
    declaration: true,
    emitDeclarationOnly: true,
    // Types are checked by `npm run check`.
    noCheck: true,
    incremental: false,
    sourceMap: false,
    types: [],
  }
  const { diagnostics } = typescript.createProgram([entry], options).emit(undefined, (path, text) => files.set(path, text))
  for (const { messageText } of diagnostics) console.error(typescript.flattenDiagnosticMessageText(messageText, '\n'))
  if (diagnostics.length > 0) return 1
  for (const [path, text] of [...files].sort(([path]) => (path.endsWith('/client/index.d.ts') ? 1 : -1))) replaceFile(path, text)
  return 0
}

/** Begins it beside what the reader waits for, and only where something is to be made. */
export function declareClientMeanwhile() {
  if (!isStale()) return
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--meanwhile'], { stdio: 'ignore' })
  // The service starts all the same; the next start tries again.
  child.on('error', () => undefined)
  child.unref()
}

/** Another process that reads it meanwhile sees the old file or the new one, never half of one. */
export function replaceFile(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, text)
  renameSync(temporary, path)
}

function optionsOf(typescript) {
  const { config } = typescript.readConfigFile(join(root, 'tsconfig.json'), typescript.sys.readFile)
  return typescript.convertCompilerOptionsFromJson(config.compilerOptions, root).options
}

function isStale() {
  if (!existsSync(made)) return true
  const since = statSync(made).mtimeMs
  return readdirSync(dirname(entry)).some(name => name.endsWith('.ts') && statSync(join(dirname(entry), name)).mtimeMs > since)
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  // Somebody waits for what runs beside it.
  if (process.argv.includes('--meanwhile')) setPriority(constants.priority.PRIORITY_LOW)
  process.exitCode = await declareClient()
}
