/** A claim that another extractor read becomes comparable: its words are read from its quote. */

import { cut } from '../../platform/storable-text.js'
import type { ExtractedClaim } from '../types.js'
import { lemmaKey } from './claim-names.js'
import { completeFrame, type ReadClaim } from './extract.js'
import { frameOf } from './frames.js'
import { ReadLines } from './read-lines.js'

const LABEL = /^[\p{L}\d][^:.!?\n]{1,80}:\s/u
const NEAR = 16

export function completeClaim(claim: ExtractedClaim | ReadClaim): ReadClaim {
  if ('frame' in claim) return claim
  const text = cut(claim.quote.replace(/\s+/g, ' '), 900)
  const label = LABEL.exec(text)?.[0].trimEnd() ?? ''
  const statement = {
    kind: label === '' ? ('sentence' as const) : ('pair' as const),
    start: claim.start,
    end: claim.end,
    text,
    labelEnd: label.length,
    above: claim.subject === '' ? [] : [claim.subject],
    before: [],
    heading: '',
  }
  const { frame, tokens } = frameOf(statement, new ReadLines(null, ''))
  completeFrame(frame, statement, tokens)
  const { value } = claim
  const found = tokens.numbers.find(number => 'low' in value && number.value.low === value.low && number.value.high === value.high)
  return {
    ...claim,
    attributeKey: lemmaKey(claim.attribute),
    frame,
    bound: found?.bound ?? null,
    counted: found?.counted ?? null,
    of: found?.of ?? null,
    near: [...new Set(tokens.words.map(word => word.lemma))].slice(0, NEAR),
    heads: found?.counted ? [found.counted] : [],
    tells: null,
    crowd: 1,
    among: 1,
    nth: [0, 1],
  }
}
