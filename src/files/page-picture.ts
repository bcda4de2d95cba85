/**
 * What a page of a PDF shows in pictures, put together without a canvas, which would be native code: the pictures are unpacked by pdf.js and
 * drawn in shades of grey. Scans are pictures and nothing else; letters and lines drawn beside them are not needed.
 */

import type { OPS, PDFPageProxy } from 'pdfjs-dist'
import { blank, boxOf, draw, type Grey, type Matrix, multiply, reduced } from './grey.js'
import type { PagePicture } from './recognise.js'

/** Of one picture; larger ones are left out before they are unpacked (A3 at 600 dots per inch has 70 million, A4 35). */
export const mostPicturePixels = 40_000_000

const [leastDpi, mostDpi] = [100, 300]
const mostPictures = 5000

interface Placed {
  source: string | Pixels
  place: Matrix
  /** The shade a stencil is painted in; null for a picture. */
  ink: number | null
  width: number
  height: number
}

interface Pixels {
  width: number
  height: number
  /** 1: a bit, 2: red, green, blue, 3: with how much it covers. Stencils have none. */
  kind?: 1 | 2 | 3
  data: Uint8Array | Uint8ClampedArray
}

export interface ShownPicture extends PagePicture {
  /** Of the page, by pictures: 0 to 1. */
  covered: number
}

/** Null where the page shows no picture. */
export async function pictureOf(page: PDFPageProxy, ops: typeof OPS): Promise<ShownPicture | null> {
  const view = page.getViewport({ scale: 1 })
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: 0 })
  const placed = placedPictures(fnArray, argsArray, ops, view.transform as unknown as Matrix)
  if (placed.length === 0) return null
  const densities = placed.map(({ place, width, height }) =>
    Math.max((72 * width) / Math.hypot(place[0], place[1]), (72 * height) / Math.hypot(place[2], place[3])),
  )
  const finest = Math.max(...densities.filter(Number.isFinite), leastDpi)
  const room = 72 * Math.sqrt(mostPicturePixels / 4 / (view.width * view.height))
  const dotsPerInch = Math.min(mostDpi, finest, room)
  const scale = dotsPerInch / 72
  const canvas = blank(Math.max(1, Math.round(view.width * scale)), Math.max(1, Math.round(view.height * scale)))
  let covered = 0
  for (const { source, place, ink } of placed) {
    const pixels = typeof source === 'string' ? await objectOf(page, source) : source
    if (pixels === null) continue
    const unit = multiply([scale, 0, 0, scale, 0, 0], place)
    const box = boxOf({ width: 1, height: 1 }, unit)
    covered += (Math.min(canvas.width, box.right) - Math.max(0, box.left)) * (Math.min(canvas.height, box.bottom) - Math.max(0, box.top))
    drawPixels(canvas, pixels, unit, ink)
  }
  return { picture: canvas, dotsPerInch, covered: Math.min(1, covered / (canvas.width * canvas.height)) }
}

/** Pictures in the order they are painted, each with where its unit square goes on the page. */
function placedPictures(functions: readonly number[], args: readonly unknown[], ops: typeof OPS, base: Matrix): Placed[] {
  const placed: Placed[] = []
  let [at, ink] = [base, 0]
  const kept: [Matrix, number][] = []
  const save = () => kept.push([at, ink])
  const restore = () => {
    const last = kept.pop()
    if (last !== undefined) [at, ink] = last
  }
  const add = (source: string | Pixels, size: { width: number; height: number }, own: Matrix | null, stencil: boolean) => {
    if (placed.length < mostPictures)
      placed.push({ source, place: own === null ? at : multiply(at, own), ink: stencil ? ink : null, ...size })
  }
  for (const [index, fn] of functions.entries()) {
    const given = (args[index] ?? []) as never[]
    if (fn === ops.save || fn === ops.beginGroup) save()
    else if (fn === ops.restore || fn === ops.paintFormXObjectEnd || fn === ops.endGroup) restore()
    else if (fn === ops.transform) at = multiply(at, given as unknown as Matrix)
    else if (fn === ops.paintFormXObjectBegin) {
      save()
      const matrix = given[0] as Matrix | null | undefined
      if (matrix) at = multiply(at, matrix)
    } else if (fn === ops.setFillRGBColor) ink = shadeOf(given[0])
    else if (fn === ops.paintImageXObject) {
      const [id, width, height] = given as unknown as [string, number, number]
      add(id, { width, height }, null, false)
    } else if (fn === ops.paintInlineImageXObject) {
      const pixels = given[0] as unknown as Pixels
      add(pixels, pixels, null, false)
    } else if (fn === ops.paintImageXObjectRepeat) {
      const [id, scaleX, scaleY, positions] = given as unknown as [string, number, number, ArrayLike<number>]
      for (let each = 0; each + 1 < positions.length; each += 2)
        add(id, { width: 1, height: 1 }, [scaleX, 0, 0, scaleY, positions[each]!, positions[each + 1]!], false)
    } else if (fn === ops.paintInlineImageXObjectGroup) {
      const [pixels, map] = given as unknown as [Pixels, { transform: Matrix; x: number; y: number; w: number; h: number }[]]
      for (const part of map) add(partOf(pixels, part), { width: part.w, height: part.h }, part.transform, false)
    } else if (fn === ops.paintImageMaskXObject) {
      const mask = given[0] as unknown as Mask
      add(mask.data, mask, null, true)
    } else if (fn === ops.paintImageMaskXObjectGroup) {
      for (const mask of given[0] as unknown as (Mask & { transform: Matrix })[]) add(mask.data, mask, mask.transform, true)
    } else if (fn === ops.paintImageMaskXObjectRepeat) {
      const [mask, scaleX, skewX, skewY, scaleY, positions] = given as unknown as [Mask, number, number, number, number, ArrayLike<number>]
      for (let each = 0; each + 1 < positions.length; each += 2)
        add(mask.data, mask, [scaleX, skewX, skewY, scaleY, positions[each]!, positions[each + 1]!], true)
    }
  }
  return placed
}

