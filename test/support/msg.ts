/** A message of Outlook, written as the compound file it is: short streams together in one, long ones in sectors of their own. */

export interface MessageParts {
  subject: string
  from: [name: string, address: string]
  to: readonly [name: string, address: string][]
  cc?: readonly [name: string, address: string][]
  date: string
  body?: string
  html?: string
  /** Packed, as it is kept. */
  rtf?: Buffer
  /** Texts in a code page, as older versions write them; wide without it. */
  ansi?: { codepage: number; encode(text: string): Buffer }
  attachments?: readonly (
    | { name: string; bytes: Uint8Array | string }
    | { name: string; message: MessageParts }
    /** Left where it is: only its path is in the message. */
    | { name: string; path: string }
  )[]
}

type Node = Buffer | Folder
interface Folder {
  [name: string]: Node
}

export function msgOf(message: MessageParts): Buffer {
  return compoundOf(folderOf(message, 32))
}

const named = (tag: string) => `__substg1.0_${tag}`

/** A stream with a text, named by its kind. */
function textOf(ansi: MessageParts['ansi']): (tag: string, text: string) => Folder {
  return (tag, text) =>
    ansi === undefined ? { [named(`${tag}001F`)]: Buffer.from(text, 'utf16le') } : { [named(`${tag}001E`)]: ansi.encode(text) }
}

function folderOf(message: MessageParts, head: number): Folder {
  const { subject, from, to, cc = [], date, body, html, rtf, ansi, attachments = [] } = message
  const text = textOf(ansi)
  const ticks = Buffer.alloc(8)
  ticks.writeBigUInt64LE((BigInt(Date.parse(date)) + 11_644_473_600_000n) * 10_000n)
  const folder: Folder = {
    '__properties_version1.0': fixed(head, [
      [0x0039, ticks],
      [0x3fde, numberOf(65001)],
      ...(ansi === undefined ? [] : [[0x3ffd, numberOf(ansi.codepage)] as const]),
    ]),
    ...text('0037', subject),
    ...text('0C1A', from[0]),
    ...text('5D01', from[1]),
    ...(body !== undefined && text('1000', body)),
    ...(html !== undefined && { [named('10130102')]: Buffer.from(html) }),
    ...(rtf !== undefined && { [named('10090102')]: rtf }),
  }
  const recipients = [...to.map(each => [each, 1] as const), ...cc.map(each => [each, 2] as const)]
  for (const [n, [[name, address], kind]] of recipients.entries()) {
    folder[`__recip_version1.0_#${n.toString(16).padStart(8, '0')}`] = {
      '__properties_version1.0': fixed(8, [[0x0c15, numberOf(kind)]]),
      ...text('3001', name),
      ...text('39FE', address),
    }
  }
  for (const [n, each] of attachments.entries()) {
    folder[`__attach_version1.0_#${n.toString(16).padStart(8, '0')}`] = {
      '__properties_version1.0': fixed(8, 'path' in each ? [[0x3705, numberOf(2)]] : []),
      ...text('3707', each.name),
      ...('message' in each && { [named('3701000D')]: folderOf(each.message, 24) }),
      ...('path' in each && text('370D', each.path)),
      ...('bytes' in each && { [named('37010102')]: Buffer.from(each.bytes as string) }),
    }
  }
  return folder
}

function numberOf(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeInt32LE(value)
  return bytes
}

function fixed(head: number, properties: readonly (readonly [tag: number, value: Buffer])[]): Buffer {
  const rows = properties.map(([tag, value]) => {
    const row = Buffer.alloc(16)
    row.writeUInt16LE(tag, 2)
    value.copy(row, 8)
    return row
  })
  return Buffer.concat([Buffer.alloc(head), ...rows])
}

const [end, none, sectorBytes, shortBytes] = [0xfffffffe, 0xffffffff, 512, 4096]

interface Entry {
  name: string
  kind: number
  left: number
  right: number
  child: number
  start: number
  bytes: number
}

