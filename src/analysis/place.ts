/**
 * Gives a document's claims their place in the scope: acronyms and other ways to write a name folded by the lexicon, the
 * scope's definitions and glossary; the subject resolved against known entities; the keys rivals are found by.
 */
import { entityKey } from './entities.js'
import { isOnce } from './events.js'
import { type AliasTable, aliasOver, aliasTable, applyAliases, BY_UNIT, GENERIC_HEADS, NEUTRAL } from './lexicon.js'
import { remembered } from './remember.js'
import { COMMON_SCALES, GRADED, isScaleWord } from './scales.js'
import { termsOf } from './slots.js'
import { byTelling, isTopic, type Standing, tally } from './topics.js'
import type {
  DocumentFacts,
  DocumentProfile,
  EntityMention,
  ExtractedClaim,
  Extraction,
  Glossary,
  PlacedClaim,
  ScopeMemory,
} from './types.js'
import { stem, wordsOf } from './words.js'

const MAX_DEFINITIONS = 400
const MAX_ENTITIES = 300
const MAX_DOCUMENTS = 2_000
const MAX_ORGANISATIONS = 16

export function emptyMemory(): ScopeMemory {
  return { definitions: {}, entities: [], documents: {} }
}

interface Directory {
  /** First stem → entities beginning with it, longest first. */
  byFirst: Map<string, { stems: string[]; entity: EntityMention }[]>
}

function directoryOf(entities: readonly EntityMention[], glossary: Glossary): Directory {
  const byFirst: Directory['byFirst'] = new Map()
  const put = (stems: string[], entity: EntityMention): void => {
    const first = stems[0]
    if (!first) return
    const bucket = byFirst.get(first)
    if (bucket) bucket.push({ stems, entity })
    else byFirst.set(first, [{ stems, entity }])
  }
  const meant = new Map<string, Set<string>>()
  for (const { key, aliases } of entities) for (const alias of aliases) meant.set(alias, (meant.get(alias) ?? new Set()).add(key))
  for (const entity of entities) {
    put(entity.key.split(' '), entity)
    // A short form that two names share stands for neither.
    for (const alias of entity.aliases) if (meant.get(alias)!.size === 1) put(alias.split(' '), entity)
  }
  for (const [name, aliases] of Object.entries(glossary.entities)) {
    const entity: EntityMention = { key: entityKey(name), name, kind: 'organisation', aliases }
    for (const form of [name, ...aliases]) put(entityKey(form).split(' ').filter(Boolean), entity)
  }
  for (const bucket of byFirst.values()) bucket.sort((a, b) => b.stems.length - a.stems.length)
  return { byFirst }
}

function findEntity(directory: Directory, stems: readonly string[]): { entity: EntityMention; at: number; length: number } | null {
  for (let i = 0; i < stems.length; i++) {
    for (const { stems: wanted, entity } of directory.byFirst.get(stems[i]!) ?? []) {
      if (wanted.every((word, k) => stems[i + k] === word)) return { entity, at: i, length: wanted.length }
    }
  }
  return null
}

/** Claims of one section have much the same words before them. */
const stemsOf = remembered(64, (text): readonly string[] => wordsOf(text).map(token => stem(token.lower)))

/** Headings stand above many claims. */
const headingStems = remembered(256, (section): readonly string[] =>
  entityKey(section.replace(/^[\d.)\s]+/, '').replace(/\([^()]*\)/g, ' '))
    .split(' ')
    .filter(Boolean),
)

/** The entity a heading above consists of: "3. Smaklig Mat AB" owns what stands below it. */
function ownerOf(
  directory: Directory,
  sections: string,
  title: string | null,
): { entity: EntityMention; at: number; length: number } | null {
  for (const section of sections ? sections.split('|') : []) {
    // A letterhead says who writes.
    if (section === title) continue
    const stems = headingStems(section)
    const found = stems.length <= 5 ? findEntity(directory, stems) : null
    if (found && found.at === 0 && found.length * 2 > stems.length && found.entity.kind !== 'person') return found
  }
  return null
}

const dimension = (claim: ExtractedClaim): string =>
  claim.value.type === 'money'
    ? 'm'
    : claim.value.type === 'percent'
      ? 'p'
      : claim.value.type === 'quantity'
        ? 'q'
        : claim.value.type === 'date'
          ? 'd'
          : 's'

