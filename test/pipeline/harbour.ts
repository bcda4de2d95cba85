/** A small case with contradictions, possible conflicts and supersessions, and what was found in it. */

import type { PipelineWorld } from './support.js'

const letter = (issuer: string, date: string, ...lines: string[]) =>
  `Harbour works at Corran\nIssuer: ${issuer}\nDate: ${date}\n\n${lines.join('\n')}\n`

export const documents = {
  minutes:
    'Harbour board\nMinutes of 4 May 2022\nThe Corran pier is 212 m long. The pier was opened by Ida Voss.\nCranes at Corran in 2022: 4\n',
  survey: letter('Lund Surveyors', '2022-05-09', 'The Corran pier is 198 m long.', 'Opened by: Per Lund', 'The crane shed has 12 windows.'),
  note: letter('Port office', '2022-06-01', 'The Corran pier is 212 m long and carries two cranes.', 'Cranes at Corran in 2022: 6'),
  corrected: 'Harbour board\nCorrected minutes of 7 June 2022\nThe Corran pier is 205 m long.\n',
  ledger: letter('Port office', '2022-07-02', 'The Corran crane shed has 15 windows.', 'The depth at Corran pier in 2022 was 7.5 m.'),
  chart: letter('Lund Surveyors', '2022-07-20', 'The depth at Corran pier in 2022 was 6.1 m.', 'The Corran pier is 198 m long.'),
}

interface Found {
  what: string
  severity: string
  status: string
  a: string[]
  b: string[]
}

/** Open findings by document, place, verdict, severity and sides. */
export async function findings(world: PipelineWorld, tenantId: string): Promise<string[]> {
  const place = (claim: string) => `${claim}.document_id || ':' || ${claim}.start_at || '-' || ${claim}.end_at`
  const side = (name: string) => `(select array_agg(distinct ${place('c')} order by ${place('c')}) from contradiction_sides s
    join claims c on c.tenant_id = s.tenant_id and c.scope_no = s.scope_no and c.claim_no = s.claim_no
    where s.tenant_id = x.tenant_id and s.scope_no = x.scope_no and s.contradiction_no = x.contradiction_no and s.side = '${name}' and c.superseded_at is null)`
  const rows = await world.rows<Found>(
    `select 'contradiction' as what, x.kind || ' ' || x.severity as severity, x.status, ${side('a')} as a, ${side('b')} as b
     from contradictions x where x.tenant_id = $1 and x.status = 'open'
     union all
     select 'possible', p.kind || ' ' || p.severity, p.status, array[${place('a')}], array[${place('b')}] from possible_conflicts p
     join claims a on a.tenant_id = p.tenant_id and a.scope_no = p.scope_no and a.claim_no = p.claim_a
     join claims b on b.tenant_id = p.tenant_id and b.scope_no = p.scope_no and b.claim_no = p.claim_b
     where p.tenant_id = $1 and p.status = 'open'
     union all
     select 'supersession', p.kind, p.status, array[${place('a')}], array[${place('b')}] from supersessions p
     join claims a on a.tenant_id = p.tenant_id and a.scope_no = p.scope_no and a.claim_no = p.claim_no
     join claims b on b.tenant_id = p.tenant_id and b.scope_no = p.scope_no and b.claim_no = p.by_claim_no
     where p.tenant_id = $1 and p.status <> 'withdrawn'`,
    [tenantId],
  )
  // Which side is called a may depend on who led it before it was replaced; what stands against what does not.
  const sides = (what: string, a: string[], b: string[]) => (what === 'contradiction' ? [a, b].sort() : [a, b])
  return rows
    .map(({ what, severity, status, a, b }) => {
      const [one, other] = sides(what, a, b)
      return `${what} ${severity} ${status}: ${one?.join(' + ')} / ${other?.join(' + ')}`
    })
    .sort()
}

/** A finding as what stands against what: a document that is read again may find in two what one that comes in finds in one. */
export function pairsIn(line: string): string[] {
  const [what = '', sides = ''] = line.split(/: (.*)/)
  const [a = [], b = []] = sides.split(' / ').map(side => side.split(' + '))
  return a.flatMap(one => b.map(other => `${what}: ${[one, other].sort().join(' / ')}`))
}
