/** What the documents name is there: files, headings, npm scripts, paths of the source, commands. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const below = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name).replaceAll('\\', '/'))

const pages = [
  'README.md',
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
