/** A case as it was at a moment, as one page to print: what the signed document says and nothing else, with that document at its end. */

import { byPerson, coversWords, decidedWords, placeInFile, unknownThen, unopenedWords, vouchedWords } from '../../contract/finding-words.js'
import { shownName } from '../../platform/person-name.js'
import type { SignedAsOf, SignedList } from '../certificates/signed-as-of.js'
import type { UndatedAsOf } from '../certificates/statements.js'
import { escaped } from './table.js'

export function asOfPage({ payload, statement, kid }: UndatedAsOf): string {
  const { scope_id, at, subject, chain } = payload
  const title = `${scope_id} as it was on ${moment(at)}`
  const unknown = unknownThen(payload, moment)
  const head = chain === null ? '' : paragraph(`${chain.length} decisions had been recorded; the last has the hash ${chain.head}.`)
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${style}</style></head>
<body>
<h1>${escaped(title)}</h1>
${subject === null ? '' : paragraph(`Statements and conflicts about ${subject} alone.`)}
${unknown === null ? '' : paragraph(unknown)}
${head}
${sections(payload).join('\n')}
<h2>Signature</h2>
${paragraph(`It speaks of ${moment(at)}. ${signedWords(payload)}, with the key ${kid}. Anyone can check the text below, kept as as-of.jws: concord verify as-of as-of.jws --jwks keys.json`)}
<p class="jws">${escaped(statement)}</p>
</body>
</html>
`
}

function signedWords({ iss, iat }: SignedAsOf): string {
  if (iat === undefined)
    return `Signed by ${iss} at that moment or later, without a time of signing, so that the same case gives the same document`
  return `Signed by ${iss} on ${moment(new Date(iat * 1000).toISOString())}`
}

function sections({ papers, statements, contradictions, possible_conflicts, decisions, sign_offs }: SignedAsOf): string[] {
  const names = new Map(papers.listed?.map(({ document_id, name }) => [document_id, name]))
  const side = (given: Side) => sideOf(given, names)
  return [
    section('Papers', papers, {
      Paper: ({ name, document_id }) => (name === null ? `${document_id} ${erased}` : `${name} (${document_id})`),
      Revision: ({ revision }) => String(revision),
      Received: ({ received_at }) => moment(received_at),
      'SHA-256 of the text': ({ content_hash }) => content_hash ?? '',
      'SHA-256 of the file': ({ file_sha256 }) => file_sha256 ?? '',
      Erased: ({ erased_at }) => (erased_at === null ? '' : moment(erased_at)),
    }),
    section('Statements that counted', statements, {
      Statement: ({ quote }) => quote ?? erased,
      Paper: claim => placeOf(claim, names),
      Recorded: ({ recorded_at }) => moment(recorded_at),
    }),
    section('Open contradictions', contradictions, {
      Fact: ({ subject, attribute }) => [subject, attribute].filter(Boolean).join(', '),
      A: ({ a }) => side(a),
      B: ({ b }) => side(b),
      Found: ({ detected_at, found_by }) => `${moment(detected_at)}, by ${found_by}`,
      'Opened by': openedBy,
      'What was written about it': discussionOf,
    }),
    section('Possible conflicts that nobody had decided', possible_conflicts, {
      A: ({ a }) => side(a),
      B: ({ b }) => side(b),
      Found: ({ detected_at, found_by }) => `${moment(detected_at)}, by ${found_by}`,
      'Opened by': openedBy,
    }),
    section('What people had decided', decisions, {
      When: ({ recorded_at }) => moment(recorded_at),
      Who: whoOf,
      What: ({ kind, verdict, outcome }) =>
        `${decidedWords({ verdict: verdict ?? kind }).replaceAll('_', ' ')}${outcomeWords(verdict, outcome)}`,
      About: ({ finding_id, document_id }) => finding_id ?? document_id ?? '',
      Why: ({ reason, erased_at }) => reason ?? (erased_at === null ? '' : erased),
    }),
    section('Signed off by', people(sign_offs), {
      Who: ([first]) => whoOf(first),
      When: signed => signed.map(({ signed_at }) => moment(signed_at)).join('; '),
      Why: signed => signed.map(({ reason }) => (reason === '' ? erased : reason)).join('; '),
      Covers: signed => coversWords(signed.some(({ current }) => current)),
    }),
  ]
}

function whoOf({ by, vouched }: { by: string; vouched: boolean }): string {
  return `${shownName(by)} (${vouchedWords(vouched)})`
}

/** Who signed more than once is one person all the same. */
function people<T extends { by: string; vouched: boolean }>({ listed, ...signed }: SignedList<T>): SignedList<readonly [T, ...T[]]> {
  const each = listed === null ? null : byPerson(listed)
  return { ...signed, count: each?.length ?? signed.count, listed: each }
}

const erased = '(erased)'

/** What was approved and is rejected all the same was taken out before a worker had it. */
function outcomeWords(verdict: string | null, outcome: string): string {
  if (outcome === 'admit') return ''
  return verdict === 'approve' && outcome === 'reject' ? ', nothing came of it' : `, policy: ${outcome}`
}

type Contradiction = NonNullable<SignedAsOf['contradictions']['listed']>[number]

function discussionOf({ assignment, comments = 0, discussion }: Contradiction): string {
  const said = discussion.map(({ by, text, said_at }) => `${by}, ${moment(said_at)}: ${text ?? erased}`)
  const more = comments > said.length ? [`and ${comments - said.length} more`] : []
  return [...(assignment === undefined ? [] : [`For ${assignment.to} to look at`]), ...said, ...more].join('; ')
}

function openedBy({ opened_by, reads_kept }: Pick<Contradiction, 'opened_by' | 'reads_kept'>): string {
  if (opened_by.length === 0) return unopenedWords(reads_kept)
  return opened_by.map(({ by, first_at }) => `${by}, ${moment(first_at)}`).join('; ')
}

function section<T>(title: string, { count, digest, listed }: SignedList<T>, columns: Record<string, (entry: T) => string>): string {
  const heading = `<h2>${escaped(title)}: ${count}</h2>`
  if (listed === null) return `${heading}\n${paragraph(`Too many to list here; their digest is ${digest}.`)}`
  if (listed.length === 0) return `${heading}\n${paragraph('None.')}`
  const row = (cells: readonly string[], tag: 'th' | 'td') => `<tr>${cells.map(cell => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`
  const rows = listed.map(entry =>
    row(
      Object.values(columns).map(text => text(entry)),
      'td',
    ),
  )
  return `${heading}\n<table><thead>${row(Object.keys(columns), 'th')}</thead><tbody>\n${rows.join('\n')}\n</tbody></table>`
}

type Side = NonNullable<SignedAsOf['contradictions']['listed']>[number]['a']

/** What papers are called, as far as they are listed. */
type Names = ReadonlyMap<string, string | null>

function sideOf(side: Side, names: Names): string {
  const quote = side.quote === null || side.quote === '' ? erased : `“${side.quote}”`
  return `${quote} (${'claim_id' in side ? placeOf(side, names) : side.source})`
}

function placeOf(claim: Extract<Side, { claim_id: string }>, names: Names): string {
  return [`${names.get(claim.document_id) ?? claim.document_id}, revision ${claim.revision}`, placeInFile(claim)].filter(Boolean).join(', ')
}

function moment(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`
}

function paragraph(text: string): string {
  return `<p>${escaped(text)}</p>`
}

const style = `body { font: 11pt/1.45 system-ui, sans-serif; color: #111; background: #fff; max-width: 62rem; margin: 1.5rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 1.8rem 0 .4rem; break-after: avoid; } p { overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-size: .92em; } th, td { text-align: left; vertical-align: top; border: 1px solid #999; padding: .3rem .45rem; } td { overflow-wrap: anywhere; }
thead { display: table-header-group; } tr { break-inside: avoid; } .jws { font: 8pt/1.3 ui-monospace, monospace; }
@media print { body { margin: 0; max-width: none; } }`