const ROLE_HEADS = new Set(['target', 'minimum', 'maximum', 'limit', 'budget'])

/** A text of terms with known phrases replaced. */
function aliased(table: AliasTable, text: string): string {
  const written = text.split(' ')
  const terms = written.includes('') ? written.filter(Boolean) : written
  const replaced = applyAliases(table, terms)
  return replaced === written ? text : replaced.join(' ')
}

interface Placing {
  aliases: AliasTable
  directory: Directory
  counts: Map<string, number>
  title: string | null
}

/** A core with known phrases replaced in what it is about. */
function coreIn(table: AliasTable, core: string): string {
  const [head = '', about = '', ...rest] = core.split('|')
  return [aliased(table, head), aliased(table, about), ...rest].join('|')
}

/** The noun a core is about; where that says little, what is said of it. */
function keyedBy(core: string): string[] {
  const [head, about, predicate] = core.split('|', 3)
  if (/^(?:nobod|noth)$/.test(head!)) return [predicate!]
  return isTopic(head!) || !about ? [head!] : about.split(' ')
}

/** Nothing of a statement's standing matters for a figure. */
function standingOf(hints: NonNullable<ExtractedClaim['hints']>, entity: EntityMention | null, aliases: AliasTable): Standing {
  const text = (key: string): string => String(hints[key] ?? '')
  return {
    owners: new Set(text('principals').split(/[ ;]/)),
    entity: new Set(entity?.key.split(' ')),
    about: new Set(text('about').split(' ')),
    core: new Set(
      hints['absent']
        ? text('absent')
            .split(';')
            .map(words => words.slice(words.lastIndexOf(' ') + 1))
        : keyedBy(text('core')).map(term => aliased(aliases, term)),
    ),
    above: new Set(termsOf(text('path'))),
  }
}

const isTelling = (term: string): boolean => !GENERIC_HEADS.has(term) && !NEUTRAL.has(term)

/** "Number of Fairmere stores" in the case of Fairmere Stores Ltd is still of stores. */
function withoutOwner(raw: readonly string[], own: { at: number; length: number }): string[] {
  const left = (words: number): string[] => [...raw.slice(0, own.at), ...raw.slice(own.at + words)]
  const rest = left(own.length)
  return own.length > 1 && !rest.some(isTelling) ? left(1) : rest
}

/** What a claim says besides its name, with known phrases replaced. */
function folded(table: AliasTable, hints: NonNullable<ExtractedClaim['hints']>): Record<string, string> {
  const text = (key: string): string => String(hints[key] ?? '')
  const out: Record<string, string> = { context: aliased(table, text('context')) }
  if (hints['about']) out['about'] = aliased(table, text('about'))
  if (hints['core']) out['core'] = coreIn(table, text('core'))
  // As written and folded: what is absent elsewhere may be written either way.
  if (hints['present']) out['present'] = `${text('present')} ${aliased(table, text('present'))}`
  if (hints['absent'])
    out['absent'] = text('absent')
      .split(';')
      .map(words => aliased(table, words))
      .join(';')
  return out
}

type Place = Required<Pick<PlacedClaim, 'subject' | 'subjectKey' | 'subjectCertain' | 'attributeKey' | 'slotKey' | 'lookupKeys' | 'hints'>>

/** What a statement is kept under, the first one first; and the scale it is looked up by besides. */
function keysOfState(
  claim: ExtractedClaim,
  hints: NonNullable<ExtractedClaim['hints']>,
  telling: readonly string[],
): { stateKeys: string[]; scale: string[] } {
  const scale = claim.value.type === 'category' && GRADED.has(claim.value.set) ? [`@${claim.value.set}`] : []
  // Values of a rare scale are few and found by it alone; of a common one only those that do not say of what they are.
  const byScale = scale.length > 0 && (telling.every(isScaleWord) || !COMMON_SCALES.has(scale[0]!.slice(1)) || hints['graded'] === true)
  const item = hints['item']
  const codes = String(hints['marks'] ?? '')
    .split(';')
    .filter(mark => mark.startsWith('code'))
  const stateKeys = [...(typeof item === 'string' ? [item] : []), ...(byScale ? scale : []), ...codes, ...telling]
  return { stateKeys, scale: byScale ? [] : scale }
}

