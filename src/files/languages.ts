/** Languages whose letters can be recognised: data of the packages `@tesseract.js-data/…` that are installed. English comes with us. */

import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** Those we name; any other of the packages does as well. */
const named = ['eng', 'deu', 'fra', 'spa', 'ita', 'nld', 'por', 'pol']

/** Null where it is not installed. `from` is a file beside whose packages it is looked for. */
export function languageFile(language: string, from: string | URL = import.meta.url): string | null {
  if (!/^[a-z]{3}$/.test(language)) return null
  try {
    return createRequire(from).resolve(`@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`)
  } catch {
    // That it cannot be found is the answer.
    return null
  }
}

export function installCommand(language: string): string {
  return `npm install @tesseract.js-data/${language}`
}

/** Those that are installed, and those we name. */
export function listLanguages(from: string | URL = import.meta.url): { language: string; installed: boolean }[] {
  const english = languageFile('eng', from)
  const beside = english === null ? [] : readdirSync(dirname(dirname(dirname(english))))
  return [...new Set([...named, ...beside.sort()])].flatMap(language => {
    const installed = languageFile(language, from) !== null
    return installed || named.includes(language) ? [{ language, installed }] : []
  })
}
