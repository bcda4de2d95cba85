/** `concord verify`: the promises of a whole database, or of one signed document without any service. */

import { X509Certificate } from 'node:crypto'
import { certificateLines, lineInWords } from '../client/certificate-lines.js'
import type { AuditCheckpoint } from '../scopes/certificates/statements.js'
import type { VerifiedAnchors } from '../tenancy/anchors.js'
import { standingOf } from './certificate-standing.js'
import { type AddCommand, collect } from './command.js'
import { CommandError, exitCodes } from './command-error.js'
import { localShellOf, readIfThere } from './local-config.js'
import type { Shell } from './shell.js'
import { isSignedText, type KeptText, signedIn, signedTextsIn } from './signed-text.js'
import { printable, shorten } from './text-layout.js'
import { papersInWords, papersOfBundle, papersOfCertificate, type VerifiedPapers } from './verify-papers.js'

export const addVerify: AddCommand = program => {
  const verify = program
    .command('verify')
    .description('check the promises of a database, or a certificate')
    .examples('concord verify', 'concord verify certificate case-1.jws --jwks keys.json')
  verify
    .command('database', { isDefault: true })
    .description('no gap, no orphan, no state without its event, counts that agree; chains of audit, decisions and certificates')
    .option('--anchors', 'also what was anchored outside (ANCHOR_URL)')
    .option(
      '--anchor-ca <file>',
      'certificates (PEM) of the time stamp authorities to trust; without it whoever signed is named, not judged',
    )
    .option(
      '--checkpoint <file>',
      'checkpoints kept outside: as a webhook took them, or what `audit checkpoint >> FILE` appended; can be given again',
      collect,
    )
    .examples('concord verify --anchors --anchor-ca authority.pem', 'concord verify --checkpoint kept-elsewhere.jsonl')
    .runs(verifyWhole)
  verify
    .command('certificate <certificate>')
    .description('who signed what; a file or the certificate itself; needs no service')
    .requiredOption('--jwks <keys>', 'public keys: a file, or the address of /.well-known/jwks.json')
    .option('--issuer <iss>', 'refuse a certificate of another installation')
    .option('--tenant <id>', 'refuse a certificate about another tenant')
    .option('-s, --scope <case>', 'refuse a certificate about another case')
    .option('--ask', 'ask the service whether it is still current; needs the tenant key')
    .option('--papers <papers.json>', 'the list in a bundle that was unpacked: compare the papers beside it with what is certified')
    .examples('concord verify certificate case-1.jws --jwks keys.json --scope case-1 --ask')
    .runs(verifyOne)
  verify
    .command('as-of <document>')
    .description('a case as it was at a moment: who signed it, and that its lists are whole; needs no service')
    .requiredOption('--jwks <keys>', 'public keys: a file, or the address of /.well-known/jwks.json')
    .option('--issuer <iss>', 'refuse one of another installation')
    .option('--tenant <id>', 'refuse one about another tenant')
    .option('-s, --scope <case>', 'refuse one about another case')
    .option('--papers <papers.json>', 'the list in a bundle that was unpacked: compare it and the papers beside it with what is signed')
    .examples('concord verify as-of case-1.jws --jwks keys.json --scope case-1')
    .runs(verifyMoment)
  verify
    .command('checkpoint <document>')
    .description('a checkpoint of the audit log: who signed how far it reached; needs no service')
    .requiredOption('--jwks <keys>', 'public keys: a file, or the address of /.well-known/jwks.json')
    .option('--issuer <iss>', 'refuse one of another installation')
    .examples('concord verify checkpoint checkpoint.jws --jwks keys.json')
    .runs(verifyCheckpoint)
}

interface VerifyOptions {
  jwks: string
  issuer?: string
  tenant?: string
  scope?: string
  ask?: boolean
  papers?: string
}

interface WholeOptions {
  anchors?: boolean
  anchorCa?: string
  checkpoint?: string[]
}