/** The word a figure or a date is kept under. */
function keyOf(claim: ExtractedClaim, terms: readonly string[], specific: readonly string[], head: string): string {
  const hints = claim.hints ?? {}
  // "Date of birth" is of whom the document is about, whatever others call them.
  const once = hints['once']
  if (typeof once === 'string') return `@${once}`
  const byUnit = claim.value.type === 'quantity' && claim.value.unit !== null && BY_UNIT.has(head)
  if (byUnit) return specific.findLast(term => !BY_UNIT.has(term)) ?? head
  if (!GENERIC_HEADS.has(head) && !NEUTRAL.has(head)) return head
  // "client organisations affected": the word before a head that says little.
  return terms.slice(0, Math.max(0, terms.indexOf(head))).findLast(isTelling) ?? specific.at(-1) ?? head
}

/** A claim of an event that happens once also meets those that do not say to whom. */
function onceOf(claim: ExtractedClaim, hints: NonNullable<ExtractedClaim['hints']>): string[] {
  const event = claim.value.type === 'date' ? /\bevent:(\w+)/.exec(String(hints['marks'] ?? ''))?.[1] : undefined
  return event !== undefined && isOnce(event) ? [`@${event}`] : []
}

function placed(claim: ExtractedClaim, placing: Placing): Place {
  const hints = claim.hints ?? {}
  const raw = String(hints['terms'] ?? '')
    .split(' ')
    .filter(Boolean)
  const rawHead = String(hints['head'] ?? '')
  const own = findEntity(placing.directory, raw)
  const state = dimension(claim) === 's'
  // The name without its owner; a name that is nothing but its owner keeps it.
  const without = own && !state && raw.length > own.length ? withoutOwner(raw, own) : raw
  const terms = applyAliases(placing.aliases, without)
  const near = own ? null : findEntity(placing.directory, stemsOf(String(hints['near'] ?? '')))
  const found = own ?? near ?? ownerOf(placing.directory, String(hints['section'] ?? ''), placing.title)
  const head = terms.includes(rawHead)
    ? rawHead
    : (aliasOver(placing.aliases, without, without.indexOf(rawHead)) ?? terms.at(-1) ?? rawHead)
  const dim = dimension(claim)
  const specific = terms.filter(isTelling)
  const key = state ? head : keyOf(claim, terms, specific, head)
  const standing = state ? standingOf(hints, found?.entity ?? null, placing.aliases) : null
  const coreHead = String(hints['core'] ?? '').split('|', 1)[0]!
  const telling = standing ? byTelling(coreHead ? [...terms, coreHead] : terms, placing.counts, standing) : []
  const { stateKeys, scale } = keysOfState(claim, hints, telling)
  const keys = new Set<string>()
  // What stands under a heading may be keyed by it.
  const above = standing
    ? [...standing.above]
        .filter(isTopic)
        .slice(0, 3)
        .map(term => `${dim}|${term}`)
    : []
  const slotKey = `${dim}|${state ? (stateKeys[0] ?? head) : ROLE_HEADS.has(claim.role) ? `@${claim.role}` : key}`
  const spoken = state
    ? []
    : String(hints['context'] ?? '')
        .split(' ')
        .filter(isTopic)
        .slice(0, 12)
  for (const term of state ? stateKeys : [key, ...onceOf(claim, hints), ...[...specific].reverse(), head, ...spoken])
    keys.add(`${dim}|${term}`)
  keys.delete(slotKey)
  const entity = found?.entity ?? null
  return {
    subject: entity?.name ?? claim.subject,
    subjectKey: entity?.key ?? claim.subjectKey,
    subjectCertain: own !== null || (near === null && claim.subjectCertain),
    attributeKey: terms.join(' '),
    slotKey,
    lookupKeys: [...scale.map(key => `${dim}|${key}`), ...keys].slice(0, state ? 8 : 6).concat(above),
    hints: {
      ...hints,
      ...folded(placing.aliases, hints),
      terms: terms.join(' '),
      weak: hints['weak'] === true || (own !== null && !state && dim !== 'd' && raw.length === own.length),
      head: state || hints['once'] ? head : key,
      subjectFrom: own ? 'own' : near ? 'near' : found ? 'section' : 'document',
      subjectKind: entity?.kind ?? null,
    },
  }
}

