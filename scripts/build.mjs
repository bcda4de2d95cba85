/**
 * Makes `dist/` from `src/` and `desk/` with esbuild, which takes under a second where the compiler takes ten; types are
 * checked by `npm run check`. `build` makes everything anew, with the declarations of the client, for `npm run build` and
 * for publishing; `refresh` only what is newer than its output, which is what a start from a working copy waits for.
 */

import { copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { declareClient, replaceFile } from './client-declarations.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'src')
const output = join(root, 'dist')
const desk = { source: join(root, 'desk'), output: join(output, 'desk') }

/** @returns {Promise<number>} exit code: 0, or 1 when the client has a fault */
export async function build() {
  await Promise.all([translate(sourceFiles()), bundleDesk()])
  removeOrphans()
  return declareClient()
}

/** @returns {Promise<number>} how many files were translated */
export async function refresh() {
  const stale = sourceFiles().filter(isStale)
  if (stale.length > 0) process.stderr.write(`building ${stale.length} files …\n`)
  const isPageStale = isDeskStale()
  await Promise.all([stale.length > 0 && translate(stale), isPageStale && bundleDesk()])
  removeOrphans()
  // The process that translates would otherwise stay as long as this one, which may serve for months.
  if (stale.length > 0 || isPageStale) await (await import('esbuild')).stop()
  return stale.length
}

/** The page and what it loads: one script and one style sheet, without anything of Node. */
async function bundleDesk() {
  const { metafile } = await deskBundle()
  removeOldParts(Object.keys(metafile.outputs))
  copyFileSync(join(desk.source, 'index.html'), join(desk.output, 'index.html'))
}

/** @param {import('esbuild').BuildOptions} [options] */
export async function deskBundle(options) {
  const { build: bundle } = await import('esbuild')
  return bundle({
    entryPoints: { desk: join(desk.source, 'main.tsx') },
    outdir: desk.output,
    bundle: true,
    // What draws PDFs and unpacks files is loaded when one is shown.
    splitting: true,
    chunkNames: 'parts/[hash]',
    minify: true,
    format: 'esm',
    target: ['es2022', 'chrome115', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    absWorkingDir: root,
    metafile: true,
    plugins: [xmlAlone],
    ...options,
  })
}

/**
 * Of the parser of XML the desk needs neither the tree of documents that its entry brings nor the names of HTML's characters: together
 * they are larger than all else but PDF.js. To read HTML with it fails loudly; browsers do that themselves.
 */
const xmlAlone = {
  name: 'xml-alone',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^htmlparser2$/ }, () => ({ path: join(root, 'node_modules/htmlparser2/dist/esm/Parser.js'), sideEffects: false }))
    onLoad({ filter: /entities[\\/]dist[\\/]esm[\\/]generated[\\/]decode-data-html\.js$/ }, () => ({
      contents: 'export const htmlDecodeTree = undefined',
    }))
  },
}

/** Parts are named by what is in them; those of an earlier build are of no use. */
function removeOldParts(outputs) {
  const made = new Set(outputs.map(each => resolve(root, each)))
  const folder = join(desk.output, 'parts')
  for (const name of readdirSync(folder)) if (!made.has(join(folder, name))) rmSync(join(folder, name), { force: true })
}

function isDeskStale() {
  const made = statSync(join(desk.output, 'index.html'), { throwIfNoEntry: false })
  const given = [desk.source, join(source, 'client'), join(source, 'contract'), join(source, 'files')].flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  )
  return made === undefined || given.some(file => statSync(file).mtimeMs > made.mtimeMs)
}

/** Each file by itself, which `isolatedModules` and `verbatimModuleSyntax` allow. */
async function translate(files) {
  const { build: transform } = await import('esbuild')
  const { outputFiles } = await transform({
    entryPoints: files.map(file => join(source, file)),
    outbase: source,
    outdir: output,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    logLevel: 'warning',
    absWorkingDir: root,
  })
  for (const { path, contents } of outputFiles) replaceFile(path, contents)
}

function sourceFiles() {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  // The client's types are made when they are asked for, and nothing of them is left in a program.
  return files.filter(file => /(?<!\.test|\.d)\.ts$/.test(file) && !file.endsWith('api-types.ts'))
}

function isStale(file) {
  const target = statSync(outputOf(file), { throwIfNoEntry: false })
  return target === undefined || target.mtimeMs < statSync(join(source, file)).mtimeMs
}

function outputOf(file) {
  return join(output, file.replace(/\.ts$/, '.js'))
}

function removeOrphans() {
  for (const file of readdirSync(output, { recursive: true, encoding: 'utf8' })) {
    const name = /^(.*?)\.(?:js|d\.ts)$/.exec(file)?.[1]
    // Another start may be removing it at this moment.
    if (name !== undefined && !file.startsWith('desk') && !existsSync(join(source, `${name}.ts`)))
      rmSync(join(output, file), { force: true })
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  // A package holds what a build of today's sources makes, and nothing that lay there before.
  if (process.argv.includes('--clean')) rmSync(output, { recursive: true, force: true })
  process.exitCode = await build()
}
