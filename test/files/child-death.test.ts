import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { FileFault } from '../../src/files/extraction.js'
import { ChildDeath, createFileExtractor, type FileExtractor, type ScanInput } from '../../src/files/extractor.js'
import { createOcr } from '../../src/files/ocr.js'
import { createWalls } from '../../src/files/walls.js'
import { createLogger } from '../../src/platform/logger.js'
import { fileForm } from '../support/multipart.js'
import { linesOf, pngOf, tiffOf } from '../support/pictures.js'
import { startTestService, type TestService } from '../support/service.js'
import { zipOf } from '../support/zip.js'

const sample = (name: string) => readFileSync(new URL(`./samples/${name}`, import.meta.url))

/** Processes of this one that read files. */
function readers(): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/status`, 'utf8').includes(`\nPPid:\t${process.pid}\n`)
        return isOurs && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('files/child.js')
      } catch {
        return false
      }
    })
}

const onLinux = process.platform === 'linux'

describe.runIf(onLinux)('the process that reads files', () => {
  const logger = createLogger({ level: 'fatal' })
  const options = { timeoutMs: 20_000, memoryMb: 300, maxChars: 200_000, walls: createWalls(logger), logger }
  let extractor: FileExtractor
  beforeAll(() => {
    extractor = createFileExtractor(options)
  })
  afterAll(() => extractor.close())

  const read = (text: string, between: () => void = () => undefined) => {
    const chunks = (async function* () {
      yield Buffer.from(text.slice(0, 3))
      between()
      yield Buffer.from(text.slice(3))
    })()
    return extractor.extract({ kind: 'txt', bytes: text.length, chunks }, new AbortController().signal)
  }
  const own = async (before: readonly number[]) => readers().filter(pid => !before.includes(pid))

  it('costs the file in hand when it is killed, and no other', async () => {
    const before = readers()
    await read('Started.')
    const [pid] = await own(before)
    await expect(read('Killed over it.', () => process.kill(pid!, 'SIGKILL'))).rejects.toThrow(ChildDeath)
    expect((await read('The next one.')).text).toBe('The next one.')
  })

  it('costs no file when it is killed between two', async () => {
    const before = readers()
    await read('Started.')
    for (const pid of await own(before)) process.kill(pid, 'SIGKILL')
    await expect.poll(() => own(before)).toEqual([])
    expect((await read('The next one.')).text).toBe('The next one.')
  })

  /** A process that was taken over: what it does in place of reading a file. */
  const takenOver = (script: string) => {
    const walls = async () => ({ has: [], program: (): [string, ...string[]] => [process.execPath, '--eval', script], options: {} })
    const hostile = createFileExtractor({ ...options, walls })
    onTestFinished(() => hostile.close())
    return (signal = new AbortController().signal, scan?: ScanInput) => {
      const chunks = (async function* () {
        yield Buffer.from('Rent.')
      })()
      return hostile.extract({ kind: 'txt', bytes: 5, chunks }, signal, scan)
    }
  }
  const says = `const say = (head, more = '') => {
    const json = Buffer.from(JSON.stringify(head)), length = Buffer.alloc(4)
    length.writeUInt32LE(json.length)
    process.stdout.write(Buffer.concat([length, json, Buffer.from(more)]))
  }`

  it.each([4, 200_000])('is ended when it claims a longer answer than it can have, with %i bytes of it', async bytes => {
    const extract = takenOver(`process.stdin.resume(); process.stdout.write(Buffer.alloc(${bytes}, 255))`)
    await expect(extract()).rejects.toMatchObject({ code: 'TOO_MUCH_MEMORY' })
  })

  it('is followed by another when it is spent, also where it has more to say than anybody reads', async () => {
    const extract = takenOver(`${says}
      process.stdin.once('data', () => {
        const text = String(process.pid)
        say({ ok: true, text: text.length, places: null, notes: [], attachments: [], words: [], nextPage: 2, spent: true }, text + ' '.repeat(200_000))
      })`)
    const [first, second] = [await extract(), await extract()]
    expect([first.nextPage, second.nextPage]).toEqual([2, 2])
    expect(second.text).not.toBe(first.text)
    expect(second).not.toHaveProperty('spent')
  })

  it('has died, and says nothing about the file, when it ends behind what is no answer', async () => {
    const extract = takenOver(`
      const noJson = Buffer.alloc(200_000)
      noJson.writeUInt32LE(4)
      process.stdout.on('error', () => process.exit()).write(noJson, () => process.exit())`)
    await expect(extract()).rejects.toThrow(ChildDeath)
  })

  it('is ended together with what it says through a process that it started', async () => {
    const extract = takenOver(`${says}
      process.stdin.resume()
      const { pid } = require('node:child_process').spawn('sleep', ['600'], { stdio: 'inherit', detached: true })
      say({ ok: 'page', page: pid, bytes: 0 })`)
    const stop = new AbortController()
    const onPage = async (pid: number) => {
      onTestFinished(() => void process.kill(pid, 'SIGKILL'))
      stop.abort(new Error('taken back'))
    }
    await expect(extract(stop.signal, { languages: ['eng'], from: 1, onPage })).rejects.toThrow('taken back')
  })

  it('has the time of a page anew for each page of a scan, also for those that need no recognition', async () => {
    const speaks = `
      process.stdin.resume()
      const say = head => { const json = Buffer.from(JSON.stringify(head)), length = Buffer.alloc(4); length.writeUInt32LE(json.length); process.stdout.write(Buffer.concat([length, json])) }
      let pages = 5
      setInterval(() => { if (--pages > 0) say({ ok: 'looked' }); if (pages === 0) say({ ok: true, text: 0, places: null, notes: [], attachments: [], words: [] }) }, 1000)`
    const walls = async () => ({ has: [], program: (): [string, ...string[]] => [process.execPath, '--eval', speaks], options: {} })
    const slow = createFileExtractor({ ...options, walls, timeoutMs: 4_000 })
    onTestFinished(() => slow.close())
    const chunks = (async function* () {
      yield Buffer.from('%PDF-')
    })()
    const scan = { languages: ['eng'], from: 1, onPage: async () => undefined }
    const read = await slow.extract({ kind: 'pdf', bytes: 5, chunks }, new AbortController().signal, scan)
    expect(read.text).toBe('')
  })

  it.each([
    ['no scan', undefined],
    ['one', { languages: ['eng'], from: 1, onPage: async () => undefined }],
  ])('is ended when it turns more pages than it may: of %s', async (_, scan) => {
    const turns = `
      process.stdin.resume()
      const json = Buffer.from('{"ok":"looked"}'), length = Buffer.alloc(4); length.writeUInt32LE(json.length)
      setInterval(() => process.stdout.write(Buffer.concat([length, json])), 20)`
    const walls = async () => ({ has: [], program: (): [string, ...string[]] => [process.execPath, '--eval', turns], options: {} })
    const hostile = createFileExtractor({ ...options, walls })
    onTestFinished(() => hostile.close())
    const chunks = (async function* () {
      yield Buffer.from('%PDF-')
    })()
    const reading = hostile.extract({ kind: 'pdf', bytes: 5, chunks }, AbortSignal.timeout(15_000), scan)
    await expect(reading).rejects.toMatchObject({ code: 'TOO_SLOW' })
  })

  it('dies, and says nothing about the file, when what recognises letters does not start', async () => {
    const none = 'data:text/javascript,WebAssembly.Module=class{constructor(){throw new Error()}}'
    const program = (args: readonly string[]): [string, ...string[]] => [process.execPath, '--import', none, ...args]
    const poor = createFileExtractor({ ...options, walls: async () => ({ has: [], program, options: {} }) })
    onTestFinished(() => poor.close())
    const bytes = pngOf(linesOf(1, 460))
    const chunks = (async function* () {
      yield bytes
    })()
    const scan = { languages: ['eng'], from: 1, onPage: async () => undefined }
    const reading = poor.extract({ kind: 'png', bytes: bytes.length, chunks }, new AbortController().signal, scan)
    await expect(reading).rejects.toThrow(ChildDeath)
  })

  it('reads the pages behind one that broke what recognises letters, though it has no room for another recogniser', async () => {
    const [height, rest] = [100, 120]
    // Pixels are looked at by a head of thirteen numbers, of which the second is the height.
    const breaks = `
      const [Numbers, Module] = [Uint32Array, WebAssembly.Module]
      globalThis.Uint32Array = class extends Numbers {
        constructor(...args) { super(...args); if (args[2] === 13 && this[1] === ${height}) throw new WebAssembly.RuntimeError('unreachable') }
      }
      let made = 0
      WebAssembly.Module = class extends Module { constructor(bytes) { if (++made > 1) throw new RangeError('no memory'); super(bytes) } }`
    const before = `data:text/javascript,${encodeURIComponent(breaks)}`
    const program = (args: readonly string[]): [string, ...string[]] => [process.execPath, '--import', before, ...args]
    const poor = createFileExtractor({ ...options, walls: async () => ({ has: [], program, options: {} }) })
    onTestFinished(() => poor.close())
    const bytes = tiffOf([height, rest, rest].map(each => ({ picture: linesOf(1, each), orientation: 1 })))
    const extract = (scan: ScanInput) => {
      const chunks = (async function* () {
        yield bytes
      })()
      return poor.extract({ kind: 'tiff', bytes: bytes.length, chunks }, new AbortController().signal, scan)
    }
    const readings: string[] = []
    const onPage = async (_page: number, reading: Buffer) => void readings.push(reading.toString('utf8'))
    const turns: number[] = []
    for (let from: number | undefined = 1; from !== undefined; from = (await extract({ languages: ['eng'], from, onPage })).nextPage)
      turns.push(from)
    expect(turns).toEqual([1, 2])
    const { notes } = await extract({ languages: ['eng'], readings: Buffer.from(`[${readings.join()}]`) })
    expect(notes).toEqual([expect.stringContaining(': 2, 3.'), 'Pages that could not be read: 1.'])
  })

  it('is ended at once when the rest of a file cannot be had, and that is what is said of it', async () => {
    const patient = createFileExtractor({ ...options, timeoutMs: 3_600_000 })
    const chunks = (async function* () {
      yield Buffer.from('Half of ')
      throw new Error('storage is away')
    })()
    try {
      await expect(patient.extract({ kind: 'txt', bytes: 20, chunks }, new AbortController().signal)).rejects.toThrow('storage is away')
    } finally {
      await patient.close()
    }
  })

  it('loads no native code for a PDF', async () => {
    const before = readers()
    const bytes = sample('lease.pdf')
    const fresh = createFileExtractor(options)
    try {
      const chunks = (async function* () {
        yield bytes
      })()
      await fresh.extract({ kind: 'pdf', bytes: bytes.length, chunks }, new AbortController().signal)
      const pids = await own(before)
      expect(pids.length).toBeGreaterThan(0)
      for (const pid of pids) expect(readFileSync(`/proc/${pid}/maps`, 'utf8')).not.toMatch(/\.node$/m)
    } finally {
      await fresh.close()
    }
  })
})

describe.runIf(onLinux)('a document whose file is read', () => {
  let service: TestService
  afterEach(() => service.stop())
  const start = async (timeoutMs: number) => {
    const env = { FILE_MEMORY_MB: '128', RETRY_BASE_MS: '1', RETRY_MAX_MS: '1' }
    service = await startTestService({ ...env, DOCUMENT_TIMEOUT_MS: String(timeoutMs) })
  }

  async function upload(documentId: string, bytes: Buffer | string, name: string) {
    const tenant = await service.createTenant()
    const headers = { 'x-tenant-api-key': tenant.api_key }
    const form = fileForm({ scope_id: 'case', document_id: documentId }, { bytes, name })
    await service.call('POST', '/api/files', { headers: { ...headers, ...form.headers }, raw: form.raw })
    return (await service.call('GET', `/api/documents/${documentId}?scope_id=case&wait=30`, { headers })).body
  }

  it('pays one attempt for a process that stood still, and is read by the next', async () => {
    await start(9000)
    const before = readers()
    await upload('first', 'The rent is EUR 4,000 a month.', 'first.txt')
    for (const pid of readers().filter(each => !before.includes(each))) process.kill(pid, 'SIGSTOP')
    expect(await upload('second', 'The rent is EUR 5,000 a month.', 'second.txt')).toMatchObject({ status: 'indexed', attempts: 1 })
  })

  it('pays one attempt and is quarantined when the file itself needs too much', async () => {
    // Its memory is to be at an end before its time, also on a machine that is busy.
    await start(25_000)
    const wide = zipOf({
      'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row>${'<c t="str"><v>a cell with some words</v></c>'.repeat(400_000)}</row></sheetData></worksheet>`,
    })
    const record = await upload('wide', wide, 'wide.xlsx')
    expect(record).toMatchObject({ status: 'quarantined', attempts: 1, failure: { error_class: expect.stringMatching(/^TOO_/) } })
  })
})

