/** Languages whose letters can be recognised: data of the packages `@tesseract.js-data/…` that are installed. English comes with us. */

import { createRequire } from 'node:module'

/** Null where it is not installed. */
export function languageFile(language: string): string | null {
  if (!/^[a-z]{3}$/.test(language)) return null
  try {
    return createRequire(import.meta.url).resolve(`@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`)
  } catch {
    // That it cannot be found is the answer.
    return null
  }
}
