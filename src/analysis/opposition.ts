/** Whether two statements exclude each other: one denies the core of the other, or says absent what the other says is there. */

import { isTopic } from './topics.js'
import type { Core, Stated, View } from './view.js'

/** In words why the two exclude each other; null when they do not. */
export function opposition(a: View, b: View): string | null {
  const x = a.stated
  const y = b.stated
  if (x.core && y.core && coresOppose(x.core, y.core, a, b)) return 'one affirms what the other denies'
  if (y.absent.length && absentThere(y.absent, a, x)) return 'one says it is absent, the other that it is there'
  if (x.absent.length && absentThere(x.absent, b, y)) return 'one says it is absent, the other that it is there'
  return null
}

function coresOppose(x: Core, y: Core, a: View, b: View): boolean {
  if (x.predicate !== y.predicate || x.negated === y.negated || !agentsMeet(x, y)) return false
  if (noneIsSome(x, y, b) || noneIsSome(y, x, a)) return true
  if (x.head !== y.head) {
    // "The permit" and "the application for the permit": one head within the other, and enough besides.
    const nested = x.about.includes(y.head) || y.about.includes(x.head)
    const all = new Set([y.head, ...y.about])
    return nested && [x.head, ...x.about].filter(term => all.has(term) && isTopic(term)).length >= 3
  }
  const [few, many, other] = x.about.length <= y.about.length ? [x, y, b] : [y, x, a]
  // "did not pay the rent" and "paid the rent of May": one act of several, unless none was done.
  if ((x.agent || y.agent) && !few.about.length && many.about.length && !(few.none && few.negated)) return false
  const meets = few.about.every(term => many.about.includes(term) || other.context.has(term))
  const telling = [x.head, ...few.about].filter(term => isTopic(term)).length
  // "No risk assessment was made": plain words, yet all of them on both sides.
  const same = few.about.length > 0 && few.about.length === many.about.length && (x.none || y.none)
  return meets && (telling >= 1 || same)
}

/** Where both say who acts, it is the same one. */
function agentsMeet(x: Core, y: Core): boolean {
  // Whether one is of a kind says nothing of another.
  if (x.predicate === '=kind' && !x.none && !y.none && (!x.agent?.length || !y.agent?.length)) return false
  return !x.agent?.length || !y.agent?.length || x.agent.some(term => y.agent!.includes(term))
}

/** "No passwords were stolen" against the hashes of passwords that were. */
function noneIsSome(none: Core, some: Core, other: View): boolean {
  const all = [some.head, ...some.about]
  if (!none.none || !all.includes(none.head) || !(isTopic(none.head) || (none.head === some.head && none.about.some(isTopic)))) return false
  return none.about.every(term => all.includes(term) || (none.head === some.head && other.context.has(term)))
}

/** Everything said to be absent is said of the other, and it is counted or found there. */
function absentThere(absent: readonly string[], other: View, stated: Stated): boolean {
  if (other.claim.polarity === 'negated' || stated.absent.length) return false
  if (!absent.every(term => other.termSet.has(term))) return false
  const telling = absent.filter(isTopic)
  const head = absent.at(-1)!
  return telling.length >= 1 && (stated.present.has(head) || (telling.length >= 2 && other.terms.length <= 12))
}
