import { describe, expect, it } from 'vitest'
import { blank, type Grey, rotated, turned } from './grey.js'
import type { LetterReader, Reading } from './letters.js'
import { recognisePage } from './recognise.js'
import { rectangleOf } from './recognised.js'
import { isBlank, liesOnItsSide, skewOf, withoutRules } from './straighten.js'

/** Lines of short strokes, as text looks from afar, 40 pixels apart, none in the last quarter. */
function page(): Grey {
  const picture = blank(1000, 1400)
  for (let line = 100; line < 1000; line += 40)
    for (let x = 100; x < 900; x++) {
      if (Math.floor((x + line * line) / 9) % 4 === 0) continue
      for (let y = line; y < line + 14; y++) picture.data[y * picture.width + x] = 20
    }
  return picture
}

const degrees = (radians: number) => (radians * 180) / Math.PI

/** Grain of paper, the same every time. */
function grainy(picture: Grey, by: number): Grey {
  let state = 7
  const data = picture.data.map(shade => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.max(0, Math.min(255, shade * 0.9 + 20 + ((state >> 8) % (2 * by)) - by))
  })
  return { ...picture, data }
}

describe('the picture of a page', () => {
  it('says how far its lines are askew, and whether it lies on its side', () => {
    expect(degrees(skewOf(page()))).toBe(0)
    for (const askew of [-3, 2]) expect(degrees(skewOf(rotated(page(), (askew * Math.PI) / 180)))).toBeCloseTo(askew, 0)
    expect([0, 1, 2, 3].map(quarters => liesOnItsSide(turned(page(), quarters)))).toEqual([false, true, false, true])
  })

  it('is blank when nothing but the grain of its paper is on it', () => {
    expect(isBlank(grainy(blank(1000, 1400), 25))).toBe(true)
    expect(isBlank(grainy(page(), 25))).toBe(false)
    const signed = blank(1000, 1400)
    for (let x = 300; x < 500; x++) for (let y = 700; y < 706; y++) signed.data[y * 1000 + x] = 60
    expect(isBlank(grainy(signed, 25))).toBe(false)
  })

  it('loses the rules of its tables, and nothing where a stroke crosses them', () => {
    const picture = blank(600, 600)
    const ink = (x: number, y: number) => {
      picture.data[y * 600 + x] = 0
    }
    for (let at = 50; at < 550; at++) for (const off of [0, 1, 2]) [ink(at, 300 + off), ink(300 + off, at)]
    for (let y = 280; y < 330; y++) for (const off of [0, 1, 2, 3]) ink(100 + off, y)
    const { upright } = withoutRules(picture, 300)
    expect(upright.length).toBeGreaterThan(0)
    expect(upright[0]).toMatchObject({ top: 50, bottom: 550 })
    const shadeAt = (x: number, y: number) => picture.data[y * 600 + x]
    expect([shadeAt(200, 301), shadeAt(301, 100), shadeAt(101, 301), shadeAt(101, 285)]).toEqual([255, 255, 0, 0])
  })
})

describe('recognising', () => {
  /** Sees one word at the same place of whatever it is shown; sure of it only where the last quarter is white. */
  const reader = (seen: Grey[]): LetterReader => ({
    decode: () => blank(1, 1),
    read: (picture): Reading => {
      seen.push(picture)
      const isUpright = picture.data.subarray(Math.floor(picture.height * 0.8) * picture.width).every(shade => shade > 100)
      const box = { left: 100, top: 100, right: 300, bottom: 140 }
      const confidence = isUpright ? 0.93 : 0.3
      return { confidence, lines: [{ words: [{ text: 'Rent', confidence, box }], height: 40, baseline: 138 }] }
    },
  })
  const rectangleIn = (picture: Grey, seen: Grey[] = []) => {
    const reading = recognisePage(reader(seen), 1, { picture, dotsPerInch: 300 })
    return rectangleOf(reading.lines[0]!.words[0]!, reading.toPage).map(share => Math.round(share / 100))
  }

  it('turns a page that stands on its head or lies on a side, and knows where on the page as it is shown a word stands', () => {
    expect(rectangleIn(page())).toEqual([10, 7, 20, 3])
    expect(rectangleIn(turned(page(), 2))).toEqual([70, 90, 20, 3])
    expect(rectangleIn(turned(page(), 1))).toEqual([90, 10, 3, 20])
    expect(rectangleIn(turned(page(), 3))).toEqual([7, 70, 3, 20])
  })

  it('reads a page that is upright once, and a blank one not at all', () => {
    const seen: Grey[] = []
    rectangleIn(page(), seen)
    expect(seen).toHaveLength(1)
    expect(recognisePage(reader(seen), 2, { picture: grainy(blank(500, 700), 25), dotsPerInch: 150 }).lines).toEqual([])
    expect(seen).toHaveLength(1)
  })
})