async function verifyWhole(shell: Shell, { anchors = false, anchorCa, checkpoint = [] }: WholeOptions): Promise<number> {
  const { out } = shell
  const [{ withExistingDatabase }, { verifyWithChains }] = await Promise.all([
    import('../store/server/existing-storage.js'),
    import('./verify-with-chains.js'),
  ])
  const trusted = anchorCa === undefined ? undefined : readCertificates(anchorCa)
  const checkpoints = checkpoint.flatMap(readCheckpoints)
  const asked = anchors || trusted !== undefined || checkpoints.length > 0 ? { anchors: { trusted, checkpoints } } : {}
  const result = await withExistingDatabase(localShellOf(shell), db => verifyWithChains(db, asked))
  out.show(result, () => {
    out.table(result.invariants, [
      ['', ({ broken }) => (broken === 0 ? out.colors.green('✓') : out.colors.red('✗'))],
      ['invariant', ({ name }) => name],
      ['promise', ({ promise }) => promise],
      ['', ({ broken }) => (broken === 0 ? '' : `${broken} broken`)],
    ])
    for (const fault of result.broken)
      out.line(out.colors.red(`${fault.invariant}: ${fault.tenantId ?? ''} ${fault.scopeId ?? ''} ${fault.detail}`))
    if (result.anchors !== undefined) out.lines(anchorWords(result.anchors))
    out.line(
      `${result.scopes} cases, ${result.documents} document revisions, ${result.events} events, ${result.decisions} decisions, ${result.certificates} certificates, ${result.auditEntries} audit entries: ${result.broken.length === 0 ? 'every promise holds' : `${result.broken.length} broken`}.`,
    )
  })
  return result.broken.length > 0 ? exitCodes.failed : exitCodes.done
}

function anchorWords({ anchors, checkpoints, beyond, last, unproved }: VerifiedAnchors): string[] {
  if (anchors + checkpoints === 0) return ['Nothing was anchored yet (ANCHOR_URL).']
  const who = last?.by === 'tsa' ? `${last.authority?.replaceAll('\n', ', ')} stamped it` : 'a checkpoint kept outside says so'
  return [
    last === null
      ? `${anchors} anchors and ${checkpoints} checkpoints, none of which proves anything.`
      : `${anchors} anchors and ${checkpoints} checkpoints; the last proof is of ${last.length} entries, on ${last.at}: ${who}.`,
    ...(unproved === 0
      ? []
      : [`Sent to a webhook and proved by nothing given here: ${unproved}. What the webhook kept proves them (--checkpoint).`]),
    ...(beyond === 0 ? [] : [`Of entries that retention took, so compared with nothing: ${beyond}.`]),
  ]
}

/** As many as were appended to the file. */
function readCheckpoints(file: string): KeptText[] {
  const kept = signedTextsIn(readIfThere(file) ?? '', file)
  if (kept.length > 0) return kept
  throw new CommandError(`there is no checkpoint in ${file}`, {
    next: 'give a file to which `concord audit checkpoint >> FILE` wrote',
    exitCode: exitCodes.usage,
  })
}

function readCertificates(file: string): X509Certificate[] {
  const blocks = readIfThere(file)?.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  if (blocks.length > 0) return blocks.map(block => new X509Certificate(block))
  throw new CommandError(`${file} holds no certificate`, { next: 'give a file with certificates in PEM', exitCode: exitCodes.usage })
}

