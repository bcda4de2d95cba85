/** Tokens a tenant has spent at the model since the day began, in UTC. One row a tenant, which begins anew with every day. */

import type { EngineTransaction, TenantTransaction } from '../server/database.js'

const today = `(clock_timestamp() at time zone 'utc')::date`

/** And how long the day still is. */
export async function tokensToday(tx: TenantTransaction): Promise<{ tokens: number; msLeft: number }> {
  return tx.one<{ tokens: number; msLeft: number }>(
    `select coalesce((select tokens from model_usage where tenant_id = $1 and day = ${today}), 0) as tokens,
       ceil(1000 * extract(epoch from (${today} + 1) - clock_timestamp() at time zone 'utc'))::float8 as "msLeft"`,
    [tx.tenantId],
  )
}

/** A tenant that was removed meanwhile leaves no row behind. */
export async function addTokens(tx: TenantTransaction, tokens: number): Promise<void> {
  await tx.run(
    `insert into model_usage as u (tenant_id, day, tokens)
      select t.tenant_id, ${today}, $2::bigint from tenants t where t.tenant_id = $1 and t.deleted_at is null
      on conflict (tenant_id) do update set day = excluded.day,
        tokens = excluded.tokens + case when u.day = excluded.day then u.tokens else 0 end
      where u.day <= excluded.day`,
    [tx.tenantId, tokens],
  )
}

/** Of all tenants, and how many of them spent some. */
export async function readTokensOfAll(tx: EngineTransaction): Promise<{ tokens_today: number; tenants: number }> {
  return tx.one<{ tokens_today: number; tenants: number }>(
    `select coalesce(sum(tokens), 0)::float8 as tokens_today, count(*) filter (where tokens > 0) as tenants from model_usage where day = ${today}`,
    [],
  )
}
