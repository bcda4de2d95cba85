/** The words of a scope: other ways to write a term or an entity. Documents read from now on are read with it. */

import { readTenant } from '../store/server/database.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { resolveScope } from './lifecycle.js'
import { changeScope } from './settings.js'
import type { GlossaryInput, GlossaryView } from './types.js'

export async function getGlossary(deps: ScopesDeps, name: ScopeName): Promise<GlossaryView> {
  return readTenant(deps.db, name.tenantId, async tx => {
    const { scopeId, glossary, version } = await resolveScope(tx, name.scopeId)
    return { scope_id: scopeId, terms: glossary.terms, entities: glossary.entities, version }
  })
}

/** Replaces the whole glossary. */
export async function putGlossary(deps: ScopesDeps, name: ScopeName, input: GlossaryInput): Promise<GlossaryView> {
  await changeScope(deps, name, { glossary: { terms: input.terms ?? {}, entities: input.entities ?? {} } })
  return getGlossary(deps, name)
}
