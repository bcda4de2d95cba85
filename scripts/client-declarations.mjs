/**
 * Writes the client's declarations (`dist/client/*.d.ts`), for programs in TypeScript that use it. They follow from what
 * the compiler infers about every call, which takes it some seconds: a start from a working copy does not wait for them but
 * has them made by a process of their own. `index.d.ts` is written last: where it is, all of them are.
 */

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ensureClientTypes } from './client-types.mjs'
import { endWithScript } from './end-with-script.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'src')
const entry = join(source, 'client', 'index.ts')
const made = join(root, 'dist', 'client', 'index.d.ts')
/** The process that makes them now. */
const maker = join(root, 'dist', '.declaring-client')
const longestMs = 600_000

/** @returns {Promise<number>} 0, or 1 when the compiler found a fault, which it says */
export async function declareClient() {
  await ensureClientTypes()
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

/** Begins it beside what the reader waits for, and only where something is to be made and nobody makes it. */
export function declareClientMeanwhile() {
  if (!isStale() || isBeingMade(maker)) return
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--meanwhile'], { stdio: 'ignore' })
  // The service starts all the same; the next start tries again.
  child.on('error', () => undefined)
  child.unref()
  // Nothing runs on when the service has ended. A closed terminal ends both by itself.
  endWithScript(() => child, ['SIGTERM'])
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
  const sources = readdirSync(dirname(entry)).filter(name => name.endsWith('.ts'))
  return [join(root, 'openapi.json'), ...sources.map(name => join(dirname(entry), name))].some(path => statSync(path).mtimeMs > since)
}

/** Services that are started together would each begin it. */
function isBeingMade(note) {
  try {
    if (Date.now() - statSync(note).mtimeMs > longestMs) return false
    return process.kill(Number(readFileSync(note, 'utf8')), 0)
  } catch {
    return false
  }
}

/** @returns {boolean} whether this process is to make them; its note is removed when it ends */
export function beTheOnlyOne(note = maker) {
  if (isBeingMade(note)) return false
  rmSync(note, { force: true })
  mkdirSync(dirname(note), { recursive: true })
  try {
    writeFileSync(note, String(process.pid), { flag: 'wx' })
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
  process.once('exit', () => rmSync(note, { force: true }))
  return true
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  // Somebody waits for what runs beside it.
  const isBeside = process.argv.includes('--meanwhile')
  if (isBeside) setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  if (!isBeside || beTheOnlyOne()) process.exitCode = await declareClient()
}
