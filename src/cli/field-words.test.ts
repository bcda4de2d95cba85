/** What people read at the desk and on the command line is said in the words of the field (`docs/glossary.md`); those of the API stay there. */

import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, it } from 'vitest'

const apiWords = /\b(?:scopes?|claims?|gates?|quarantined?|finality|supersed(?:ed|es)|supersessions?)\b/i
const shownBy = new Set(['label', 'aria-label', 'hint', 'title', 'what', 'question', 'placeholder'])

function filesIn(folder: string, ending: string): { name: string; text: string }[] {
  const place = new URL(`../../${folder}/`, import.meta.url)
  const names = readdirSync(place, { encoding: 'utf8' }).filter(name => name.endsWith(ending) && !name.includes('.test.'))
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
})

it('the help of the command line has none of the words of the API, commands and options apart', () => {
  const faults = filesIn('src/cli', '.ts').flatMap(({ name, text }) => {
    const said = [...text.matchAll(/\.(?:description|option|requiredOption)\((?:'-[^']*',\s*)?'((?:[^'\\]|\\.)*)'/g)]
    return apiWordsIn(
      name,
      said.map(([, words = '']) => words.replaceAll(/`[^`]*`|--[a-z-]+/g, '')),
    )
  })
  expect(faults).toEqual([])
})
