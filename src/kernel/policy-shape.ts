/**
 * How deep and how long a policy may be. Cedar reads nested expressions by calling itself, and one nested a few hundred deep ends
 * its memory for the whole process: every later question of every tenant would fail. So text is counted before Cedar sees it.
 */

/** Cedar bears twice as many of the first two, and no person can answer for a policy with more. */
const policyBounds = { brackets: 40, conditionals: 100, operators: 1000 }

/** As Cedar reads them: strings run over lines, and one that is not closed to the end of the text. */
const token = /"(?:[^"\\]|\\[\s\S])*"?|\/\/[^\n]*|[([{]|[)\]}]|;|\bif\b|&&|\|\||[.+*!-]/g

/** Where a text goes beyond the bounds first. */
export function findOverlong(text: string): { offset: number; message: string } | undefined {
  let [brackets, conditionals, operators] = [0, 0, 0]
  for (const { 0: found, index: offset } of text.matchAll(token)) {
    if (found[0] === '"' || found.startsWith('//')) continue
    if (found === ';') [conditionals, operators] = [0, 0]
    // One that closes nothing must not make room for others.
    else if (/[)\]}]/.test(found)) brackets = Math.max(0, brackets - 1)
    else {
      operators++
      if (/[([{]/.test(found)) brackets++
      if (found === 'if') conditionals++
    }
    if (brackets > policyBounds.brackets) return { offset, message: `more than ${policyBounds.brackets} brackets inside one another` }
    if (conditionals > policyBounds.conditionals)
      return { offset, message: `more than ${policyBounds.conditionals} times \`if\` in one policy` }
    if (operators > policyBounds.operators)
      return { offset, message: `more than ${policyBounds.operators} operators, brackets and attributes in one policy` }
  }
  return undefined
}
