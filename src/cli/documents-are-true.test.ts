/** What the documents name is there: files, headings, npm scripts, paths of the source, commands. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { scopeWith, walk } from '../../test/kernel/builders.js'
import { kindsInWords } from '../contract/file-kinds.js'
import { settingsTable } from '../platform/config.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const below = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name).replaceAll('\\', '/'))

const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'clients/python/README.md',
  ...below('docs').filter(path => path.endsWith('.md')),
]
const scripts = Object.keys(JSON.parse(read('package.json')).scripts)
const sources = below('src')
const commands = new Set(
  sources
    .filter(path => /^src\/cli\/.*\.ts$/.test(path))
    .flatMap(path => [...read(path).matchAll(/\.command\('([a-z-]+)/g)].map(([, name]) => name)),
)

/** As GitHub makes them. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    (title ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  )

const links = (page: string, text: string) =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^(https?|mailto):/.test(link)) return []
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? page : normalize(join(dirname(page), path))
    if (!existsSync(join(root, target))) return [link]
    return anchor === undefined || anchorsOf(read(target)).includes(anchor) ? [] : [link]
  })

/** Made by a command and not kept. */
const isMade = (path: string) => read('.gitignore').split('\n').includes(path)
const folders = [...new Set(sources.map(path => path.split('/')[1] ?? ''))].filter(name => !name.includes('.'))
const paths = (text: string) =>
  [...text.matchAll(/`([a-z-]+\/[\w./-]+)`/g)].flatMap(([, path = '']) => {
    const whole = folders.includes(path.split('/')[0] ?? '') ? `src/${path}` : path
    const known = /^(src|test|scripts|bench|deploy|docs|migrations|samples|desk|bin)\//.test(whole)
    return !known || isMade(whole) || [whole, `${whole}.ts`].some(each => existsSync(join(root, each))) ? [] : [path]
  })

