/**
 * Which way the lines of a page run, and the rules of its tables and forms, from its picture. Lines of text leave white between
 * them: seen along them a page is dark and light in turns, across them it is an even grey. Pure.
 */

import { type Grey, reduced, threshold } from './grey.js'

interface Points {
  xs: Int32Array
  ys: Int32Array
  width: number
  height: number
}

/** Ink is looked at in a picture of about so many pixels each way, and of so many points: what more there is says the same. */
const sidePixels = 900
const mostPoints = 60_000

function inkOf(picture: Grey): Points {
  const small = reduced(picture, Math.max(1, Math.floor(Math.max(picture.width, picture.height) / sidePixels)))
  const limit = threshold(small)
  const found: number[] = []
  for (let at = 0; at < small.data.length; at++) if (small.data[at]! <= limit) found.push(at)
  // Scattered: every nth would line up with strokes that come at even distances.
  const share = (2 ** 32 * mostPoints) / found.length
  let state = 1
  const kept = found.filter(() => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state < share
  })
  return {
    xs: Int32Array.from(kept, at => at % small.width),
    ys: Int32Array.from(kept, at => Math.floor(at / small.width)),
    width: small.width,
    height: small.height,
  }
}

/** How unevenly ink falls on lines that run at this angle: high where they run along the text. */
function sharpness({ xs, ys, width, height }: Points, radians: number): number {
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  const reach = width + height
  const counts = new Float64Array(2 * reach)
  for (let at = 0; at < xs.length; at++) counts[(ys[at]! * cos - xs[at]! * sin + reach) | 0]!++
  let sum = 0
  for (let at = 1; at < counts.length; at++) sum += (counts[at]! - counts[at - 1]!) ** 2
  return sum / Math.max(1, xs.length)
}

/** Dark spots of a page with so little in it as a signature, and how much darker than paper ink is at least. */
const leastInk = 0.0005
const leastContrast = 40

/** Whether nothing is on it, as on the backs of scanned sheets: the grain of paper would be taken for a thousand letters, and read for a minute. */
export function isBlank(picture: Grey): boolean {
  const small = reduced(picture, Math.max(1, Math.floor(Math.max(picture.width, picture.height) / sidePixels)))
  const counts = new Uint32Array(256)
  for (const shade of small.data) counts[shade]!++
  const shadeAt = (share: number) => {
    let [shade, seen] = [0, counts[0]!]
    while (seen <= share * small.data.length && shade < 255) seen += counts[++shade]!
    return shade
  }
  return shadeAt(0.5) - shadeAt(leastInk) < leastContrast
}

const mostSkew = (6 * Math.PI) / 180

/** The angle at which lines run, in radians: clockwise is positive. 0 where none is clear. */
export function skewOf(picture: Grey): number {
  return skewIn(inkOf(picture)).angle
}

function skewIn(ink: Points): { angle: number; sharp: number } {
  let best = { angle: 0, sharp: sharpness(ink, 0) }
  if (ink.xs.length < 200) return best
  const level = best.sharp
  for (const [step, reach] of [
    [mostSkew / 12, mostSkew],
    [mostSkew / 60, mostSkew / 12],
  ] as const) {
    const middle = best.angle
    for (let angle = middle - reach; angle <= middle + reach + 1e-9; angle += step) {
      const sharp = sharpness(ink, angle)
      if (sharp > best.sharp) best = { angle, sharp }
    }
  }
  // A little sharper says nothing on a page with few lines.
  return best.sharp > 1.03 * level ? best : { angle: 0, sharp: level }
}

/** Whether the lines run up and down: the page lies on its side. */
export function liesOnItsSide(picture: Grey): boolean {
  const ink = inkOf(picture)
  const across = skewIn(ink).sharp
  const along = skewIn({ xs: ink.ys, ys: ink.xs, width: ink.height, height: ink.width }).sharp
  return along > 1.5 * across
}

export interface Rules {
  /** Where lines from top to bottom stand, with their reach. */
  upright: { x: number; top: number; bottom: number }[]
}

/** Takes rules off a picture: long straight lines that are thin, except where letters cross them. */
export function withoutRules(picture: Grey, dotsPerInch: number): Rules {
  const limit = threshold(picture)
  const longest = Math.round(dotsPerInch * 0.4)
  const thickest = Math.max(2, Math.round(dotsPerInch / 35))
  const { width, height, data } = picture
  const upright: Rules['upright'] = []
  const down = linesOf({ along: height, across: width, stepAlong: width, stepAcross: 1 }, data, { limit, longest, thickest })
  const over = linesOf({ along: width, across: height, stepAlong: 1, stepAcross: width }, data, { limit, longest, thickest })
  for (const { at, from, to } of down) upright.push({ x: at, top: from, bottom: to })
  for (const pixel of [...down, ...over].flatMap(line => line.pixels)) data[pixel] = 255
  return { upright }
}

interface Direction {
  along: number
  across: number
  stepAlong: number
  stepAcross: number
}

interface Line {
  at: number
  from: number
  to: number
  pixels: number[]
}

/** Runs of ink in one direction that are long and, where they are taken off, thin in the other. Gaps of a pixel or two are bridged. */
function linesOf(
  { along, across, stepAlong, stepAcross }: Direction,
  data: Uint8Array,
  { limit, longest, thickest }: { limit: number; longest: number; thickest: number },
): Line[] {
  const lines: Line[] = []
  const isInk = (at: number, on: number) => data[at * stepAcross + on * stepAlong]! <= limit
  const close = (at: number, from: number, to: number) => {
    if (to - from < longest) return
    const pixels: number[] = []
    let thin = 0
    for (let on = from; on < to; on++) {
      let [low, high] = [at, at]
      while (low > 0 && at - low <= thickest && isInk(low - 1, on)) low--
      while (high + 1 < across && high - at <= thickest && isInk(high + 1, on)) high++
      if (high - low + 1 > thickest) continue
      thin++
      // With the shade at its edges, or a ghost of the line stays.
      for (let each = Math.max(0, low - 1); each <= Math.min(across - 1, high + 1); each++) pixels.push(each * stepAcross + on * stepAlong)
    }
    // Strokes of large letters and filled areas are no rules.
    if (thin >= 0.6 * (to - from)) lines.push({ at, from, to, pixels })
  }
  for (let at = 0; at < across; at++) {
    let [from, last] = [-1, -1]
    for (let on = 0; on < along; on++) {
      if (!isInk(at, on)) continue
      if (from >= 0 && on - last > 3) {
        close(at, from, last + 1)
        from = on
      }
      if (from < 0) from = on
      last = on
    }
    if (from >= 0) close(at, from, last + 1)
  }
  return lines
}
