/**
 * A model whose answers are files: a question that was answered before is answered at once, any other is written down for whoever
 * answers it later and refused meanwhile, so that a run never waits. Questions about documents do not depend on answers, and pairs
 * are judged one by one: a case is recorded in two or three rounds, however many documents it has.
 *
 * Verdicts are kept by pair. Pairs that come in other batches are put together from what was said about each; only those nobody judged
 * are written down, and left out of the answer.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { jsonIn } from '../../src/models/answer-text.js'

interface Message {
  role: string
  content: string
}

export interface FileModel {
  url: string
  /** Questions of this run that nobody has answered, by their ids. */
  open(): ReadonlyMap<string, readonly Message[]>
  /** Questions of this run that were answered from files. */
  answered(): number
  close(): Promise<void>
}

const questionEnd = '.question.txt'
const answersEnd = '.answers.json'
/** Characters, unless a single question about a document is longer. */
const longestBundle = 30_000

export async function startFileModel(folder: string): Promise<FileModel> {
  mkdirSync(folder, { recursive: true })
  const answers = readAnswers(folder)
  forgetUnanswered(folder, answers)
  const verdicts = recordedVerdicts(folder, answers)
  const open = new Map<string, Message[]>()
  let answered = 0
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      const { messages } = JSON.parse(body) as { messages: Message[] }
      const { answer, missing } = answerTo(messages, answers, verdicts)
      if (answer !== null) answered++
      for (const each of missing) open.set(write(folder, each), each)
      response.writeHead(answer === null ? 400 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer === null ? { error: { message: 'Not recorded.' } } : completion(answer, body)))
    })
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    open: () => open,
    answered: () => answered,
    close: () => new Promise(closed => server.close(() => closed())),
  }
}

/** What is known of the answer, and what somebody has to be asked. */
function answerTo(
  messages: Message[],
  answers: ReadonlyMap<string, string>,
  verdicts: ReadonlyMap<string, object>,
): { answer: string | null; missing: Message[][] } {
  const blocks = pairsIn(messages)
  if (blocks === null) {
    const answer = answers.get(idOf(messages)) ?? null
    return { answer, missing: answer === null ? [messages] : [] }
  }
  const said = blocks.map(block => verdicts.get(keyOf(messages, block)))
  const pairs = said.flatMap((each, index) => (each === undefined ? [] : [{ ...each, pair: `P${index + 1}` }]))
  const missing = partsOf(blocks.filter((_, index) => said[index] === undefined)).map(each => withPairs(messages, each))
  return { answer: pairs.length === 0 ? null : JSON.stringify({ pairs }), missing }
}

/** So many pairs as somebody reads with care at a time. */
function partsOf(blocks: readonly string[]): string[][] {
  const parts: string[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const block of blocks) {
    size += block.length
    if (size > longestBundle - 4000) {
      parts.push([])
      size = block.length
    }
    parts.at(-1)?.push(block)
  }
  return parts
}

/** What stands below each `P1`, `P2`; null where the question is not about pairs. */
function pairsIn(messages: readonly Message[]): string[] | null {
  const content = messages.at(-1)?.content ?? ''
  if (!content.startsWith('PAIRS')) return null
  const blocks = content.split(/^P\d+$/m).slice(1)
  return blocks.map(block => block.trim())
}

function withPairs(messages: readonly Message[], blocks: readonly string[]): Message[] {
  const content = `PAIRS\n\n${blocks.map((block, index) => `P${index + 1}\n${block}`).join('\n\n')}`
  return [...messages.slice(0, -1), { role: 'user', content }]
}

/** Of `<id>.json`, one answer each, and of `*.answers.json`, which hold answers by the ids of their questions. */
function readAnswers(folder: string): Map<string, string> {
  const answers = new Map<string, string>()
  for (const name of readdirSync(folder).filter(each => each.endsWith('.json'))) {
    const text = readFileSync(join(folder, name), 'utf8')
    if (!name.endsWith(answersEnd)) answers.set(name.slice(0, -'.json'.length), text)
    else for (const [id, answer] of Object.entries(JSON.parse(text) as object)) answers.set(id, JSON.stringify(answer))
  }
  return answers
}

function recordedVerdicts(folder: string, answers: ReadonlyMap<string, string>): Map<string, object> {
  const verdicts = new Map<string, object>()
  for (const name of questionsIn(folder)) {
    const messages = messagesIn(readFileSync(join(folder, name), 'utf8'))
    const blocks = pairsIn(messages) ?? []
    const { pairs = [] } = (jsonIn(answers.get(name.slice(0, -questionEnd.length)) ?? '') ?? {}) as { pairs?: { pair?: unknown }[] }
    for (const each of pairs) {
      const block = blocks[Number(String(each.pair).replace(/\D/g, '')) - 1]
      if (block !== undefined) verdicts.set(keyOf(messages, block), each)
    }
  }
  return verdicts
}