async function verifyOne(shell: Shell, given: string, options: VerifyOptions): Promise<number> {
  const { out } = shell
  const { verifyCertificate } = await import('../scopes/certificates/certificates.js')
  const certificate = readSigned(given, 'certificate')
  const pinned = { issuer: options.issuer, tenantId: options.tenant, scopeId: options.scope }
  const verdict = await verifyCertificate(certificate, await readKeys(options.jwks), pinned)
  const standing = verdict.ok && options.ask ? await askStanding(shell, certificate, verdict.payload) : undefined
  const papers = verdict.ok && options.papers !== undefined ? await papersOfCertificate(options.papers, verdict.payload) : undefined
  out.show({ ...verdict, standing, papers }, () => {
    if (!verdict.ok) return out.line(refusal(out, verdict.fault, 'certificate'))
    const { iss, iat, tenant_id, scope_id, round } = verdict.payload
    out.line(out.colors.green(`The signature is right (key ${verdict.kid}).`))
    out.line(`Issued by ${iss} for ${scope_id} of ${tenant_id}, step ${round}, on ${new Date(iat * 1000).toISOString()}.`)
    out.line(
      standing === undefined
        ? 'Whether it is still current was not asked (--ask).'
        : `The service says: ${standing.words.replace(/\.$/, '')}.`,
    )
    // Without having asked, nobody knows whether it still holds: what it says is told in the past.
    for (const line of certificateLines({ certificate, status: standing?.status === 'current' ? 'current' : 'superseded' }) ?? [])
      out.line(printable(lineInWords(line, id => id)))
    showPapers(out, papers)
    out.line(out.hint('`--json` prints all that it says.'))
  })
  const isRight = verdict.ok && !hasFaults(papers)
  return isRight && (standing === undefined || standing.status === 'current') ? exitCodes.done : exitCodes.failed
}

function showPapers(out: Shell['out'], papers: VerifiedPapers | undefined): void {
  if (papers === undefined) return
  for (const line of papersInWords(papers)) out.line(hasFaults(papers) ? out.colors.red(line) : line)
}

function hasFaults(papers: VerifiedPapers | undefined): boolean {
  return papers !== undefined && papers.faults.length > 0
}

async function verifyMoment({ out }: Shell, given: string, options: VerifyOptions): Promise<number> {
  const { verifyAsOf } = await import('../scopes/certificates/certificates.js')
  const pinned = { issuer: options.issuer, tenantId: options.tenant, scopeId: options.scope }
  const verdict = await verifyAsOf(readSigned(given, 'as-of'), await readKeys(options.jwks), pinned)
  const held = verdict.ok && options.papers !== undefined ? await papersOfBundle(options.papers, verdict.payload) : undefined
  out.show({ ...verdict, papers: held }, () => {
    if (!verdict.ok) return out.line(refusal(out, verdict.fault, 'as-of'))
    const { iss, iat, tenant_id, scope_id, at, chain, papers, statements, contradictions, decisions } = verdict.payload
    out.line(out.colors.green(`The signature is right (key ${verdict.kid}).`))
    const signed = iat === undefined ? 'without a time of signing' : `on ${new Date(iat * 1000).toISOString()}`
    out.line(`Issued by ${iss} ${signed}: ${scope_id} of ${tenant_id} as it was on ${at}.`)
    if (chain === null) out.line('That is before the last reset: what was there then is gone.')
    else
      out.line(
        `${papers.count} papers, ${statements.count} statements, ${contradictions.count} open contradictions, ${decisions.count} decisions of people; the chain of decisions ended with ${chain.head}.`,
      )
    showPapers(out, held)
  })
  return verdict.ok && !hasFaults(held) ? exitCodes.done : exitCodes.failed
}

async function verifyCheckpoint({ out }: Shell, given: string, { jwks, issuer }: VerifyOptions): Promise<number> {
  const { verifyStatement } = await import('../scopes/certificates/certificates.js')
  const read = await verifyStatement<AuditCheckpoint>(readSigned(given, 'checkpoint'), await readKeys(jwks), 'concord-audit-checkpoint+jws')
  const isOther = read.ok && issuer !== undefined && read.payload.iss !== issuer
  const verdict = isOther ? { ok: false as const, fault: `was issued by ${read.payload.iss}, not by ${issuer}` } : read
  out.show(verdict, () => {
    if (!verdict.ok) return out.line(refusal(out, verdict.fault, 'checkpoint'))
    const { iss, iat, audit } = verdict.payload
    out.line(out.colors.green(`The signature is right (key ${verdict.kid}).`))
    out.line(
      `Issued by ${iss} on ${new Date(iat * 1000).toISOString()}: the audit log had ${audit.length} entries, the last ${audit.head}.`,
    )
  })
  return verdict.ok ? exitCodes.done : exitCodes.failed
}