function foldMemory(memory: ScopeMemory, extraction: Extraction, documentId: string, facts: DocumentFacts): ScopeMemory {
  const definitions = { ...memory.definitions }
  for (const [short, long] of Object.entries(extraction.profile.definitions)) {
    if (Object.keys(definitions).length >= MAX_DEFINITIONS) break
    definitions[short] ??= long
  }
  const known = new Set(memory.entities.map(entity => entity.key))
  const entities = [...memory.entities]
  for (const entity of extraction.profile.entities) {
    if (entities.length >= MAX_ENTITIES) break
    if (!known.has(entity.key) && entity.key) {
      known.add(entity.key)
      entities.push(entity)
    }
  }
  const documents: Record<string, DocumentFacts> = { ...memory.documents, [documentId]: facts }
  const ids = Object.keys(documents)
  for (const id of ids.slice(0, Math.max(0, ids.length - MAX_DOCUMENTS))) delete documents[id]
  return { definitions, entities, documents }
}

/** Written out in full: an object made in one piece costs a fraction of one that is spread together. */
function inPlace(claim: ExtractedClaim, place: Place, claimId: string, documentId: string, revision: number): PlacedClaim {
  return {
    start: claim.start,
    end: claim.end,
    quote: claim.quote,
    subject: place.subject,
    subjectKey: place.subjectKey,
    subjectCertain: place.subjectCertain,
    attribute: claim.attribute,
    attributeKey: place.attributeKey,
    role: claim.role,
    basis: claim.basis,
    part: claim.part,
    unit: claim.unit,
    period: claim.period,
    polarity: claim.polarity,
    modality: claim.modality,
    value: claim.value,
    valueText: claim.valueText,
    confidence: claim.confidence,
    stance: claim.stance,
    hints: place.hints,
    slotKey: place.slotKey,
    lookupKeys: place.lookupKeys,
    claimId,
    documentId,
    revision,
  }
}

/** Keys of the organisations a document names, most often named first. */
export function organisationsOf(entities: readonly EntityMention[]): string[] {
  return entities
    .filter(entity => entity.kind === 'organisation' || entity.kind === 'subsidiary')
    .slice(0, MAX_ORGANISATIONS)
    .map(entity => entity.key)
}

type Told = Pick<DocumentProfile, 'title' | 'issuer' | 'issuedOn' | 'reference' | 'version' | 'kind' | 'supersedes'>

/** What verdicts need to know of a document, from what it tells about itself. */
export function factsOf(told: Told & { organisations: string[] }, { name, revision }: { name: string; revision: number }): DocumentFacts {
  const { title, issuer, issuedOn, reference, version, kind, supersedes, organisations } = told
  return { title, name, issuer, issuedOn, reference, version, revision, kind, supersedes, organisations }
}

export function placeClaims(args: {
  extraction: Extraction
  documentId: string
  revision: number
  name: string
  memory: ScopeMemory
  glossary: Glossary
  claimId: (index: number) => string
}): { claims: PlacedClaim[]; memory: ScopeMemory } {
  const { extraction, documentId, revision, glossary } = args
  const { profile } = extraction
  const facts = factsOf({ ...profile, organisations: organisationsOf(profile.entities) }, args)
  const memory = foldMemory(args.memory, extraction, documentId, facts)
  const phrases: [string, string][] = []
  for (const [short, long] of Object.entries(memory.definitions))
    if (short === short.toUpperCase()) phrases.push([long, stem(short.toLowerCase())])
  for (const [canonical, forms] of Object.entries(glossary.terms))
    for (const form of [canonical, ...forms]) phrases.push([form, `=${canonical.toLowerCase().replace(/\s+/g, '-')}`])
  const placing: Placing = {
    title: profile.title,
    aliases: aliasTable(phrases),
    directory: directoryOf([...profile.entities, ...memory.entities], glossary),
    counts: tally(extraction.claims.map(claim => String(claim.hints?.['terms'] ?? '').split(' '))),
  }
  const claims = extraction.claims.map((claim, index) => inPlace(claim, placed(claim, placing), args.claimId(index), documentId, revision))
  return { claims, memory }
}
