/**
 * What a scope remembers of its documents, with the document that taught each definition and entity, so that what an erased
 * document taught can be forgotten. An entry that two documents name belongs to the first.
 */

import type { ScopeMemory } from '../analysis/types.js'

export interface KeptMemory extends ScopeMemory {
  /** Document ids by definition and by key of entity. Absent from memories that are older than it. */
  taughtBy?: { definitions: Record<string, string>; entities: Record<string, string> }
}

/** `after` is `before` with what the document added. */
export function noteTeacher(before: KeptMemory, after: ScopeMemory, documentId: string): KeptMemory {
  const taughtBy = before.taughtBy ?? { definitions: {}, entities: {} }
  const known = new Set(before.entities.map(entity => entity.key))
  const terms = Object.keys(after.definitions).filter(term => !(term in before.definitions))
  const keys = after.entities.map(entity => entity.key).filter(key => !known.has(key))
  if (terms.length + keys.length === 0) return { ...after, taughtBy }
  const byDocument = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, documentId]))
  return {
    ...after,
    taughtBy: {
      definitions: { ...taughtBy.definitions, ...byDocument(terms) },
      entities: { ...taughtBy.entities, ...byDocument(keys) },
    },
  }
}

/** Without what the document taught, and without what nobody knows the teacher of. */
export function forgetDocument(memory: KeptMemory, documentId: string): KeptMemory {
  const { definitions, entities } = memory.taughtBy ?? { definitions: {}, entities: {} }
  const kept = (teachers: Record<string, string>, name: string) => Object.hasOwn(teachers, name) && teachers[name] !== documentId
  const keptOf = <T>(record: Record<string, T>, teachers: Record<string, string>) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => kept(teachers, name)))
  return {
    ...memory,
    definitions: keptOf(memory.definitions, definitions),
    entities: memory.entities.filter(entity => kept(entities, entity.key)),
    taughtBy: { definitions: keptOf(definitions, definitions), entities: keptOf(entities, entities) },
  }
}