describe.runIf(onLinux)('a command that reads scans', () => {
  const chunks = async function* () {
    yield Buffer.from('%PDF-1.7')
  }

  it('sees what it needs of the environment and none of the secrets', async () => {
    vi.stubEnv('ADMIN_API_KEY', 'secret-of-the-operator')
    onTestFinished(() => void vi.unstubAllEnvs())
    const ocr = createOcr({ command: 'env', env: { LANG: 'C.UTF-8' }, timeoutMs: 20_000, maxChars: 10_000 })
    const { text } = await ocr.read(chunks(), new AbortController().signal)
    expect(text).toContain('LANG=C.UTF-8')
    expect(text).not.toContain('secret-of-the-operator')
  })

  it('is ended with everything it started when it takes too long', async () => {
    const ocr = createOcr({ command: 'sleep 60 | cat; echo never', env: {}, timeoutMs: 200, maxChars: 1000 })
    const fault = await ocr.read(chunks(), new AbortController().signal).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(FileFault)
    expect((fault as FileFault).code).toBe('TOO_SLOW')
  })

  it.each([
    ['echo half; exit 3', 'OCR_COMMAND failed with exit code 3.'],
    ['kill -9 $$', 'OCR_COMMAND was ended by SIGKILL.'],
    ['true', 'holds no text'],
  ])('is told from a scan without text where it fails: %s', async (command, words) => {
    const ocr = createOcr({ command, env: {}, timeoutMs: 20_000, maxChars: 1000 })
    await expect(ocr.read(chunks(), new AbortController().signal)).rejects.toThrow(words)
  })

  it('stops when the document is taken back', async () => {
    const stop = new AbortController()
    const waiting = createOcr({ command: 'sleep 60', env: {}, timeoutMs: 60_000, maxChars: 1000 }).read(chunks(), stop.signal)
    stop.abort(new Error('taken back'))
    await expect(waiting).rejects.toThrow('taken back')
  })
})
