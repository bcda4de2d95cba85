/** What goes on again because what stopped it has ended: "the suspension of deliveries was lifted". */
import { type Core, subjectOf } from './cores.js'
import { pattern } from './pattern.js'
import { wordsOf } from './words.js'

const LIFTED = pattern(
  /\b(?:suspension|ban|freeze|hold|moratorium|embargo|stoppage|halt|interruption|stop)\s(?:of|on|for|placed on|imposed on)\s((?:[\p{L}'’-]+\s){1,6}?)(?:is|was|were|has been|had been|have been)\s(not\s)?(?:now\s|since\s|also\s)?(?:lifted|ended|removed|revoked|withdrawn|cancell?ed|rescinded)\b/iu,
)

export function liftedOf(text: string): Core | null {
  const match = LIFTED.exec(text)
  const subject = match ? subjectOf(wordsOf(match[1]!)) : null
  return subject ? { ...subject, predicate: 'resume', negated: match![2] !== undefined } : null
}
