/** The picture of a page, as it was scanned or photographed, to words: brought to a usual size, upright and straight first. */

import { type Grey, inverse, type Matrix, multiply, rotated, scaled, turned } from './grey.js'
import type { LetterReader, Letters, Reading } from './letters.js'
import type { PageReading, WordLine } from './recognised.js'
import { isBlank, liesOnItsSide, type Rules, skewOf, withoutRules } from './straighten.js'
import { clean } from './text-writer.js'

/** Letters are recognised best at. */
const bestDpi = 300
/** Of a picture that is recognised: a page of A4 at 300 dots per inch. */
const mostPixels = 9_000_000
/** Beyond that it only gets blurred. */
const mostEnlarged = 2
const leastSkew = 0.003
/** Below this a page may stand on its head: what is read then is hardly ever words. */
const headDown = 0.65

export interface PagePicture {
  picture: Grey
  dotsPerInch: number
}

export function recognisePage(reader: LetterReader, page: number, { picture, dotsPerInch }: PagePicture): PageReading {
  if (isBlank(picture)) return { page, height: (picture.height * 72) / dotsPerInch, toPage: identity, lines: [] }
  const wanted = Math.min(mostEnlarged, bestDpi / dotsPerInch, Math.sqrt(mostPixels / (picture.width * picture.height)))
  // What is nearly right is left as it is: every step blurs.
  const scale = wanted > 0.8 && wanted < 1.2 ? 1 : wanted
  const work = scaled(picture, scale)
  const dpi = dotsPerInch * scale
  const upright = { picture: work, quarters: 0 }
  if (liesOnItsSide(work)) Object.assign(upright, { picture: turned(work, 1), quarters: 1 })
  const skew = skewOf(upright.picture)
  const straight = Math.abs(skew) < leastSkew ? upright.picture : rotated(upright.picture, -skew)
  const rules = withoutRules(straight, dpi)
  let reading = reader.read(straight, dpi)
  if (reading.confidence < headDown && reading.lines.length > 0) {
    const other = reader.read(turned(straight, 2), dpi)
    if (other.confidence > reading.confidence) {
      reading = other
      rules.upright = rules.upright.map(rule => turnedRule(rule, straight))
      upright.quarters += 2
    }
  }
  const [width, height] = [straight.width, straight.height]
  const toWork = multiply(
    upright.quarters >= 2 ? turnOf(2, width, height) : identity,
    multiply(rotationOf(-leveled(skew), width, height), turnOf(upright.quarters % 2, work.width, work.height)),
  )
  const points = dpi / 72
  const back = inverse(toWork) ?? identity
  const toPage = multiply([1 / work.width, 0, 0, 1 / work.height, 0, 0], multiply(back, [points, 0, 0, points, 0, 0]))
  return { page, height: height / points, toPage, lines: linesOf(reading, rules, points) }
}

const identity: Matrix = [1, 0, 0, 1, 0, 0]

function leveled(skew: number): number {
  return Math.abs(skew) < leastSkew ? 0 : skew
}

function turnOf(quarters: number, width: number, height: number): Matrix {
  if (quarters === 1) return [0, 1, -1, 0, height, 0]
  return quarters === 2 ? [-1, 0, 0, -1, width, height] : identity
}

function rotationOf(radians: number, width: number, height: number): Matrix {
  const [cos, sin, x, y] = [Math.cos(radians), Math.sin(radians), width / 2, height / 2]
  return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y]
}

/** Left over from rules and specks. */
const noWord = /^[|¦_~—–\-'"`.,:;=<>\\/]+$/
const sureOfSpeck = 0.75

function turnedRule({ x, top, bottom }: Rules['upright'][number], { width, height }: Grey): Rules['upright'][number] {
  return { x: width - x, top: height - bottom, bottom: height - top }
}

/** Whether a rule stands between two words of a line. */
function isRuled(rules: Rules, before: Letters | undefined, word: Letters): boolean {
  if (before === undefined) return false
  const y = (word.box.top + word.box.bottom) / 2
  return rules.upright.some(({ x, top, bottom }) => x >= before.box.right - 2 && x <= word.box.left + 2 && y > top && y < bottom)
}

function linesOf({ lines }: Reading, rules: Rules, points: number): WordLine[] {
  return lines.flatMap(({ words, height, baseline }) => {
    const kept = words.flatMap((word, index) => {
      const { text, confidence, box } = word
      const storable = clean(text).replaceAll('|', '¦')
      if (storable === '' || /^¦+$/.test(storable) || (noWord.test(storable) && confidence < sureOfSpeck)) return []
      const [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom].map(pixels => round(pixels / points)) as [
        number,
        number,
        number,
        number,
      ]
      return [
        {
          text: storable,
          confidence: Math.min(1, Math.max(0, round(confidence))),
          left,
          top,
          right,
          bottom,
          ...(isRuled(rules, words[index - 1], word) && { ruled: true as const }),
        },
      ]
    })
    return kept.length === 0 ? [] : [{ words: kept, size: round(height / points), baseline: round(baseline / points) }]
  })
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
