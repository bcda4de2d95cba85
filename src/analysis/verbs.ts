/**
 * What verbs say, whatever their form and whichever of several words is used: "gave", "sent" and "was served" are one act,
 * "told of" and "notified of" another. Only verbs that say the same of the same object stand in one group.
 */
import { stem } from './words.js'

/** The first names the group. */
const GROUPS = `
give send submit file serve lodge issue deliver hand provide receive transmit circulate
report tell inform notify advise
pay reimburse remit
perform conduct execute do make undertake
repair mend fix
instruct order direct command
begin start commence
end finish cease
find detect discover observe
check inspect examine verify
buy purchase acquire
sell dispose
keep retain maintain preserve
hold possess own have
allow permit authorise authorize
disclose reveal
use employ apply
approve authorise endorse
sign execute countersign
invoice bill charge
train instruct
install fit mount
delete erase destroy
cause trigger
document record
`

const IRREGULAR: Record<string, string> = {
  guaranteed: 'guarantee',
  told: 'tell',
  wrote: 'write',
  written: 'write',
  done: 'do',
  did: 'do',
  brought: 'bring',
  came: 'come',
  went: 'go',
  gone: 'go',
  saw: 'see',
  seen: 'see',
  said: 'say',
  knew: 'know',
  known: 'know',
  drew: 'draw',
  drawn: 'draw',
  got: 'get',
  ran: 'run',
  put: 'put',
  set: 'set',
  read: 'read',
  shown: 'show',
  lent: 'lend',
  drove: 'drive',
  driven: 'drive',
  understood: 'understand',
  forgot: 'forget',
  forgotten: 'forget',
  hid: 'hide',
  hidden: 'hide',
  spoke: 'speak',
  spoken: 'speak',
  bore: 'bear',
  borne: 'bear',
  gave: 'give',
  given: 'give',
  sent: 'send',
  took: 'take',
  taken: 'take',
  made: 'make',
  held: 'hold',
  paid: 'pay',
  found: 'find',
  began: 'begin',
  begun: 'begin',
  built: 'build',
  bought: 'buy',
  sold: 'sell',
  kept: 'keep',
  left: 'leave',
  lost: 'lose',
  met: 'meet',
  spent: 'spend',
  withdrew: 'withdraw',
  withdrawn: 'withdraw',
  chose: 'choose',
  chosen: 'choose',
  broke: 'break',
  broken: 'break',
  has: 'have',
  had: 'have',
  wore: 'wear',
  worn: 'wear',
}

const GROUP_OF = new Map<string, string>()
for (const line of GROUPS.trim().split('\n')) {
  const words = line.split(' ')
  for (const word of words) for (const form of formsOf(word)) if (!GROUP_OF.has(stem(form))) GROUP_OF.set(stem(form), stem(words[0]!))
}

/** Stems of one verb can differ by its form: "receive" and "received". */
function formsOf(word: string): string[] {
  const root = word.replace(/e$/, '')
  return [word, `${word}s`, `${root}ed`, `${root}ing`]
}

const base = (lower: string): string => (Object.hasOwn(IRREGULAR, lower) ? IRREGULAR[lower]! : lower)

/** One word for all verbs that say the same. */
export function actOf(lower: string): string {
  const found = stem(base(lower))
  return GROUP_OF.get(found) ?? found
}

/** Forms that can only be a past tense or a participle. */
export const isPast = (lower: string): boolean => Object.hasOwn(IRREGULAR, lower) || /^[a-z]{2,}[^e\W\d]ed$|^[a-z]+eed?ed$/.test(lower)

const TOLD = new Set(
  'tell tells told telling inform informs informed informing notify notifies notified notifying advise advises advised advising'.split(' '),
)

/** Verbs whose object is whoever hears it; what is said stands behind "of" or "about". */
export const isTold = (lower: string): boolean => TOLD.has(lower)
