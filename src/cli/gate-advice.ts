/** What opens a gate, for people at a terminal: the service names routes, the command line its own commands. */

import { withoutRoutes } from '../contract/field-words.js'
import type { Schema } from '../contract/types.js'

type Gate = Schema['ScopeSummary']['finality']['gates'][number]

export function adviceFor({ gate, how }: Gate, scopeId: string): string {
  const command = commands[gate]?.(scopeId)
  const words = withoutRoutes(how)
  return command === undefined ? words : `${words} \`concord ${command}\``
}

const commands: Record<string, (scopeId: string) => string> = {
  no_open_contradictions: scopeId => `contradictions ${scopeId}`,
  contradiction_resolution: scopeId => `contradictions ${scopeId}`,
  possible_conflicts: scopeId => `possible list ${scopeId}`,
  quiescent: scopeId => `review list ${scopeId}`,
  evidence_present: scopeId => `ingest <files> --scope ${scopeId}`,
  examined: scopeId => `sign-off ${scopeId} --reason "…"`,
  minimum_content: scopeId => `ingest <files> --scope ${scopeId}`,
}