interface Mask {
  data: string
  width: number
  height: number
}

/** Of `#rrggbb`; black where it is something else. */
function shadeOf(colour: unknown): number {
  const [, red = '0', green = '0', blue = '0'] = /^#(..)(..)(..)$/.exec(String(colour)) ?? []
  return Math.round(0.299 * Number.parseInt(red, 16) + 0.587 * Number.parseInt(green, 16) + 0.114 * Number.parseInt(blue, 16)) || 0
}

/** Small pictures that pdf.js put onto one sheet. */
function partOf({ width, kind, data }: Pixels, { x, y, w, h }: { x: number; y: number; w: number; h: number }): Pixels {
  const bytes = kind === 2 ? 3 : 4
  const own = new Uint8Array(w * h * bytes)
  for (let row = 0; row < h; row++) {
    const from = ((y + row) * width + x) * bytes
    own.set(data.subarray(from, from + w * bytes), row * w * bytes)
  }
  return { width: w, height: h, kind: kind === 2 ? 2 : 3, data: own }
}

/** Null for one that could not be unpacked. */
function objectOf(page: PDFPageProxy, id: string): Promise<Pixels | null> {
  const objects = (id.startsWith('g_') ? page.commonObjs : page.objs) as { get(id: string, found: (object: unknown) => void): void }
  return new Promise(resolve => objects.get(id, found => resolve(isPixels(found) ? found : null)))
}

function isPixels(object: unknown): object is Pixels {
  const { width, height, data } = (object ?? {}) as Partial<Pixels>
  return typeof width === 'number' && typeof height === 'number' && ArrayBuffer.isView(data)
}

function drawPixels(canvas: Grey, pixels: Pixels, unit: Matrix, ink: number | null): void {
  const { grey, cover } = ink === null ? greyOf(pixels) : stencilOf(pixels, ink)
  // Averaged down first: a pixel of the page would otherwise be one of many.
  const by = Math.floor(Math.min(pixels.width / Math.hypot(unit[0], unit[1]), pixels.height / Math.hypot(unit[2], unit[3])))
  const small = reduced(grey, by)
  const mask = cover && reduced({ ...grey, data: cover }, by).data
  draw(canvas, small, multiply(unit, [1 / small.width, 0, 0, -1 / small.height, 0, 1]), mask)
}

/** A stencil paints where its bit is 0. */
function stencilOf(pixels: Pixels, ink: number): { grey: Grey; cover: Uint8Array } {
  const { width, height } = pixels
  return { grey: { width, height, data: new Uint8Array(width * height).fill(ink) }, cover: shadesOf(pixels, [255, 0]) }
}

/** A shade for each bit. */
function shadesOf({ width, height, data }: Pixels, [clear, set]: readonly [number, number]): Uint8Array {
  const shades = new Uint8Array(width * height)
  const row = (width + 7) >> 3
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) shades[at] = (data[y * row + (x >> 3)]! >> (7 - (x & 7))) & 1 ? set : clear
  return shades
}

function greyOf(pixels: Pixels): { grey: Grey; cover?: Uint8Array } {
  const { width, height, kind, data } = pixels
  if (kind === 1) return { grey: { width, height, data: shadesOf(pixels, [0, 255]) } }
  const grey = new Uint8Array(width * height)
  const bytes = kind === 3 ? 4 : 3
  let opaque = true
  for (let at = 0, from = 0; at < grey.length; at++, from += bytes) {
    grey[at] = 0.299 * data[from]! + 0.587 * data[from + 1]! + 0.114 * data[from + 2]!
    if (bytes === 4 && data[from + 3] !== 255) opaque = false
  }
  if (opaque) return { grey: { width, height, data: grey } }
  return { grey: { width, height, data: grey }, cover: Uint8Array.from(grey, (_, at) => data[4 * at + 3]!) }
}
