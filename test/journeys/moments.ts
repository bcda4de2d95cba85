/**
 * What the lists of a case answered at a moment, and what its as-of page says of that moment later: the same, but for the words of documents
 * that were erased in between.
 */

// biome-ignore lint/suspicious/noExplicitAny: records of every list
export type Listed = Record<string, any>

export interface Lists {
  documents: Listed[]
  claims: Listed[]
  contradictions: Listed[]
  possible: Listed[]
  supersessions: Listed[]
  signOffs: Listed[]
  decisions: Listed[]
}

export interface AsOfAnswer extends Listed {
  before_reset: boolean
  chain: { length: number; head: string } | null
}

/** Those of the last three are the same whenever they are asked for. */
export async function readLists(items: (path: string) => Promise<Listed[]>, known: string): Promise<Lists> {
  return {
    claims: await items(`claims?state=live${known}`),
    contradictions: await items(`contradictions?status=all${known}`),
    possible: await items(`possible-conflicts?status=all${known}`),
    supersessions: await items(`supersessions?status=all${known}`),
    ...(known === ''
      ? { documents: await items('documents?'), signOffs: await items('sign-offs?'), decisions: await items('decisions?') }
      : { documents: [], signOffs: [], decisions: [] }),
  }
}

/** A page as lists of plain lines; words of documents in `erased` are left out, for they may be gone. */
export function comparable(lists: Lists, erased: ReadonlySet<string>) {
  const claim = (one: Listed) => claimLine(one, erased)
  const isErased = (one: Listed) => !('claim_id' in one) || erased.has(one['document_id'])
  const finding = (one: Listed, said: Listed | undefined) => [
    one['status'],
    one['kind'],
    one['detected_at'],
    ...(said === undefined ? [] : [said['verdict'] ?? '', said['by'], said['resolved_at'] ?? said['decided_at'], said['round']]),
  ]
  return {
    claims: lists.claims.map(claim),
    contradictions: lists.contradictions.map(one => [
      one['contradiction_id'],
      ...finding(one, one['resolution']),
      ...[one['a'], one['b']].map(side => ('claim_id' in side ? claim(side) : 'reported')),
      one['supporters'].a,
      one['supporters'].b,
      isErased(one['a']) || isErased(one['b']) || one['supporters_a'].some(isErased) || one['supporters_b'].some(isErased)
        ? '(erased)'
        : [one['subject'], one['attribute']],
    ]),
    possible: lists.possible
      .map(one => [
        one['possible_conflict_id'],
        ...finding(one, one['decision']),
        claim(one['a']),
        claim(one['b']),
        one['contradiction_id'],
      ])
      .sort(),
    supersessions: lists.supersessions.map(one => [
      one['supersession_id'],
      ...finding(one, one['objection']),
      claim(one['claim']),
      claim(one['superseded_by']),
      one['contradiction_id'],
    ]),
  }
}

function claimLine(claim: Listed, erased: ReadonlySet<string>) {
  const { claim_id, document_id, revision, start, end, recorded_at, superseded_at, quote, subject, attribute, value } = claim
  const words = erased.has(document_id) ? '(erased)' : [quote, subject, attribute, value]
  return [claim_id, document_id, revision, start, end, recorded_at, superseded_at, words].map(part => JSON.stringify(part)).join(' ')
}

/** The as-of page in the terms of the lists of then. */
export function pageLines(page: AsOfAnswer, erased: ReadonlySet<string>) {
  return {
    papers: page['papers'].items.map((one: Listed) => paperLine(one, erased)),
    claims: page['statements'].items.map((one: Listed) => claimLine(one, erased)),
    open: page['contradictions'].items.map((one: Listed) => conflictLine(one, erased)),
    possible: page['possible_conflicts'].items.map((one: Listed) => conflictLine(one, erased)),
    signed: page['sign_offs'].items.map((one: Listed) => signOffLine(one, erased)).sort(),
    chain: page.chain,
    decided: page['decisions'].items.map((one: Listed) => decisionLine(one, one, erased)),
  }
}

/** What the page has to say, by the lists of then. `page` tells which of the decisions were people's. */
export function linesThen(lists: Lists, erased: ReadonlySet<string>, page: AsOfAnswer) {
  const isOpen = (one: Listed) => one['status'] === 'open'
  const last = lists.decisions.at(-1)
  const ofPeople = new Set(page['decisions'].items.map((one: Listed) => one['decision_id']))
  const decisions = lists.decisions.filter(({ kind, decision_id: id }) => kind === 'resolution' || kind === 'review' || ofPeople.has(id))
  return {
    papers: lists.documents
      .filter(one => one['erased_at'] === null)
      .map(one => paperLine({ ...one, received_at: one['timings'].received_at }, erased)),
    claims: lists.claims.map(one => claimLine(one, erased)),
    open: lists.contradictions.filter(isOpen).map(one => conflictLine(one, erased)),
    possible: lists.possible.filter(isOpen).map(one => conflictLine(one, erased)),
    signed: lists.signOffs
      .filter(one => one['withdrawn'] === null)
      .map(one => signOffLine(one, erased))
      .sort(),
    chain: last === undefined ? page.chain : { length: last['seq'] + 1, head: last['hash'] },
    decided: decisions.map(one => decisionLine(one, one['said'] ?? {}, erased)),
  }
}

/** With both quotes, when it was found and by whom. */
function conflictLine(one: Listed, erased: ReadonlySet<string>): string {
  const { contradiction_id, possible_conflict_id, a, b, detected_at, round, found_by, severity } = one
  const sides = [a, b].map(side => ('claim_id' in side ? claimLine(side, erased) : side.quote))
  return [contradiction_id ?? possible_conflict_id, ...sides, detected_at, round, found_by, severity].join(' ')
}

/** Its reason is gone with any document it covers. */
function signOffLine({ sign_off_id, by, vouched, signed_at, round, current, reason }: Listed, erased: ReadonlySet<string>): string {
  return [sign_off_id, by, vouched, signed_at, round, current, erased.size > 0 ? '(erased)' : reason].join(' ')
}

/** Its reason is gone with any document that the finding is about. */
function decisionLine(one: Listed, said: Listed, erased: ReadonlySet<string>): string {
  const { by, vouched, verdict, finding_id, reason } = said
  const words = [by, vouched, verdict, finding_id, erased.size > 0 ? '(erased)' : reason]
  return [one['decision_id'], one['hash'], one['outcome'], one['recorded_at'], ...words].join(' ')
}

function paperLine({ document_id, revision, name, content_hash, received_at }: Listed, erased: ReadonlySet<string>): string {
  return [document_id, revision, erased.has(document_id) ? '(erased)' : name, content_hash, received_at].join(' ')
}