export function compoundOf(folder: Folder): Buffer {
  const fat: number[] = []
  const sectors: Buffer[] = []
  const miniFat: number[] = []
  const minis: Buffer[] = []
  const put = (bytes: Buffer, size: number, into: Buffer[], table: number[]): number => {
    const first = into.length
    for (let at = 0; at < bytes.length; at += size) {
      into.push(Buffer.concat([bytes.subarray(at, at + size), Buffer.alloc(size)]).subarray(0, size))
      table.push(into.length)
    }
    if (into.length === first) return end
    table[table.length - 1] = end
    return first
  }
  const entries: Entry[] = [{ name: 'Root Entry', kind: 5, left: none, right: none, child: none, start: end, bytes: 0 }]
  /** The entries of a folder are a tree, by the length of their names and then by the names. */
  const treeOf = (nodes: readonly (readonly [name: string, node: Node])[]): number => {
    if (nodes.length === 0) return none
    const middle = nodes.length >> 1
    const [name, node] = nodes[middle]!
    const isStream = Buffer.isBuffer(node)
    const entry: Entry = { name, kind: isStream ? 2 : 1, left: none, right: none, child: none, start: end, bytes: 0 }
    const at = entries.push(entry) - 1
    if (isStream) {
      const start = node.length < shortBytes ? put(node, 64, minis, miniFat) : put(node, sectorBytes, sectors, fat)
      Object.assign(entry, { start, bytes: node.length })
    } else entry.child = add(node)
    entry.left = treeOf(nodes.slice(0, middle))
    entry.right = treeOf(nodes.slice(middle + 1))
    return at
  }
  const add = (of: Folder): number =>
    treeOf(Object.entries(of).sort(([a], [b]) => a.length - b.length || (a.toUpperCase() < b.toUpperCase() ? -1 : 1)))
  const root = entries[0] as Entry
  root.child = add(folder)
  const mini = Buffer.concat(minis)
  Object.assign(root, { start: put(mini, sectorBytes, sectors, fat), bytes: mini.length })
  const table = (numbers: readonly number[]) => {
    const bytes = Buffer.alloc(numbers.length * 4)
    for (const [at, number] of numbers.entries()) bytes.writeUInt32LE(number, at * 4)
    return bytes
  }
  const miniStart = put(Buffer.concat([table(miniFat), Buffer.alloc(sectorBytes, 255)]), sectorBytes, sectors, fat)
  const directory = put(Buffer.concat(entries.map(entryBytes)), sectorBytes, sectors, fat)
  let fatCount = 1
  while (fatCount * 128 < sectors.length + fatCount) fatCount++
  const fatFirst = sectors.length
  for (let n = 0; n < fatCount; n++) fat.push(0xfffffffd)
  while (fat.length < fatCount * 128) fat.push(none)
  const head = Buffer.alloc(512, 0)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(head)
  for (const [at, value] of [
    [24, 0x3e],
    [26, 3],
    [28, 0xfffe],
    [30, 9],
    [32, 6],
  ] as const)
    head.writeUInt16LE(value, at)
  for (const [at, value] of [
    [44, fatCount],
    [48, directory],
    [56, shortBytes],
    [60, miniStart],
    [64, 1],
    [68, end],
  ] as const)
    head.writeUInt32LE(value, at)
  for (let n = 0; n < 109; n++) head.writeUInt32LE(n < fatCount ? fatFirst + n : none, 76 + n * 4)
  return Buffer.concat([head, ...sectors, table(fat)])
}

function entryBytes({ name, kind, left, right, child, start, bytes }: Entry): Buffer {
  const entry = Buffer.alloc(128)
  entry.write(name, 'utf16le')
  entry.writeUInt16LE((name.length + 1) * 2, 64)
  entry[66] = kind
  entry.writeUInt32LE(left, 68)
  entry.writeUInt32LE(right, 72)
  entry.writeUInt32LE(child, 76)
  entry.writeUInt32LE(start, 116)
  entry.writeUInt32LE(bytes, 120)
  return entry
}
