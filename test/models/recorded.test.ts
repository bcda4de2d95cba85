/**
 * Cases read with answers recorded once from a large language model: the questions are still those that were answered, every
 * part of the answers is verified, and what comes of it is held against gold. `npm run bench -- model` does all of them.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { askAbout } from '../../src/models/question.js'
import { type CaseFinding, type FrozenDocument, runCase } from '../support/model-case.js'
import { MissingRecording, playRecordings, writeQuestion } from '../support/recordings.js'
import { type GoldPair, scoreCorpus } from '../support/score-corpus.js'

const question = () =>
  askAbout({
    document: { name: 'a.txt', type: 'txt', issuer: null, issuedOn: null, text: 'Never asked.' },
    statements: [],
    contradictions: [],
  })

describe('recorded answers', () => {
  it.each([
    ['aircraft-return', 0.85],
    ['lease-arbitration', 0.85],
  ])('%s', { timeout: 60_000 }, (name, share) => {
    const folder = join('samples', 'recordings', name)
    const { documents: frozen } = JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8')) as { documents: FrozenDocument[] }
    const names = readdirSync(join('samples', name)).sort()
    const documents = names.map(each => ({ name: each, text: readFileSync(join('samples', name, each), 'utf8') }))
    const { result, questions, invalid } = runCase(documents, frozen, playRecordings(folder))
    const gold = JSON.parse(readFileSync(join('samples', 'gold', `${name}.json`), 'utf8')) as GoldPair[]
    const score = scoreCorpus(result, gold)
    expect(invalid).toEqual([])
    expect(result.badQuotes).toBe(0)
    expect(score.right.length / score.wanted.length).toBeGreaterThanOrEqual(share)
    expect(score.falseAlarms.length / score.consistent.length).toBeLessThanOrEqual(0.04)
    const open = result.findings.filter(each => (each as CaseFinding).isOpen)
    expect(score.unjudged.filter(each => open.includes(each)).length / open.length).toBeLessThan(0.25)
    for (const [index, { messages }] of questions.entries()) {
      const characters = messages.reduce((sum, { content }) => sum + content.length, 0) - (documents[index]?.text.length ?? 0)
      expect(characters / 4).toBeLessThan(6000)
    }
  })

  it('fail for a question nobody answered, and name it', () => {
    const play = playRecordings(join('samples', 'recordings', 'aircraft-return'))
    expect(() => play(question())).toThrow(MissingRecording)
    expect(() => play(question())).toThrow(/DOCUMENT "a\.txt"/)
  })

  it('are written as questions first', () => {
    const folder = mkdtempSync(join(tmpdir(), 'questions-'))
    const path = writeQuestion(folder, question())
    expect(readFileSync(path, 'utf8')).toContain('Never asked.')
    expect(existsSync(path.replace('.question.txt', '.json'))).toBe(false)
    rmSync(folder, { recursive: true })
  })
})
