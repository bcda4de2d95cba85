/** A form with fields and a file, written out, so that tests decide about its order and its mistakes. */

export interface FormFile {
  bytes: Uint8Array | string
  name?: string
  type?: string
}

const boundary = 'form-boundary-7d93c1'

export const formType = { 'content-type': `multipart/form-data; boundary=${boundary}` }

export type FormPart = [name: string, value: string | FormFile]

export function formBody(parts: readonly FormPart[], { end = true }: { end?: boolean } = {}): Buffer {
  const pieces = parts.flatMap(([name, value]) => {
    const file = typeof value === 'string' ? undefined : value
    const fileName = file === undefined ? '' : `; filename="${file.name ?? 'file.bin'}"`
    const type = file?.type === undefined ? '' : `content-type: ${file.type}\r\n`
    return [
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"${fileName}\r\n${type}\r\n`),
      Buffer.from(file === undefined ? (value as string) : (file.bytes as string)),
      Buffer.from('\r\n'),
    ]
  })
  return Buffer.concat([...pieces, ...(end ? [Buffer.from(`--${boundary}--\r\n`)] : [])])
}

/** Fields first, then the file, as the contract asks for it. */
export function fileForm(fields: Record<string, string>, file: FormFile): { headers: Record<string, string>; raw: Buffer } {
  return { headers: formType, raw: formBody([...Object.entries(fields), ['file', file]]) }
}
