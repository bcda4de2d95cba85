/** Whether two statements exclude each other: one denies the core of the other, or says absent what the other says is there. */
import type { View } from './similar.js'
import { isTopic } from './topics.js'

interface Core {
  head: string
  about: string[]
  predicate: string
  negated: boolean
}

interface Stated {
  core: Core | null
  absent: string[]
  present: ReadonlySet<string>
}

const known = new WeakMap<View, Stated>()

function statedBy(view: View): Stated {
  const made = known.get(view)
  if (made) return made
  const words = (key: string): string[] =>
    String(view.claim.hints?.[key] ?? '')
      .split(' ')
      .filter(Boolean)
  const [head, about, predicate, negated] = String(view.claim.hints?.['core'] ?? '').split('|')
  const core = head && predicate ? { head, about: (about ?? '').split(' ').filter(Boolean), predicate, negated: negated === 'not' } : null
  const stated = { core, absent: words('absent'), present: new Set(words('present')) }
  known.set(view, stated)
  return stated
}

/** In words why the two exclude each other; null when they do not. */
export function opposition(a: View, b: View): string | null {
  const x = statedBy(a)
  const y = statedBy(b)
  if (x.core && y.core && coresOppose(x.core, y.core, a, b)) return 'one affirms what the other denies'
  if (y.absent.length && absentThere(y.absent, a, x)) return 'one says it is absent, the other that it is there'
  if (x.absent.length && absentThere(x.absent, b, y)) return 'one says it is absent, the other that it is there'
  return null
}

function coresOppose(x: Core, y: Core, a: View, b: View): boolean {
  if (x.predicate !== y.predicate || x.negated === y.negated) return false
  if (x.head !== y.head) {
    // "The permit" and "the application for the permit": one head within the other, and enough besides.
    const nested = x.about.includes(y.head) || y.about.includes(x.head)
    const all = new Set([y.head, ...y.about])
    return nested && [x.head, ...x.about].filter(term => all.has(term) && isTopic(term)).length >= 3
  }
  const [few, many, other] = x.about.length <= y.about.length ? [x, y, b] : [y, x, a]
  const meets = few.about.every(term => many.about.includes(term) || other.context.has(term))
  const telling = [x.head, ...few.about].filter(term => isTopic(term)).length
  return meets && telling >= 1
}

/** Everything said to be absent is said of the other, and it is counted or found there. */
function absentThere(absent: readonly string[], other: View, stated: Stated): boolean {
  if (other.claim.polarity === 'negated' || stated.absent.length) return false
  if (!absent.every(term => other.termSet.has(term))) return false
  const telling = absent.filter(isTopic)
  const head = absent.at(-1)!
  return telling.length >= 1 && (stated.present.has(head) || (telling.length >= 2 && other.terms.length <= 12))
}