/** What can be handed on signed, and which command writes it. */
const kinds = {
  certificate: { what: 'a certificate', command: 'concord certificate <case> -o <file>' },
  'as-of': { what: 'a signed case as it was', command: 'concord as-of <case> --at <moment> -o <file.jws>' },
  checkpoint: { what: 'a checkpoint', command: 'concord audit checkpoint > <file>' },
}

/** Of another kind, it is signed and still not what was asked for. */
function refusal({ colors, hint }: Shell['out'], fault: string, kind: keyof typeof kinds): string {
  const next = fault.startsWith('is signed, but as ') ? ` ${hint(`Name the file that \`${kinds[kind].command}\` wrote.`)}` : ''
  return `${colors.red(`Not accepted: ${fault}.`)}${next}`
}

function readSigned(given: string, kind: keyof typeof kinds): string {
  const { what, command } = kinds[kind]
  const file = readIfThere(given)
  if (file === undefined) {
    const signed = signedIn(given)
    if (isSignedText(signed)) return signed
    throw new CommandError(`there is no file ${shorten(given.trim(), 200)}, and it is not ${what} itself`, {
      next: `name the file that \`${command}\` wrote, or give all of its text`,
      exitCode: exitCodes.usage,
    })
  }
  const kept = signedTextsIn(file, given)
  if (kind === 'checkpoint' && kept.length > 1) {
    throw new CommandError(`${given} holds ${kept.length} checkpoints`, {
      next: `\`concord verify --checkpoint ${given}\` compares all of them with the log; for one alone give its line`,
      exitCode: exitCodes.usage,
    })
  }
  const signed = kept.length === 1 ? (kept[0]?.signed ?? '') : signedIn(file)
  if (isSignedText(signed)) return signed
  throw new CommandError(`${given} holds nothing signed, or not all of it`, {
    next: `name the file that \`${command}\` wrote`,
    exitCode: exitCodes.usage,
  })
}

/** As the service says of it, if it is one of the certificates of its scope: a key that came with the tenant can sign others. */
async function askStanding(
  { settings, client }: Shell,
  certificate: string,
  { tenant_id, scope_id }: { tenant_id: string; scope_id: string },
): Promise<{ status: string; words: string }> {
  const { tenantId = tenant_id } = settings
  if (tenantId !== tenant_id) {
    throw new CommandError(`the certificate is about ${tenant_id}, and the keys in use are of ${tenantId}`, {
      next: 'name the profile of that tenant',
      exitCode: exitCodes.usage,
    })
  }
  const newest = await client('tenant-key').certificate(scope_id)
  if (newest.certificate === certificate) return { status: newest.status, words: standingOf(newest) }
  for await (const issued of client('tenant-key').certificates(scope_id, { limit: 200 })) {
    if (issued.certificate !== certificate) continue
    const next = issued.status === 'superseded' ? `; the newest is ${newest.certificate_id}, issued on ${newest.issued_at}` : ''
    const notCurrent = next === '' || newest.status === 'current' ? '' : `, itself ${standingOf(newest)}`
    return { status: issued.status, words: `${standingOf(issued)}${next}${notCurrent}` }
  }
  return { status: 'unknown', words: `${scope_id} has no such certificate: it was not issued there, and did not come with the tenant` }
}

async function readKeys(jwks: string) {
  const isAddress = /^https?:\/\//.test(jwks)
  try {
    const text = isAddress ? await (await fetch(jwks)).text() : readIfThere(jwks)
    const keys = JSON.parse(text ?? '') as { keys: [] }
    if (Array.isArray(keys.keys)) return keys
  } catch (error) {
    throw new CommandError(`${jwks} cannot be read as public keys`, {
      next: 'give a file or address with a JWKS',
      exitCode: exitCodes.usage,
      cause: error,
    })
  }
  throw new CommandError(`${jwks} holds no public keys`, { next: 'give a file or address with a JWKS', exitCode: exitCodes.usage })
}
