/** What members of claims and findings mean, where that takes more than a line. */

import { Type } from '../platform/schema.js'

export const effectMeaning =
  'Left out while what was decided simply holds. `on_record`: a side is no longer said by anybody, so the decision has no effect. `again`: what was no longer said is said again, and the decision of before applies again; who objects takes it back (`DELETE …/resolution`), which opens the contradiction.'

export const Recognised = Type.Number({
  minimum: 0,
  maximum: 1,
  description:
    'How sure the recognition of the least sure word of the quote was, where the document is a scan or picture and that is less than 0.8: look at the page. A difference that rests on it is a possible conflict.',
})
