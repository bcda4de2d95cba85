import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

const { keptFiles, mergeMarksIn } = (await import(new URL('../../scripts/kept-files.mjs', import.meta.url).href)) as {
  keptFiles: (root: string) => string[]
  mergeMarksIn: (root: string) => string[]
}

describe('the files that are kept', () => {
  it('are those that .gitignore does not name, and hold no mark of an unfinished merge', () => {
    const root = mkdtempSync(join(tmpdir(), 'concord-kept-'))
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    for (const folder of ['docs', 'dist', 'src']) mkdirSync(join(root, folder))
    const both = 'One\n<<<<<<< HEAD\nTwo\n=======\nThree\n>>>>>>> theirs\n'
    const files = { '.gitignore': 'dist/\n*.log\nsrc/made.ts\n', 'docs/a.md': both, 'dist/a.md': both, 'x.log': both, 'src/made.ts': both }
    for (const [path, text] of Object.entries({ ...files, 'docs/b.md': 'Title\n=======\n' })) writeFileSync(join(root, path), text)
    expect(keptFiles(root).sort()).toEqual(['.gitignore', 'docs/a.md', 'docs/b.md'])
    expect(mergeMarksIn(root)).toEqual(['docs/a.md:2', 'docs/a.md:6'])
  })
})
