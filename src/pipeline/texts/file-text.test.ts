import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FileExtractor } from '../../files/extractor.js'
import type { ExtractedFile } from '../../files/place-rows.js'
import { createLogger } from '../../platform/logger.js'
import type { Lease, LeasedDocument } from '../../store/leases/leases.js'
import type { Database } from '../../store/server/database.js'
import { accountOf } from '../threads/fair-turns.js'
import { createFileText, type FileOutcome, type HandOver } from './file-text.js'
import { createScans } from './scans.js'

const settled = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)))

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Files that are read when they are told to be, one of a tenant at a time, and a database that says yes. */
function world({ isOvertaken = (): boolean => false, onStatement = (_sql: string): void => undefined } = {}) {
  const said: string[] = []
  const note = (sql: string) => {
    const step = sql.trim().split(/\s+/, 3).join(' ')
    said.push(step)
    onStatement(step)
  }
  const file = () => ({ file_id: 'fil', type: 'eml', file_bytes: 1, part_depth: 0, scan_languages: null, overtaken: isOvertaken() })
  const tx = {
    run: async (sql: string) => {
      note(sql)
      return 1
    },
    query: async () => undefined,
    touches: async () => true,
    value: async () => null,
    row: async (sql: string) => (sql.includes('as overtaken') ? file() : null),
    column: async () => [],
  }
  const db = {
    inTenant: async (_tenant: string, work: (tx: unknown) => Promise<unknown>) => work(tx),
    engineQuery: async (_sql: string, [, scopes, generations, seqs]: unknown[][]) => ({
      rows: seqs?.map((seq, n) => ({ scopeNo: scopes?.[n], generation: generations?.[n], seq })) ?? [],
    }),
  } as unknown as Database
  const logger = createLogger({ level: 'fatal' })
  const ends: ((attachments?: ExtractedFile['attachments']) => void)[] = []
  const extract: FileExtractor['extract'] = (_file, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      ends.push((attachments = []) => resolve({ text: 'read', notes: [], places: null, words: [], attachments }))
    })
  const extractors = Array.from({ length: 2 }, () => ({ extract, close: async () => undefined }))
  const scans = createScans({ db, charges: { charge: async () => undefined }, holdMs: 60_000, notify: () => undefined, logger })
  const files = createFileText({ db, extractors, scanner: extractors[0]!, scans, languages: ['eng'], logger })
  let last = 0
  const ensure = (tenantId: string) => {
    const seq = ++last
    const lease = { tenantId, scopeId: 'case', scopeNo: seq, generation: 1, weight: 1, fence: 1, owner: 'me' } as unknown as Lease
    const attempt = { attempts: 0, queuedAt: 0 }
    const document = { seq, documentId: `doc-${seq}`, revision: 1, text: null, type: 'eml', ...attempt } as LeasedDocument
    const stop = new AbortController()
    const how = { account: accountOf(lease), mayBegin: async () => true, passages: false, signal: stop.signal }
    const asked = { place: { ...lease, ...attempt, seq }, stop, outcome: undefined as FileOutcome | Error | undefined }
    files.ensure(lease, document, how).then(
      outcome => {
        asked.outcome = outcome
      },
      error => {
        asked.outcome = error
      },
    )
    return asked
  }
  return {
    said,
    scans,
    ensure,
    /** The first that is being read is. */
    async end(attachments?: ExtractedFile['attachments']) {
      ends.shift()?.(attachments)
      await settled()
    },
    async pass(ms: number) {
      await settled()
      await vi.advanceTimersByTimeAsync(ms)
      await settled()
    },
  }
}

const rent = [{ name: 'rent.txt', declared: null, bytes: Buffer.from('The rent is EUR 4,000 a month.') }]
const handedOver = expect.objectContaining({ why: 'file_waits' })

describe('files that are read', () => {
  it('stay with their lease while the line moves, however long it is', async () => {
    const { ensure, pass, end } = world()
    const asked = Array.from({ length: 10 }, () => ensure('bulk'))
    for (let n = 0; n < 10; n++) {
      await pass(600)
      await end()
    }
    expect(asked.map(({ outcome }) => outcome)).toEqual(asked.map(() => 'ready'))
  })

  it('are handed over after a second in which they are not read, and those behind them', async () => {
    const { ensure, pass } = world()
    const asked = [ensure('tenant'), ensure('tenant')]
    await pass(900)
    expect(asked.map(({ outcome }) => outcome)).toEqual([undefined, undefined])
    await pass(200)
    expect(asked.map(({ outcome }) => outcome)).toEqual([handedOver, handedOver])
  })

  it('stay with their lease when their tenant has handed over enough, and are read on', async () => {
    const { ensure, pass, scans, end } = world()
    const account = accountOf({ tenantId: 'many', weight: 1 })
    const rest = {
      ...{ documentId: 'doc', revision: 1, weight: 1, attempts: 0, queuedAt: 0 },
      ...{ turn: () => new Promise<never>(() => undefined), keep: async () => undefined },
    }
    const begun = { account, isOver: () => false, isReading: () => false }
    for (let n = 0; n < 100; n++) scans.take({ ...rest, begun, tenantId: 'many', scopeNo: 1000, generation: 1, seq: n })
    const [many, other] = [ensure('many'), ensure('other')]
    await pass(5000)
    expect([many.outcome, other.outcome]).toEqual([undefined, handedOver])
    await end()
    expect(many.outcome).toBe('ready')
  })

  it('are not taken up where they ended with their lease, which is no fault of the file', async () => {
    const { ensure, pass, scans } = world()
    const asked = ensure('tenant')
    await pass(1100)
    expect(asked.outcome).toEqual(handedOver)
    asked.stop.abort(new Error('the work on the lease is over'))
    ;(asked.outcome as HandOver).begin()
    await settled()
    expect(scans.has(asked.place)).toBeNull()
  })

  it('bring what is attached to them where the revision that overtook them counts no more when they are read', async () => {
    let looks = 0
    const { ensure, pass, said, end } = world({ isOvertaken: () => looks++ === 0 })
    ensure('tenant')
    await pass(0)
    await end(rent)
    await pass(0)
    expect(looks).toBe(2)
    // Written as an upload first, and kept as a file of the case behind the text.
    const steps = ['with counted as', 'update documents set', 'update file_chunks set']
    expect([...new Set(said)].filter(sql => steps.includes(sql))).toEqual(steps)
  })

  it('keep nothing when they are ended while what is attached to them is written', async () => {
    const ended: (() => void)[] = []
    const { ensure, pass, said, end } = world({ onStatement: step => step === 'with counted as' && ended[0]?.() })
    const asked = ensure('tenant')
    ended.push(() => asked.stop.abort(new Error('the work on the lease is over')))
    await pass(0)
    await end(rent)
    expect(asked.outcome).toEqual(new Error('the work on the lease is over'))
    expect(said).toEqual(['with counted as', 'with dropped as'])
  })
})
