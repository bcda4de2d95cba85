/** Which part of an office file leads to which others. Relations to something outside the file are not followed. */

import { type Parts, parseXml } from './xml.js'

/** By their id, with the last word of their type. */
export type Relations = ReadonlyMap<string, { target: string; type: string }>

export function relationsOf(parts: Parts, part: string): Relations {
  const folder = part.slice(0, part.lastIndexOf('/'))
  const relations = new Map<string, { target: string; type: string }>()
  parseXml(parts.read(`${folder}/_rels/${part.slice(folder.length + 1)}.rels`) ?? '', {
    open(name, attributes) {
      if (name !== 'Relationship' || attributes['TargetMode'] === 'External') return
      const type = (attributes['Type'] ?? '').replace(/^.*\//, '')
      relations.set(attributes['Id'] ?? '', { target: resolved(folder, attributes['Target'] ?? ''), type })
    },
  })
  return relations
}

function resolved(folder: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1)
  const path = folder.split('/')
  for (const step of target.split('/')) {
    if (step === '..') path.pop()
    else if (step !== '.') path.push(step)
  }
  return path.join('/')
}
