import { expect, it } from 'vitest'
import type { Logger } from '../../platform/logger.js'
import { startLeadership } from './leader.js'

it('logs ever fewer of the failures to connect', async () => {
  const logged: number[] = []
  let tellOfEighth: () => void = () => undefined
  const eighth = new Promise<void>(resolve => {
    tellOfEighth = resolve
  })
  const warn = ({ failures }: { failures: number }) => {
    logged.push(failures)
    if (logged.length === 4) tellOfEighth()
  }
  const leadership = startLeadership({
    address: { host: '127.0.0.1', port: 1, database: 'none', user: 'none', password: 'none', roleSecret: 'none' },
    limits: { connectTimeoutMs: 20_000, statementTimeoutMs: 20_000 },
    logger: { warn, debug: () => undefined } as unknown as Logger,
    lead: async () => undefined,
    everyMs: 0,
  })
  await eighth
  await leadership.stop()
  expect(logged.slice(0, 4)).toEqual([1, 2, 4, 8])
})
