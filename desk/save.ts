/** Hands something to the browser to keep as a file. */

import type { Schema } from '../src/contract/types.js'
import { downloadName } from '../src/files/file-names.js'

export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: url, download: name.replaceAll(/[\\/:]/g, '-') }).click()
  URL.revokeObjectURL(url)
}

/** The name to keep an original under, as the service has it: what it ends in is what it is. Its sender may have called a text `run.bat`. */
export function nameOfOriginal({ name, document_id: id, type }: Pick<Schema['Document'], 'name' | 'document_id' | 'type'>): string {
  return downloadName(name ?? id, type)
}
