/**
 * Makes `dist/` from `src/` with the project's own TypeScript. `build` compiles and checks everything, with
 * declarations, for `npm run build` and for publishing; `refresh` only translates what is newer than its output, which
 * takes a third of the time and is what a start from a working copy waits for. Both bundle the desk into `dist/desk/`.
 */

import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'src')
const output = join(root, 'dist')
const desk = { source: join(root, 'desk'), output: join(output, 'desk') }

/** @returns {Promise<number>} exit code of the compiler */
export async function build() {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  // The compiler's record lives with its output: alone, it would say that a deleted `dist/` is up to date.
  const args = [compiler, '-p', join(root, 'tsconfig.json'), '--tsBuildInfoFile', join(output, '.tsbuildinfo')]
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 2, 2], cwd: root })
  if (status !== 0) return status ?? 1
  removeOrphans()
  await bundleDesk()
  return 0
}

/** @returns {Promise<number>} how many files were translated */
export async function refresh() {
  const stale = sourceFiles().filter(isStale)
  if (stale.length > 0) {
    process.stderr.write(`building ${stale.length} files …\n`)
    const { default: typescript } = await import('typescript')
    for (const file of stale) translate(typescript, file)
  }
  removeOrphans()
  if (isDeskStale()) await bundleDesk()
  return stale.length
}

/** The page and what it loads: one script and one style sheet, without anything of Node. */
async function bundleDesk() {
  const { build: bundle } = await import('esbuild')
  await bundle({
    entryPoints: { desk: join(desk.source, 'main.tsx') },
    outdir: desk.output,
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['es2022', 'chrome115', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
  })
  copyFileSync(join(desk.source, 'index.html'), join(desk.output, 'index.html'))
}

function isDeskStale() {
  const made = statSync(join(desk.output, 'index.html'), { throwIfNoEntry: false })
  const given = [desk.source, join(source, 'client')].flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  )
  return made === undefined || given.some(file => statSync(file).mtimeMs > made.mtimeMs)
}

/** Each file by itself, which `isolatedModules` and `verbatimModuleSyntax` allow. */
function translate(typescript, file) {
  const { ModuleKind, ScriptTarget, transpileModule } = typescript
  const compilerOptions = { target: ScriptTarget.ES2022, module: ModuleKind.ESNext, verbatimModuleSyntax: true, sourceMap: true }
  const target = outputOf(file)
  const { outputText, sourceMapText } = transpileModule(readFileSync(join(source, file), 'utf8'), {
    compilerOptions,
    fileName: basename(file),
  })
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(`${target}.map`, withSource(sourceMapText, target, file))
  writeFileSync(target, outputText)
}

function withSource(sourceMapText, target, file) {
  const depth = file.split(/[\\/]/).length
  const map = { ...JSON.parse(sourceMapText), file: basename(target), sources: [`${'../'.repeat(depth)}src/${file}`] }
  return JSON.stringify(map)
}

function sourceFiles() {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  return files.filter(file => /(?<!\.test|\.d)\.ts$/.test(file))
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
    const name = /^(.*?)\.(?:js|js\.map|d\.ts)$/.exec(file)?.[1]
    if (name !== undefined && !file.startsWith('desk') && !existsSync(join(source, `${name}.ts`))) rmSync(join(output, file))
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  // A package holds what a build of today's sources makes, and nothing that lay there before.
  if (process.argv.includes('--clean')) rmSync(output, { recursive: true, force: true })
  process.exitCode = await build()
}
