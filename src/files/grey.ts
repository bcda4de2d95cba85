/**
 * Pictures of pages as shades of grey, and what makes them easier to read: upright, straight, of a size that letters are
 * recognised at, without the rules of tables and forms. Pure. 0 is black, 255 white.
 */

export interface Grey {
  width: number
  height: number
  data: Uint8Array
}

export function blank(width: number, height: number): Grey {
  return { width, height, data: new Uint8Array(width * height).fill(255) }
}

/** The simplest of formats, which the recognition reads without unpacking anything. */
export function toPgm({ width, height, data }: Grey): Uint8Array {
  const head = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`)
  const file = new Uint8Array(head.length + data.length)
  file.set(head)
  file.set(data, head.length)
  return file
}

/** Clockwise, a quarter each. */
export function turned(picture: Grey, quarters: number): Grey {
  const turns = ((quarters % 4) + 4) % 4
  if (turns === 0) return picture
  const { width, height, data } = picture
  const out = turns === 2 ? blank(width, height) : blank(height, width)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      const [toX, toY] = turns === 1 ? [height - 1 - y, x] : turns === 2 ? [width - 1 - x, height - 1 - y] : [y, width - 1 - x]
      out.data[toY * out.width + toX] = data[at]!
    }
  return out
}

export function mirrored({ width, height, data }: Grey): Grey {
  const out = blank(width, height)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) out.data[y * width + width - 1 - x] = data[y * width + x]!
  return out
}

/** Each pixel the mean of `by` × `by` of the picture. */
export function reduced(picture: Grey, by: number): Grey {
  if (by <= 1) return picture
  const width = Math.max(1, Math.floor(picture.width / by))
  const height = Math.max(1, Math.floor(picture.height / by))
  const out = blank(width, height)
  const [acrossBy, downBy] = [Math.min(by, picture.width), Math.min(by, picture.height)]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let sum = 0
      for (let dy = 0; dy < downBy; dy++) {
        const row = (y * by + dy) * picture.width + x * by
        for (let dx = 0; dx < acrossBy; dx++) sum += picture.data[row + dx]!
      }
      out.data[y * width + x] = sum / (acrossBy * downBy)
    }
  return out
}

/** a x + c y + e, b x + d y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

export function multiply(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ]
}

export function inverse([a, b, c, d, e, f]: Matrix): Matrix | null {
  const det = a * d - b * c
  if (!Number.isFinite(det) || Math.abs(det) < 1e-12) return null
  return [d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det]
}

/** Draws a picture into another: `place` takes its pixels to those of the other. A mask lets what is below through where it is 0. */
export function draw(onto: Grey, picture: Grey, place: Matrix, mask?: Uint8Array): void {
  const back = inverse(place)
  if (back === null) return
  const box = boxOf(picture, place)
  const [fromX, toX] = [Math.max(0, Math.floor(box.left)), Math.min(onto.width, Math.ceil(box.right))]
  const [fromY, toY] = [Math.max(0, Math.floor(box.top)), Math.min(onto.height, Math.ceil(box.bottom))]
  const { width, height, data } = picture
  for (let y = fromY; y < toY; y++)
    for (let x = fromX; x < toX; x++) {
      const u = back[0] * (x + 0.5) + back[2] * (y + 0.5) + back[4]
      const v = back[1] * (x + 0.5) + back[3] * (y + 0.5) + back[5]
      if (u < 0 || v < 0 || u >= width || v >= height) continue
      const at = y * onto.width + x
      if (mask !== undefined) {
        const cover = mask[(v | 0) * width + (u | 0)]!
        if (cover === 0) continue
        onto.data[at] = (data[(v | 0) * width + (u | 0)]! * cover + onto.data[at]! * (255 - cover)) / 255
      } else onto.data[at] = between(picture, u - 0.5, v - 0.5)
    }
}

export function boxOf({ width, height }: { width: number; height: number }, m: Matrix) {
  const xs = [0, width].flatMap(x => [0, height].map(y => m[0] * x + m[2] * y + m[4]))
  const ys = [0, width].flatMap(x => [0, height].map(y => m[1] * x + m[3] * y + m[5]))
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

/** Between the four pixels around a point. */
function between({ width, height, data }: Grey, u: number, v: number): number {
  const [x, y] = [u < 0 ? 0 : u | 0, v < 0 ? 0 : v | 0]
  const right = x + 1 < width ? 1 : 0
  const below = y + 1 < height ? width : 0
  const [p, q] = [u < 0 ? 0 : u - x, v < 0 ? 0 : v - y]
  const at = y * width + x
  const upper = data[at]! * (1 - p) + data[at + right]! * p
  const lower = data[at + below]! * (1 - p) + data[at + below + right]! * p
  return upper * (1 - q) + lower * q
}

/** About its middle, by an angle that takes its lines level. */
export function rotated(picture: Grey, radians: number): Grey {
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  const [x, y] = [picture.width / 2, picture.height / 2]
  const out = blank(picture.width, picture.height)
  draw(out, picture, [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y])
  return out
}

export function scaled(picture: Grey, by: number): Grey {
  if (by === 1) return picture
  const source = by < 1 ? reduced(picture, Math.floor(1 / by)) : picture
  const out = blank(Math.max(1, Math.round(picture.width * by)), Math.max(1, Math.round(picture.height * by)))
  draw(out, source, [out.width / source.width, 0, 0, out.height / source.height, 0, 0])
  return out
}

/** The shade that parts ink from paper (Otsu). */
export function threshold({ data }: Grey): number {
  const counts = new Float64Array(256)
  for (let at = 0; at < data.length; at++) counts[data[at]!]!++
  let [sum, seen, seenSum, best, at] = [0, 0, 0, -1, 127]
  for (let shade = 0; shade < 256; shade++) sum += shade * counts[shade]!
  for (let shade = 0; shade < 255; shade++) {
    seen += counts[shade]!
    seenSum += shade * counts[shade]!
    const rest = data.length - seen
    if (seen === 0 || rest === 0) continue
    const apart = seenSum / seen - (sum - seenSum) / rest
    const parted = seen * rest * apart * apart
    if (parted > best) [best, at] = [parted, shade]
  }
  return at
}
