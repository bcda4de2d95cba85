/**
 * Names of files as they are kept and given back: the last part of a path, without characters that turn the rest of a line around
 * or cannot be seen, and on the way out with the ending of what the file is. A name is a stranger's word: `invoice<U+202E>fdp.exe`
 * shows as a PDF and opens as a program.
 */

import { type FileKind, textKinds } from '../contract/file-kinds.js'

const endings: Readonly<Record<FileKind, readonly string[]>> = {
  pdf: ['pdf'],
  docx: ['docx'],
  xlsx: ['xlsx'],
  pptx: ['pptx'],
  odt: ['odt'],
  ods: ['ods'],
  eml: ['eml'],
  msg: ['msg'],
  zip: ['zip'],
  html: ['html', 'htm', 'xhtml'],
  csv: ['csv', 'tsv'],
  json: ['json', 'ndjson', 'jsonl'],
  md: ['md', 'markdown'],
  txt: ['txt', 'text', 'log'],
  png: ['png'],
  jpeg: ['jpg', 'jpeg'],
  webp: ['webp'],
  tiff: ['tif', 'tiff'],
}

/** Controls, marks of direction, separators of lines, and what has no width. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Surrogate}/gu

const mostCharacters = 500

/** The last part of a path, as some clients send one; the given one where nothing is left. */
export function fileName(given: string, otherwise: string): string {
  const seen = given.replaceAll(unseen, '')
  const name = [...seen.replace(/^.*[/\\]/, '').trim()].slice(0, mostCharacters).join('')
  return /^\.*$/.test(name) ? otherwise : name
}

/** A path within an archive, which leads nowhere else: what goes up, begins at the root or names a drive is left out. */
export function pathName(given: string, otherwise: string): string {
  const steps = given.split(/[/\\]/).filter(step => !/^[A-Za-z]:$/.test(step.trim()))
  const path = steps.map(step => fileName(step, '')).filter(step => step !== '')
  const name = [...path.join('/')].slice(-mostCharacters).join('').replace(/^\/+/, '')
  return name === '' ? otherwise : name
}

/** A name to save the file under: what it ends in is what the file is, whatever its sender called it. */
export function downloadName(name: string, kind: string): string {
  return named(name, endings[kind as FileKind] ?? [])
}

/** The same for what is known to be text: it may end in a form of text that no program runs. */
export function textName(name: string): string {
  const ending = textKinds.filter(kind => kind !== 'html').flatMap(kind => endings[kind])
  return named(name, ending)
}

function named(name: string, fitting: readonly string[]): string {
  const safe = fileName(name, 'file')
  const ending = /\.([^.]*)$/.exec(safe)?.[1]?.trim().toLowerCase() ?? ''
  return fitting.length === 0 || fitting.includes(ending) ? safe : `${safe}.${fitting[0]}`
}
