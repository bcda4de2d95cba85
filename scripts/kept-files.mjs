/**
 * The files of a working copy that are kept, without those that were made: .gitignore names these one by one, or by their folder.
 * Run by itself it looks through them for the marks of a merge that was not finished, which no compiler sees in documents,
 * statements of SQL and settings.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** @returns {string[]} their paths below `root`, with `/` */
export function keptFiles(root) {
  const made = readFileSync(join(root, '.gitignore'), 'utf8')
    .split('\n')
    .map(line => line.replace(/\/$/, ''))
  const isKept = path => path !== '.git' && !made.includes(path) && !made.includes(basename(path)) && !made.includes(`*${extname(path)}`)
  const below = folder =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (!isKept(path)) return []
      return entry.isDirectory() ? below(path) : [path]
    })
  return below('')
}

/** @returns {string[]} `file:line` of each mark */
export function mergeMarksIn(root) {
  return keptFiles(root).flatMap(path => {
    const text = readFileSync(join(root, path), 'utf8')
    if (!/^(?:<{7}|>{7}) /m.test(text)) return []
    return text.split('\n').flatMap((line, index) => (/^(?:<{7}|>{7}) /.test(line) ? [`${path}:${index + 1}`] : []))
  })
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const marks = mergeMarksIn(fileURLToPath(new URL('..', import.meta.url)))
  for (const mark of marks) console.error(`a merge was not finished at ${mark}`)
  process.exitCode = marks.length === 0 ? 0 : 1
}
