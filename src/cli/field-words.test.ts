/** What people read at the desk and on the command line is said in the words of the field (`docs/glossary.md`); those of the API stay there. */

import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { problems } from '../contract/problems.js'

const apiWords = /\b(?:scopes?|claims?|rounds?|gates?|quarantined?|finality|supersed(?:ed|es)|supersessions?)\b/i
const shownBy = new Set(['label', 'aria-label', 'hint', 'title', 'what', 'question', 'placeholder'])

function filesIn(folder: string, ending: string): { name: string; text: string }[] {
  const place = new URL(`../../${folder}/`, import.meta.url)
  const names = readdirSync(place, { encoding: 'utf8', recursive: true }).filter(name => name.endsWith(ending) && !name.includes('.test.'))
  return names.map(name => ({ name, text: readFileSync(new URL(name, place), 'utf8') }))
}

/** Text between tags, strings and templates that are shown there or by a label, and what helpers are given to show. */
function shownIn(name: string, text: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node, isShown: boolean): void => {
    if (ts.isJsxText(node)) found.push(node.text)
    if (isShown && (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)))
      found.push(node.text)
    const isLabel = ts.isJsxAttribute(node) && shownBy.has(node.name.getText())
    const isChild = ts.isJsxExpression(node) && (ts.isJsxElement(node.parent) || ts.isJsxFragment(node.parent))
    // What is called or compared within is not shown.
    const isAsked = ts.isCallExpression(node) || ts.isElementAccessExpression(node) || ts.isJsxAttributes(node)
    const isCompared = ts.isBinaryExpression(node) && /^[!=]==/.test(node.operatorToken.getText())
    const within = isLabel || isChild || (isShown && !isAsked && !isCompared)
    node.forEachChild(child => visit(child, within))
  }
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX), false)
  return found
}

const apiWordsIn = (name: string, texts: readonly string[]) =>
  texts.filter(text => apiWords.test(text)).map(text => `${name}: ${text.trim()}`)

it('the desk shows none of the words of the API', () => {
  expect(apiWordsIn('x.tsx', shownIn('x.tsx', '<p title="A claim">{a === "scope" ? `the gate` : f("scope")} The finality</p>'))).toEqual([
    'x.tsx: A claim',
    'x.tsx: the gate',
    'x.tsx: The finality',
  ])
  expect(filesIn('desk', '.tsx').flatMap(({ name, text }) => apiWordsIn(name, shownIn(name, text)))).toEqual([])
  expect(filesIn('desk', '.ts').flatMap(({ name, text }) => apiWordsIn(name, saidIn(name, text)))).toEqual([])
})

/** Every text of several words, one with values in it as a whole, and the heads of tables, whose columns are functions. Commands and options apart. */
function saidIn(name: string, text: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node, isHead: boolean): void => {
    if (ts.isImportDeclaration(node)) return
    const said = ts.isTemplateExpression(node)
      ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…')
      : ts.isStringLiteralLike(node)
        ? node.text
        : ''
    if (isHead || (said.includes(' ') && !/^\s*(?:\{"|:root|[a-z-]+ <)/.test(said)))
      found.push(said.replaceAll(/<[^>]*>|`[^`]*`|--[a-z-]+|\bconcord .*/g, ' '))
    const isRow = ts.isArrayLiteralExpression(node) && node.elements.slice(1).some(ts.isArrowFunction)
    node.forEachChild(child => visit(child, isRow && child === node.elements[0]))
  }
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest), false)
  return found
}

it('the command line and its report say nothing in the words of the API, commands and options apart', () => {
  const sample = `f(\`In round \${n} of it\`, [['round', item => item], ['key', 'claims']], '--scope <case>')`
  expect(apiWordsIn('x.ts', saidIn('x.ts', sample))).toEqual(['x.ts: In round … of it', 'x.ts: round'])
  expect(filesIn('src/cli', '.ts').flatMap(({ name, text }) => apiWordsIn(name, saidIn(name, text)))).toEqual([])
})

it('agents read the words of the field, and what names of parameters and fields stand for', () => {
  const texts = filesIn('src/mcp', '.ts').flatMap(({ name, text }) => apiWordsIn(name, saidIn(name, text)))
  expect(texts).toEqual([])
})

it('titles of refusals, which people read where nothing more is known, are in the words of the field', () => {
  expect(
    apiWordsIn(
      'problems',
      Object.values(problems).map(each => each.title),
    ),
  ).toEqual([])
})

it('refusals, and what a case still needs, are said in the words of the field', () => {
  // Whole sentences, also those that go on after a value; routes, and figures that are filled in, apart.
  const sentences = (text: string) =>
    [...text.matchAll(/(?:['`"]|\} )([A-Z][^'`"\n]*\.|at least [^'`"\n]*)['`"]/g)].map(([, said = '']) => said)
  const plain = (said: string) => said.replaceAll(/\([A-Z]+ \/api[^)]*\)|\$?\{[^}]*\}/g, '…')
  const folders = ['src/scopes', 'src/http', 'src/ingest', 'src/tenancy', 'src/kernel', 'src/pipeline', 'src/hatchery']
  const said = folders.flatMap(folder => filesIn(folder, '.ts').map(({ name, text }) => ({ name, said: sentences(text).map(plain) })))
  expect(
    apiWordsIn('x.ts', sentences(`f('The scope is gone.', \`The document \${id} is a claim.\`, 'scope', \`\${n} Gates fail.\`)`)),
  ).toHaveLength(3)
  expect(said.flatMap(each => each.said).length).toBeGreaterThan(100)
  expect(said.flatMap(each => apiWordsIn(each.name, each.said))).toEqual([])
})
