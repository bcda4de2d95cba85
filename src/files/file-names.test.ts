import { describe, expect, it } from 'vitest'
import { downloadName, fileName, textName } from './file-names.js'

describe('the name of a file', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['C:\\Users\\ana\\lease.docx', 'lease.docx'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['a\u2066b\u2069\u200b\u0000\n.txt', 'ab.txt'],
    ['\ud800lease.pdf', 'lease.pdf'],
    ['..', 'attachment'],
    ['mails/', 'attachment'],
    [' Größe 😀.csv ', 'Größe 😀.csv'],
    ['a'.repeat(600), 'a'.repeat(500)],
  ])('%j is kept as %j', (given, kept) => {
    expect(fileName(given, 'attachment')).toBe(kept)
  })

  it.each([
    ['lease.pdf', 'pdf', 'lease.pdf'],
    ['LEASE.PDF', 'pdf', 'LEASE.PDF'],
    ['lease.exe', 'pdf', 'lease.exe.pdf'],
    ['invoice\u202efdp.exe', 'txt', 'invoicefdp.exe.txt'],
    ['page.htm', 'html', 'page.htm'],
    ['run.html', 'txt', 'run.html.txt'],
    ['notes', 'md', 'notes.md'],
    ['../x.eml', 'eml', 'x.eml'],
  ])('%j of a file that is %s is given back as %j', (name, kind, given) => {
    expect(downloadName(name, kind)).toBe(given)
  })

  it.each([
    ['notes.md', 'notes.md'],
    ['Statement', 'Statement.txt'],
    ['run.html', 'run.html.txt'],
    ['../rent.CSV', 'rent.CSV'],
  ])('%j of a text is given back as %j', (name, given) => {
    expect(textName(name)).toBe(given)
  })
})