/** Questions of earlier runs may not come again; answered ones are part of the recording. */
function forgetUnanswered(folder: string, answers: ReadonlyMap<string, string>): void {
  for (const name of questionsIn(folder)) if (!answers.has(name.slice(0, -questionEnd.length))) rmSync(join(folder, name))
}

function questionsIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter(each => each.endsWith(questionEnd)) : []
}

function keyOf(messages: readonly Message[], block: string): string {
  return sha256(JSON.stringify([messages[0]?.content, withoutIssue(block)]))
}

function idOf(messages: readonly Message[]): string {
  return sha256(JSON.stringify(messages.map(({ content }) => withoutIssue(content)))).slice(0, 16)
}

/** Who issued a document and when is read by rules that get better: an answer stays good while its passages are the same. */
function withoutIssue(content: string): string {
  return content.replace(/^((?:- |DOCUMENT |[AB] in )"(?:[^"\\\n]|\\.)*").*$/gm, '$1')
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function write(folder: string, messages: readonly Message[]): string {
  const id = idOf(messages)
  writeFileSync(join(folder, id + questionEnd), messages.map(({ role, content }) => `=== ${role} ===\n${content}\n`).join('\n'))
  return id
}

/** Texts of documents are quoted, so that no line of theirs is one of these. */
function messagesIn(text: string): Message[] {
  const [, ...parts] = text.split(/^=== (\w+) ===\n/m)
  return parts.flatMap((role, at) => (at % 2 === 0 ? [{ role, content: (parts[at + 1] ?? '').trimEnd() }] : []))
}

function completion(answer: string, body: string): object {
  const usage = { prompt_tokens: Math.ceil(body.length / 4), completion_tokens: Math.ceil(answer.length / 4) }
  return { choices: [{ message: { role: 'assistant', content: answer }, finish_reason: 'stop' }], usage }
}

/**
 * The open questions in few files, for whoever answers many at once: the instructions once, and of each question what it does not
 * share with the beginning of one before it. Answers go to the file each names, by the ids of the questions. Returns the files.
 */
export function writeBundles(folder: string, open: FileModel['open']): string[] {
  for (const name of readdirSync(folder).filter(each => /^bundle-.*\.txt$/.test(each))) rmSync(join(folder, name))
  const bundles: { instructions: string; text: string }[] = []
  for (const chain of chainsOf(open())) {
    const instructions = chain[0]?.messages[0]?.content ?? ''
    const text = chain.map(({ id, before, part }) => `--- question ${id}${before}\n${part}\n`).join('\n')
    const last = bundles.find(each => each.instructions === instructions && each.text.length + text.length <= longestBundle)
    if (last === undefined) bundles.push({ instructions, text })
    else last.text += `\n${text}`
  }
  return bundles.map(({ instructions, text }) => {
    const name = `bundle-${sha256(text).slice(0, 8)}`
    const path = join(folder, `${name}.txt`)
    const task = `Below are the instructions for a question, then questions to which they apply one by one. Answer each by itself, in their order. Write one JSON object to ${join(folder, name + answersEnd)}: under the id of each question the object that the instructions ask for.`
    writeFileSync(path, `${task}\n\n=== instructions ===\n${instructions}\n\n=== questions ===\n\n${text}`)
    return path
  })
}

interface Link {
  id: string
  messages: readonly Message[]
  before: string
  part: string
}

/** Questions that repeat the beginning of one another stand together, the shorter first. */
function chainsOf(open: ReadonlyMap<string, readonly Message[]>): Link[][] {
  const questions = [...open].map(([id, messages]) => ({ id, messages, content: messages.at(-1)?.content ?? '' }))
  questions.sort((a, b) => caseLength(a.content) - caseLength(b.content) || (a.id < b.id ? -1 : 1))
  const chains: { links: Link[]; last: string; lastId: string }[] = []
  for (const { id, messages, content } of questions) {
    const isCase = /^CASE\n- /.test(content)
    const longest = chains.reduce<{ chain: (typeof chains)[number] | null; same: number }>(
      (best, chain) => {
        const same = isCase ? commonLines(chain.last, content) : 0
        return same > best.same + 50 ? { chain, same } : best
      },
      { chain: null, same: 0 },
    )
    const { chain, same } = longest
    if (chain === null) {
      chains.push({ links: [{ id, messages, before: '', part: content }], last: content, lastId: id })
    } else {
      const lines = content.slice(0, same).split('\n').length - 1
      chain.links.push({
        id,
        messages,
        before: ` (begins with the first ${lines} lines of question ${chain.lastId}, then goes on:)`,
        part: content.slice(same),
      })
      chain.last = content
      chain.lastId = id
    }
  }
  return chains.map(({ links }) => links)
}

function caseLength(content: string): number {
  return content.indexOf('\n\nDOCUMENT ')
}

/** Characters of the whole lines both begin with. */
function commonLines(a: string, b: string): number {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  return b.lastIndexOf('\n', at - 1) + 1
}
