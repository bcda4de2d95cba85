/**
 * Recognises letters: Tesseract, compiled to WebAssembly, without native code, threads or files beyond its own. It also unpacks
 * pictures (PNG, JPEG, WebP, TIFF) into shades of grey. Runs in the child process alone.
 */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import { FileFault } from './extraction.js'
import { type Grey, toPgm } from './grey.js'
import { languageFile } from './languages.js'

/** In pixels of the picture, from its top left. */
export interface Letters {
  text: string
  /** 0 to 1. */
  confidence: number
  box: { left: number; top: number; right: number; bottom: number }
}

/** Words that stand on one line, from left to right. */
export interface LettersLine {
  words: Letters[]
  /** Height of its letters from below `p` to above `d`, and where it stands at its left end. */
  height: number
  baseline: number
}

export interface Reading {
  lines: LettersLine[]
  /** Mean of its words, 0 to 1; 0 without any. */
  confidence: number
}

export interface LetterReader {
  decode(file: Uint8Array): Grey
  read(picture: Grey, dotsPerInch: number): Reading
}

/** What is used of the compiled API. */
interface Api {
  Init(path: string, languages: string, engine: number): number
  SetVariable(name: string, value: string): boolean
  SetImageFile(orientation: number, angle: number): number
  GetInputImage(): object
  SetSourceResolution(dotsPerInch: number): void
  Recognize(monitor: null): number
  GetJSONText(page: number): string
  Clear(): void
}

interface Core {
  FS: { writeFile(path: string, data: Uint8Array): void; unlink(path: string): void }
  TessBaseAPI: new () => Api
  getPointer(of: object): number
}

/** The build with vector instructions that every processor of ours has; with the others results differ from one to the next. */
const build = 'tesseract.js-core/tesseract-core-simd-lstm'

/** Neural network only. */
const engine = 1

export async function createLetterReader(languages: readonly string[]): Promise<LetterReader> {
  const data = languages.map(language => ({ language, file: languageFile(language) }))
  if (data.some(({ file }) => file === null)) throw new FileFault('NO_LANGUAGE')
  const require = createRequire(import.meta.url)
  const load = require(`${build}.js`) as (options: object) => Promise<Core>
  const module = new WebAssembly.Module(readFileSync(require.resolve(`${build}.wasm`)))
  let memory: WebAssembly.Memory | undefined
  const silent = () => undefined
  const core = await load({
    print: silent,
    printErr: silent,
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void) {
      const instance = new WebAssembly.Instance(module, imports)
      memory = Object.values(instance.exports).find(each => each instanceof WebAssembly.Memory)
      done(instance, module)
      return instance.exports
    },
  })
  for (const { language, file } of data) core.FS.writeFile(`/${language}.traineddata`, gunzipSync(readFileSync(file as string)))
  const api = new core.TessBaseAPI()
  if (api.Init('/', languages.join('+'), engine) !== 0) throw new Error('the recognition of letters does not start')
  const set = (file: Uint8Array) => {
    core.FS.writeFile('/input', file)
    const failed = api.SetImageFile(1, 0) !== 0
    core.FS.unlink('/input')
    if (failed) throw new FileFault('BROKEN')
  }
  return {
    decode(file) {
      set(file)
      const picture = pixelsAt((memory as WebAssembly.Memory).buffer, core.getPointer(api.GetInputImage()))
      api.Clear()
      return picture
    },
    read(picture, dotsPerInch) {
      set(toPgm(picture))
      api.SetSourceResolution(Math.round(dotsPerInch))
      if (api.Recognize(null) !== 0) throw new FileFault('BROKEN')
      const found = JSON.parse(api.GetJSONText(0)) as Recognised
      api.Clear()
      return readingOf(found)
    },
  }
}

interface Box {
  x0: number
  y0: number
  x1: number
  y1: number
}

interface Recognised {
  blocks:
    | {
        paragraphs: {
          lines: {
            bbox: Box
            baseline: { y0: number }
            rowAttributes: { row_height: number; ascenders: number; descenders: number }
            words: { text: string; confidence: number; bbox: Box }[]
          }[]
        }[]
      }[]
    | null
}

function readingOf({ blocks }: Recognised): Reading {
  const lines = (blocks ?? []).flatMap(block => block.paragraphs.flatMap(paragraph => paragraph.lines))
  const read = lines.flatMap(({ bbox, baseline, rowAttributes, words }): LettersLine[] => {
    const kept = words.flatMap(({ text, confidence, bbox: { x0, y0, x1, y1 } }) =>
      text.trim() === '' ? [] : [{ text: text.trim(), confidence: confidence / 100, box: { left: x0, top: y0, right: x1, bottom: y1 } }],
    )
    return kept.length === 0 ? [] : [{ words: kept, height: rowAttributes.row_height || bbox.y1 - bbox.y0, baseline: baseline.y0 }]
  })
  const all = read.flatMap(line => line.words)
  const confidence = all.length === 0 ? 0 : all.reduce((sum, word) => sum + word.confidence, 0) / all.length
  return { lines: read, confidence }
}

/** A picture of Leptonica's: width, height, bits of a pixel, and the words of a row are its members 0, 1, 2 and 4, its pixels the 12th. */
function pixelsAt(memory: ArrayBuffer, pointer: number): Grey {
  const head = new Uint32Array(memory, pointer, 13)
  const [width = 0, height = 0, depth = 0] = head
  const rowWords = head[4] as number
  const rows = new Uint32Array(memory, head[12] as number, rowWords * height)
  const data = new Uint8Array(width * height)
  const most = 2 ** depth - 1
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      const word = rows[y * rowWords + Math.floor((x * depth) / 32)]!
      if (depth === 32) data[at] = 0.299 * (word >>> 24) + 0.587 * ((word >>> 16) & 255) + 0.114 * ((word >>> 8) & 255)
      else {
        const value = (word >>> (32 - depth - ((x * depth) % 32))) & most
        // Of one bit, ink is 1.
        data[at] = depth === 1 ? (value === 1 ? 0 : 255) : (value * 255) / most
      }
    }
  return { width, height, data }
}
