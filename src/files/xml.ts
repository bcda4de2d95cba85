/** Events of an XML text. Entities of a document type are not expanded and nothing outside the text is read. */

import { Parser } from 'htmlparser2'

/** Of an office file, wherever they were unpacked: the browser that shows the file runs what reads them too. */
export interface Parts {
  /** Null when there is no such part. */
  read(name: string): string | null
}

export interface XmlEvents {
  open?(name: string, attributes: Record<string, string>): void
  close?(name: string): void
  text?(text: string): void
}

/** Names come without their prefix: which prefix stands for which vocabulary differs between programs. */
export function parseXml(xml: string, { open, close, text }: XmlEvents): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open?.(local(name), attributes),
      onclosetag: name => close?.(local(name)),
      ontext: piece => text?.(piece),
    },
    { xmlMode: true, decodeEntities: true, recognizeSelfClosing: true },
  )
  parser.write(xml)
  parser.end()
}

/** An attribute by its name without prefix. */
export function attribute(attributes: Record<string, string>, name: string): string | undefined {
  if (attributes[name] !== undefined) return attributes[name]
  const key = Object.keys(attributes).find(each => each.endsWith(`:${name}`))
  return key === undefined ? undefined : attributes[key]
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
