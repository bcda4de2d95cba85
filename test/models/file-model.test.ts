/** A model whose answers are files: what was answered is answered again, whatever batch it comes in; the rest is written down. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ConfirmSide, confirmQuestion, proposeQuestion, type Question } from '../../src/models/question.js'
import { startFileModel, writeBundles } from '../support/file-model.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-model-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const document = (name: string, issuer: string | null = null) => ({ documentId: name, revision: 1, name, issuer, issuedOn: null })
const propose = (issuer: string | null = null) =>
  proposeQuestion({
    earlier: [],
    whole: true,
    document: document('a.txt', issuer),
    own: [{ documentId: 'a.txt', start: 0, end: 9, text: 'It is 12.', about: null }],
  })
const pair = (text: string): { a: ConfirmSide; b: ConfirmSide } => ({
  a: { document: document('a.txt'), passage: text, before: '', behind: '' },
  b: { document: document('b.txt'), passage: 'It is 13.', before: '', behind: '' },
})

/** Each question put to the model once; the contents of its answers, null where it has none. */
async function ask(...questions: readonly Question[]): Promise<{ said: (unknown | null)[]; open: number }> {
  const model = await startFileModel(folder)
  const said: unknown[] = []
  for (const { messages } of questions) {
    const response = await fetch(`${model.url}/chat/completions`, { method: 'POST', body: JSON.stringify({ messages }) })
    const body = (await response.json()) as { choices?: { message: { content: string } }[] }
    said.push(response.ok ? JSON.parse(body.choices?.[0]?.message.content ?? 'null') : null)
  }
  writeBundles(folder, model.open)
  await model.close()
  return { said, open: model.open().size }
}

const files = (end: string) => readdirSync(folder).filter(name => name.endsWith(end))

it('writes down what nobody answered, and answers it when somebody has', async () => {
  expect(await ask(propose())).toEqual({ said: [null], open: 1 })
  const [name = ''] = files('.question.txt')
  expect(readFileSync(join(folder, name), 'utf8')).toContain('It is 12.')
  writeFileSync(join(folder, name.replace('.question.txt', '.json')), '{"pairs":[]}')
  expect(await ask(propose())).toEqual({ said: [{ pairs: [] }], open: 0 })
  // Who is thought to have issued it changes nothing of what it says.
  expect(await ask(propose('Brandt AG'))).toEqual({ said: [{ pairs: [] }], open: 0 })
})

it('takes the answers of a bundle, by the ids of its questions', async () => {
  await ask(propose(), confirmQuestion([pair('It is 12.')]))
  for (const name of files('.txt').filter(each => each.startsWith('bundle-'))) {
    const ids = [...readFileSync(join(folder, name), 'utf8').matchAll(/^--- question (\w+)/gm)].map(([, id]) => id)
    const answers = ids.map(id => [id, { pairs: [{ pair: 'P1', verdict: 'contradicts' }] }])
    writeFileSync(join(folder, name.replace('.txt', '.answers.json')), JSON.stringify(Object.fromEntries(answers)))
  }
  expect((await ask(propose(), confirmQuestion([pair('It is 12.')]))).open).toBe(0)
})

it('keeps verdicts by pair, and asks for those alone that nobody judged', async () => {
  await ask(confirmQuestion([pair('It is 12.'), pair('It is 14.')]))
  const [name = ''] = files('.question.txt')
  const pairs = ['contradicts', 'compatible'].map((verdict, at) => ({ pair: `P${at + 1}`, verdict }))
  writeFileSync(join(folder, name.replace('.question.txt', '.json')), JSON.stringify({ pairs }))
  const turned = {
    pairs: [
      { pair: 'P1', verdict: 'compatible' },
      { pair: 'P2', verdict: 'contradicts' },
    ],
  }
  expect((await ask(confirmQuestion([pair('It is 14.'), pair('It is 12.')]))).said).toEqual([turned])
  const known = { pairs: [{ pair: 'P2', verdict: 'contradicts' }] }
  expect(await ask(confirmQuestion([pair('It is 15.'), pair('It is 12.')]))).toEqual({ said: [known], open: 1 })
  const further = files('.question.txt').filter(each => each !== name)
  expect(further.map(each => readFileSync(join(folder, each), 'utf8').match(/^P\d+$/gm))).toEqual([['P1']])
})

it('divides pairs nobody judged into questions that can be read at a time', async () => {
  const long = [1, 2, 3]
    .map(at => pair(`It is ${at}. ${'Or not. '.repeat(50)}`))
    .map(({ a, b }) => ({ a: { ...a, before: 'x'.repeat(11_000) }, b }))
  expect(await ask(confirmQuestion(long))).toEqual({ said: [null], open: 2 })
  expect(files('.txt').filter(each => each.startsWith('bundle-'))).toHaveLength(2)
})
