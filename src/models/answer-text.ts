/**
 * Finds the JSON object in what a model wrote: alone, in a code fence, after its thoughts, before a remark. Half an object is
 * none: what a cut-off answer still says would be a biased sample.
 */

/** Undefined, which JSON cannot say, when there is none. */
export function jsonIn(content: string): unknown {
  const text = withoutThoughts(content).trim()
  const whole = parse(text)
  if (isObject(whole)) return whole
  for (const [, fenced = ''] of text.matchAll(/```(?:json|JSON)?\s*\n?([\s\S]*?)```/g)) {
    const inside = parse(fenced.trim())
    if (isObject(inside)) return inside
  }
  const first = text.indexOf('{')
  return first < 0 ? undefined : firstObject(text, first)
}

/** Reasoning models served without a parser for it put their thoughts before the answer; an open end means it was cut off. */
function withoutThoughts(content: string): string {
  const closed = content.replace(/<(think|thinking|reasoning)>[\s\S]*?<\/\1>/gi, '')
  // Some templates put the opening mark into the prompt, so that only the closing one is in the answer.
  const behind = closed.replace(/^[\s\S]*<\/(?:think|thinking|reasoning)>/i, '')
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
