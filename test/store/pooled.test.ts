import { expect, it } from 'vitest'
import { openDatabase } from '../../src/store/server/database.js'
import { migrate } from '../../src/store/server/migrate.js'
import { cloneDatabase } from '../support/clone-database.js'
import { testLimits } from '../support/limits.js'

it('prepares nothing and asks for no settings behind a pooler, where the roles have them', async () => {
  const test = await cloneDatabase()
  const { address, logger } = test
  await migrate({ address, limits: testLimits, logger, pooled: true })
  const db = await openDatabase({ address: { ...address, pooled: true }, limits: testLimits, tenantPool: 1, enginePool: 1, logger })
  await db.engineQuery('select 1')
  const { rows } = await db.engine(
    async tx => {
      await tx.query({ prepared: true, text: 'select 1' })
      return tx.query({
        text: "select (select count(*)::int from pg_prepared_statements) as prepared, current_setting('timezone') as zone, current_setting('statement_timeout') <> '0' as limited",
      })
    },
    { indexOrder: true },
  )
  expect(rows).toEqual([{ prepared: 0, zone: 'UTC', limited: true }])
  await db.close()
  await test.close()
})
