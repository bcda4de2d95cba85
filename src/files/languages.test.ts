import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { languageFile, listLanguages } from './languages.js'

it('finds the packages that are installed beside the program, and names those that are not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'concord-languages-'))
  try {
    const add = (language: string) => {
      const file = join(folder, 'node_modules/@tesseract.js-data', language, `4.0.0_best_int/${language}.traineddata.gz`)
      mkdirSync(dirname(file), { recursive: true })
      copyFileSync(languageFile('eng') as string, file)
    }
    // Latin, which we do not name, and a folder that is no language.
    for (const language of ['eng', 'deu', 'lat']) add(language)
    mkdirSync(join(folder, 'node_modules/@tesseract.js-data/xyz'))
    const from = join(folder, 'program.js')
    expect(languageFile('lat', from)).toMatch(/lat\.traineddata\.gz$/)
    expect(languageFile('../eng', from)).toBeNull()
    const listed = listLanguages(from)
    expect(listed.filter(each => each.installed).map(each => each.language)).toEqual(['eng', 'deu', 'lat'])
    expect(listed.filter(each => !each.installed).map(each => each.language)).toEqual(['fra', 'spa', 'ita', 'nld', 'por', 'pol'])
    expect(listLanguages(join(tmpdir(), 'nowhere.js')).some(each => each.installed)).toBe(false)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
