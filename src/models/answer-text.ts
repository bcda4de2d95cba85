/**
 * Finds the JSON object in what a model wrote: alone, in a code fence, after its thoughts, before a remark. Half an object is
 * none: what a cut-off answer still says would be a biased sample.
 */

/** Undefined, which JSON cannot say, when there is none. */
export function jsonIn(content: string): unknown {
  const text = withoutThoughts(content).trim()
  const whole = parse(content.trim()) ?? parse(text)
  if (isObject(whole)) return whole
  // Every second part stands between fences, if the last of them is closed.
  for (const fenced of text
    .split('```')
    .slice(0, -1)
    .filter((_, part) => part % 2 === 1)) {
    const inside = parse(fenced.replace(/^json/i, '').trim())
    if (isObject(inside)) return inside
  }
  const first = text.indexOf('{')
  return first < 0 ? undefined : firstObject(text, first)
}

/** Reasoning models served without a parser for it put their thoughts before the answer; an open end means it was cut off. */
function withoutThoughts(content: string): string {
  // The answer is behind the last closing mark: some templates put the opening one into the prompt, so that it is not here.
  const behind = content.split(/<\/(?:think|thinking|reasoning)>/i).at(-1) ?? ''
  return /<(?:think|thinking|reasoning)>/i.test(behind) ? '' : behind
}

function firstObject(text: string, from: number): unknown {
  let depth = 0
  let isString = false
  for (let at = from; at < text.length; at++) {
    const unit = text[at]
    if (isString) {
      if (unit === '\\') at++
      else if (unit === '"') isString = false
    } else if (unit === '"') isString = true
    else if (unit === '{') depth++
    else if (unit === '}' && --depth === 0) {
      const found = parse(text.slice(from, at + 1))
      return isObject(found) ? found : undefined
    }
  }
  return undefined
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a JSON text; undefined when it is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