it.each(pages)('%s', page => {
  const text = read(page)
  expect(links(page, text)).toEqual([])
  expect(paths(text)).toEqual([])
  expect([...text.matchAll(/npm run (?:-s )?([a-z:-]+)/g)].map(([, name = '']) => name).filter(name => !scripts.includes(name))).toEqual([])
  const named = [...text.matchAll(/(?:npx |`|^)concord ([a-z][a-z-]+)/gm)].map(([, name = '']) => name)
  expect(named.filter(name => !commands.has(name))).toEqual([])
})

it('every npm script is named', () => {
  const named = new Set(pages.flatMap(page => [...read(page).matchAll(/npm (?:run (?:-s )?)?([a-z:-]+)/g)].map(([, name]) => name)))
  // npm runs `prepack` by itself.
  expect(scripts.filter(name => name !== 'prepack' && !named.has(name))).toEqual([])
})

it('the first commands of the README each run in a fresh copy', () => {
  const [, block = ''] = /```sh\n(.*?)```/s.exec(read('README.md')) ?? []
  const pasted = block.trim().split('\n')
  expect(pasted.map(line => line.replace(/\s*#.*$/, ''))).toEqual(['npm ci && npm start', 'npm ci && npm test'])
})

it('tarballs and images are named by the version of the package', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const named = [...pages, 'deploy/compose.yaml', 'deploy/kubernetes/kustomization.yaml'].flatMap(page =>
    [...read(page).matchAll(/concord-(?:server|client)-(\d[\w.-]*)\.tgz|image: concord:(\S+)|newTag: (\S+)/g)].map(
      ([, tarball, image, tag]) => `${page}: ${tarball ?? image ?? tag}`,
    ),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter(each => !each.endsWith(`: ${version}`))).toEqual([])
  // What packing leaves in a checkout is no change of it: a release refuses a working copy that has one.
  expect(isMade('*.tgz')).toBe(true)
})

it.each(pages)('%s names no package that nobody has published', page => {
  expect(read(page).match(/npx concord-\w+|npm (?:i|install)(?: -\w+)* concord-\w+(?!-\d)\b|"concord-(?:server|client)", "/g)).toBeNull()
})

it('docs/figures.md says where every figure of the README comes from', () => {
  const readme = read('README.md').replaceAll(/\s+/g, ' ').replaceAll('**', '')
  const figures = read('docs/figures.md')
  const claims = figures.split('## What the README claims')[1]?.split('\n## ')[0] ?? ''
  const quoted = [...claims.matchAll(/^\| `([^`]+)` \|/gm)].map(([, words = '']) => words)
  expect(quoted.length).toBeGreaterThan(5)
  expect(quoted.filter(words => !readme.includes(words))).toEqual([])
  // What is no code, no table and no link; versions that are needed are no figures.
  const prose = read('README.md')
    .replaceAll(/```[\s\S]*?```|^\|.*$|\]\([^)]*\)|`[^`]*`/gm, ' ')
    .replaceAll(/(?:Node\.js|PostgreSQL) \d+/g, ' ')
  const numbers = prose.match(/\d+(?:[.,]\d+)*/g) ?? []
  expect(numbers.length).toBeGreaterThan(4)
  expect(numbers.filter(number => !quoted.some(words => new RegExp(`\\b${number}\\b`).test(words)))).toEqual([])
})

it('docs/files.md says of every kind of file how its text is made', () => {
  const table = read('docs/files.md').split('## How the text is made')[1]?.split('\n\n')[1] ?? ''
  const told = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, names = '']) => names.split(', '))
  const taken = kindsInWords.replace('plain text', 'text').split(/, | and /)
  expect(taken.length).toBeGreaterThan(10)
  expect(taken.filter(name => !told.includes(name))).toEqual([])
})

it('docs/operations.md says of every setting its default and what it does, as `concord config --list` does', () => {
  const section = read('docs/operations.md').split('\n## Settings\n')[1]?.split('\n\n')[1]?.split('\n').slice(2)
  const rows = settingsTable().map(({ name, default: usual, description, secret }) => {
    const names = secret ? [name, `${name}_FILE`] : [name]
    return `| ${names.map(each => `\`${each}\``).join(', ')} | ${usual === '(unset)' ? 'unset' : `\`${usual}\``} | ${description} |`
  })
  expect(section).toEqual(rows)
})

it('docs/architecture.md names every room with what it may import, and every table once', () => {
  const text = read('docs/architecture.md')
  const [rooms = '', tables = ''] = ['## Rooms', '## Tables'].map(title => text.split(title)[1]?.split('\n## ')[0] ?? '')
  const described = new Map(
    [...rooms.matchAll(/^\| `src\/(\w+)` \| (.*) \| (.*) \|$/gm)].map(([, room = '', holds = '', imports = '']) => [
      room,
      { holds, imports },
    ]),
  )
  expect([...described.keys()].sort()).toEqual([...folders].sort())
  for (const room of ['pipeline', 'store', 'reading', 'scopes', 'http', 'kernel', 'cli']) {
    const inside = readdirSync(join(root, 'src', room), { withFileTypes: true }).filter(entry => entry.isDirectory())
    expect(inside.filter(({ name }) => !described.get(room)?.holds.includes(`\`${name}/\``)).map(({ name }) => `${room}/${name}`)).toEqual(
      [],
    )
  }
  const { forbidden } = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as { forbidden: { comment?: string }[] }
  const allowed = forbidden.flatMap(({ comment = '' }) => [...comment.matchAll(/^(\w+)\/ may import (.*)$/g)])
  expect(allowed.map(([, room = '', names]) => [room, names])).toEqual(allowed.map(([, room = '']) => [room, described.get(room)?.imports]))
  const made = [...read('migrations/0001_baseline.sql').matchAll(/^create table (\w+)/gm)].map(([, name]) => name)
  const listed = [...tables.matchAll(/^\| `\w+\/` \| (.*) \|$/gm)].flatMap(([, row = '']) =>
    [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  )
  expect(listed.filter(name => name !== 'schema_migrations').sort()).toEqual(made.sort())
})

it.each(walk([scopeWith()])[0]!.verdict.gates.map(({ gate }) => gate))(
  'the gate %s has a question at the desk and a word in the documents',
  gate => {
    expect(read('desk/settled.tsx')).toMatch(new RegExp(`^  ${gate}: \\['`, 'm'))
    expect(read('docs/kernel.md')).toContain(gate)
  },
)
