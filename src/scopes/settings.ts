/**
 * What can be set on a scope: name, mode, settings, glossary, its own policies. A change of anything but the name is a
 * round: policy decides on it, and convergence starts a new segment.
 */

import { digest } from '../kernel/canonical.js'
import type { PolicySet } from '../kernel/proposals.js'
import { effectiveSettings, parseSettings } from '../kernel/settings.js'
import { AppError } from '../platform/errors.js'
import { appendEvents } from '../store/events/events.js'
import { readExamination } from '../store/scopes/examination.js'
import { type ScopeChange, type ScopeRef, updateScope } from '../store/scopes/scopes.js'
import type { TenantTransaction } from '../store/server/database.js'
import { assignPolicySet, effectivePolicy, keepPolicySet } from '../store/tenants/policies.js'
import { commitAct, concludeAct, loadStored, refusedByPolicy } from './act.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { lockScope } from './idempotent.js'
import { getScope } from './lifecycle.js'
import { shipped } from './policy-sets.js'
import type { PatchScopeInput, ScopeDetail, ScopeMode } from './types.js'

export async function patchScope(deps: ScopesDeps, name: ScopeName, input: PatchScopeInput): Promise<ScopeDetail> {
  await changeScope(deps, name, { displayName: input.display_name, mode: input.mode, settings: input.settings })
  return getScope(deps, name)
}

/** What is to change, laid over whatever is set at the moment it happens; a held change is recorded with it. */
export interface ScopePatch {
  displayName?: string | null | undefined
  mode?: ScopeMode | undefined
  /** A merge patch. */
  settings?: Record<string, unknown> | undefined
  glossary?: ScopeRef['glossary'] | undefined
}

export interface ScopeChanges extends ScopePatch {
  policySet?: PolicySet | undefined
}

/** True when anything changed. What policy does not admit is recorded and refused. */
export async function changeScope(deps: ScopesDeps, name: ScopeName, changes: ScopeChanges): Promise<boolean> {
  return commitAct(deps, name.tenantId, async tx => applyChanges(deps, tx, await lockScope(tx, name.scopeId), changes))
}

async function applyChanges(deps: ScopesDeps, tx: TenantTransaction, scope: ScopeRef, changes: ScopeChanges): Promise<boolean | AppError> {
  const { policySet, ...patch } = changes
  const wanted = layOver(scope, patch)
  const errors = faultsOf(patch, wanted)
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { detail: `${errors[0]?.pointer}: ${errors[0]?.detail}`, errors })
  const assigned = await effectivePolicy(tx, scope)
  const inForce = assigned?.hash ?? shipped.hash
  const policyHash = { from: inForce, to: policySet?.hash ?? inForce }
  const settingsDigest = { from: digest(effectiveSettings(scope.settings)), to: digest(effectiveSettings(wanted.settings)) }
  const glossaryDigest = { from: digest(scope.glossary), to: digest(wanted.glossary) }
  const moved = [policyHash, settingsDigest, glossaryDigest].some(({ from, to }) => from !== to) || wanted.mode !== scope.mode
  if (moved) {
    const { result, decisionId } = await concludeAct(deps, tx, await loadStored(tx, scope.scopeNo), {
      input: {
        kind: 'settings',
        actor: { kind: 'admin', id: 'admin' },
        mode: wanted.mode,
        settings: effectiveSettings(wanted.settings),
        settingsDigest,
        policyHash,
        glossaryDigest,
        // A set of the tenant or of the service may keep cases from having sets of their own: whoever lifts that does it there.
        ...(policySet !== undefined && assigned?.level === 'scope' && { replaces: true as const }),
        unexamined: await newlyUnexamined(tx, scope, wanted),
      },
      detail: { proposed: { ...wanted, policyHash: policySet?.hash ?? null }, patch },
    })
    if (policySet !== undefined) await keepPolicySet(tx, policySet)
    if (!result.applied) return refusedByPolicy(result, decisionId)
  }
  if (policySet !== undefined && moved) await assignPolicySet(tx, scope.scopeNo, policySet.hash)
  if (!moved && wanted.displayName === scope.displayName) return false
  await updateScope(tx, scope.scopeNo, wanted)
  if (!moved) {
    await appendEvents(tx, scope, [{ type: 'scope.changed', data: { scope_id: scope.scopeId, display_name: wanted.displayName } }])
  }
  return true
}

/** Documents nobody has examined, which count from now on where a model is asked for that was not before. */
export async function newlyUnexamined(tx: TenantTransaction, scope: ScopeRef, wanted: Pick<ScopeChange, 'settings'>): Promise<number> {
  const asks = ({ settings }: Pick<ScopeChange, 'settings'>) => effectiveSettings(settings).finality.examination === 'model'
  return asks(wanted) && !asks(scope) ? (await readExamination(tx, scope, { asked: 'model' })).unexamined : 0
}

function layOver(scope: ScopeRef, patch: ScopePatch): ScopeChange {
  return {
    displayName: patch.displayName === undefined ? scope.displayName : patch.displayName,
    mode: patch.mode ?? scope.mode,
    settings: patch.settings === undefined ? scope.settings : merge(scope.settings, patch.settings),
    glossary: patch.glossary ?? scope.glossary,
  }
}

function faultsOf(patch: ScopePatch, wanted: ScopeChange): { pointer: string; detail: string }[] {
  const parsed = patch.settings === undefined ? null : parseSettings(wanted.settings)
  return parsed === null || parsed.ok ? [] : parsed.errors.map(({ pointer, detail }) => ({ pointer: `/settings${pointer}`, detail }))
}

/** What a held change of settings would put in place, as it was recorded. */
export interface ProposedSettings extends ScopeChange {
  policyHash: string | null
}

/** A held change once it is approved: what else was changed since stays. */
export function proposedNow(scope: ScopeRef, proposed: ProposedSettings, patch: ScopePatch): ProposedSettings {
  const wanted = layOver(scope, patch)
  const [fault] = faultsOf(patch, wanted)
  if (fault === undefined) return { ...wanted, policyHash: proposed.policyHash }
  throw new AppError('STATE_CONFLICT', { detail: `It does not fit what was set since: ${fault.pointer}: ${fault.detail}.` })
}

export async function putProposed(tx: TenantTransaction, scopeNo: number, proposed: ProposedSettings): Promise<void> {
  if (proposed.policyHash !== null) await assignPolicySet(tx, scopeNo, proposed.policyHash)
  await updateScope(tx, scopeNo, proposed)
}

/** A JSON merge patch (RFC 7396). */
function merge(base: Record<string, unknown>, patch: Record<string, unknown>): Record<string, unknown> {
  const result = { ...base }
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else result[key] = isObject(value) ? merge(isObject(result[key]) ? result[key] : {}, value) : value
  }
  return result
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
