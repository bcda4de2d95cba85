/** Who compared documents and who signed them off, in words. One place, so that every reader is told the same. */

import { personKey, shownName } from '../platform/person-name.js'
import type { UnreadHow } from './certificate-payload.js'

interface Signed {
  by: string
  signed_at: string
}

interface Standing extends Signed {
  /** It covers exactly what counts now. */
  current: boolean
}

interface ExaminedWords {
  setting: 'person' | 'model' | 'none'
  by_rules: readonly { version: string; documents: number }[]
  by_model: readonly { model: string; questions: string; documents: number }[]
  /** The latest; `more` stand besides. */
  signOffs: readonly Standing[]
  more: number
  /** Documents without a reading, those that are only registered, those compared elsewhere, and those that were erased. */
  notRead: UnreadHow
  registered: number
  elsewhere: number
  erased: number
  /** Possible conflicts that a model found to be none. */
  cleared: number
  /** Pairs of statements in which one gave way to the other without anybody's word; a statement may be in several. */
  replaced: number
}

export function inWords(examined: ExaminedWords): string {
  const { by_rules: rules, by_model: models, signOffs, more, notRead, registered, elsewhere, erased, cleared, replaced } = examined
  return [
    comparedInWords(rules, models),
    ...signedInWords(signOffs),
    ...(more === 0 ? [] : [more === 1 ? '1 more sign-off stands.' : `${more} more sign-offs stand.`]),
    ...askedInWords(examined),
    ...notReadInWords(notRead),
    ...(registered === 0 ? [] : [`${papers(registered)} registered and not compared.`]),
    ...(elsewhere === 0 ? [] : [`${papers(elsewhere)} compared elsewhere.`]),
    ...(erased === 0 ? [] : [`${papers(erased)} erased.`]),
    ...(cleared === 0 ? [] : [`${cleared} possible conflict${cleared === 1 ? '' : 's'} cleared by a model.`]),
    ...replacedInWords(replaced),
  ].join(' ')
}

/** Where a model did not compare all there is, a person had to sign for the rest. As the client says it (`certificate-lines`). */
function askedInWords({ setting, by_rules: rules, by_model: models, notRead }: ExaminedWords): string[] {
  if (setting === 'person') return []
  if (setting === 'none') return ['The settings ask for no examination.']
  const isAllCompared = models.length > 0 && rules.length === 0 && unreadOf(notRead) === 0
  return [`The settings ask for a comparison by a model${isAllCompared ? '; no person has to sign off' : ''}.`]
}

/** "3 papers not read: 2 read by eye, 1 set aside." */
function notReadInWords(unread: UnreadHow): string[] {
  const { read_by_eye: byEye, set_aside: aside, none } = unread
  const count = unreadOf(unread)
  if (count === 0) return []
  if (none === count) return [`${papers(count)} not read.`]
  const done = [
    ...(byEye === 0 ? [] : [`${byEye} read by eye`]),
    ...(aside === 0 ? [] : [`${aside} set aside`]),
    ...(none === 0 ? [] : [`${none} with nothing said of ${none === 1 ? 'it' : 'them'}`]),
  ]
  return [`${papers(count)} not read: ${done.join(', ')}.`]
}

/** As the client says it (`certificate-lines`). */
function replacedInWords(count: number): string[] {
  if (count === 0) return []
  return [count === 1 ? '1 statement gave way to a later one.' : `Statements gave way to later ones ${count} times.`]
}

function unreadOf({ read_by_eye: byEye, set_aside: aside, none }: UnreadHow): number {
  return byEye + aside + none
}

function comparedInWords(rules: ExaminedWords['by_rules'], models: ExaminedWords['by_model']): string {
  const byRules = rules.reduce((sum, { documents }) => sum + documents, 0)
  const named = [...new Set(models.map(({ model, questions }) => `${model} (questions ${questions})`))].join(', ')
  const byModels = models.reduce((sum, { documents }) => sum + documents, 0)
  if (byModels === 0) return byRules === 0 ? 'No paper was compared.' : 'Compared by rules alone.'
  return byRules === 0
    ? `Compared by rules and ${named}.`
    : `${papers(byModels)} compared by rules and ${named}, ${byRules} by rules alone.`
}

