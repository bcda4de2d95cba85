import { expect, it } from 'vitest'
import { nameOfOriginal } from './save'

it.each([
  ['run.bat', 'txt', 'run.bat.txt'],
  ['invoice\u202efdp.exe', 'pdf', 'invoicefdp.exe.pdf'],
  ['papers/lease.pdf', 'pdf', 'lease.pdf'],
  ['notes.txt', 'txt', 'notes.txt'],
  ['LEASE.PDF', 'pdf', 'LEASE.PDF'],
  ['site.jpg', 'jpeg', 'site.jpg'],
  ['server.log', 'txt', 'server.log'],
  [null, 'docx', 'file-1.docx'],
])('an original called %j of kind %s is kept as %s', (name, type, kept) => {
  expect(nameOfOriginal({ name, document_id: 'file-1', type })).toBe(kept)
})