/** "Signed off by J. Doe on 4 March 2026 and by R. Roe on 5 March 2026." Nobody is said to have signed what came after. */
function signedInWords(signOffs: readonly Standing[]): string[] {
  const named = (signed: readonly Standing[]) => {
    const each = daysOf(signed).map(({ by, days }) => `by ${by} on ${[...days].join(' and ')}`)
    const last = each.pop() ?? ''
    return `Signed off ${each.length === 0 ? last : `${each.join(', ')} and ${last}`}`
  }
  const current = signOffs.filter(each => each.current)
  const before = signOffs.filter(({ by }) => !current.some(each => personKey(each.by) === personKey(by)))
  return [
    ...(current.length === 0 ? [] : [`${named(current)}.`]),
    ...(before.length === 0 ? [] : [`${named(before)}, for what counted before.`]),
  ]
}

/** A person is named once, as they wrote it in the first of these, with every day they signed on. */
function daysOf(signed: readonly Signed[]): { by: string; days: Set<string> }[] {
  const people = new Map<string, { by: string; days: Set<string> }>()
  for (const { by, signed_at: at } of signed) {
    const person = people.get(personKey(by)) ?? { by: shownName(by), days: new Set<string>() }
    people.set(personKey(by), { ...person, days: new Set([...person.days, dateInWords(at)]) })
  }
  return [...people.values()]
}

interface SinceThen {
  papersSince: number
  /** Something else counts now. */
  changed: boolean
  /** People who signed and are not named. */
  more?: number
}

/** "Signed off by J. Doe, current to 4 March 2026, 3 papers since". */
export function standingInWords(signed: readonly Signed[], { papersSince, changed, more = 0 }: SinceThen): string {
  const [latest] = signed
  if (latest === undefined) return 'not signed off'
  const names = [...daysOf(signed).map(({ by }) => by), ...(more === 0 ? [] : [`${more} more`])].join(' and ')
  const since = papersSince > 0 ? `${papers(papersSince)} since` : changed ? 'something else counts since' : null
  return `signed off by ${names}, current to ${dateInWords(latest.signed_at)}${since === null ? '' : `, ${since}`}`
}

/** Who compared the documents of a case, as far as lists tell: models are named, and whether rules alone compared some. */
export function comparedInAll({ models, byRulesAlone }: { models: readonly string[]; byRulesAlone: boolean }): string {
  if (models.length === 0) return byRulesAlone ? 'compared by rules alone' : 'nothing compared'
  const named = models.join(' and ')
  return byRulesAlone ? `compared by rules, some also by ${named}` : `compared by rules and ${named}`
}

interface ComparedWords {
  rules: boolean
  model: string | null
  /** Who signed it off, and what was done about one without a reading. */
  person: { by: string; how: 'read_by_eye' | 'set_aside' | null } | null
}

/** Who compared one document. */
export function comparedInOne({ rules, model, person }: ComparedWords): string {
  if (person?.how === 'set_aside') return `set aside by ${person.by}`
  if (person?.how === 'read_by_eye') return `read by ${person.by}`
  const by = [...(rules ? ['rules'] : []), ...(model === null ? [] : [model]), ...(person === null ? [] : [person.by])]
  if (by.length === 0) return 'compared by nobody'
  return by.length === 1 && rules ? 'compared by rules alone' : `compared by ${by.join(' and ')}`
}

function papers(count: number): string {
  return `${count} paper${count === 1 ? '' : 's'}`
}

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']

/** The day in UTC. */
function dateInWords(time: string): string {
  const [year = '', month = '', day = ''] = time.slice(0, 10).split('-')
  return `${Number(day)} ${months[Number(month) - 1] ?? month} ${year}`
}
