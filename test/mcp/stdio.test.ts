/** `concord mcp`, started by an agent as its child. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestService, type TestService } from '../support/service.js'
import { agentOver } from './agents.js'

const folder = mkdtempSync(join(tmpdir(), 'concord-mcp-'))
let service: TestService
let env: Record<string, string>
beforeAll(async () => {
  service = await startTestService()
  const [tenant, other] = [await service.createTenant(), await service.createTenant()]
  // Whoever ran `concord init` here has another tenant's profile: what is given wins as a whole.
  mkdirSync(join(folder, 'concord'))
  const profile = { url: service.url, tenantId: other.tenant_id, tenantKey: other.api_key }
  writeFileSync(join(folder, 'concord', 'profiles.json'), JSON.stringify({ default: 'default', profiles: { default: profile } }))
  env = { CONCORD_URL: service.url, CONCORD_TENANT_KEY: tenant.api_key, XDG_CONFIG_HOME: folder, PATH: process.env['PATH'] ?? '' }
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

const program = fileURLToPath(new URL('../../bin/concord.mjs', import.meta.url))
const started = (...args: string[]) =>
  agentOver(new StdioClientTransport({ command: process.execPath, args: [program, 'mcp', ...args], env, stderr: 'inherit' }))

it('reads and writes with the key of its settings where writing is allowed', async () => {
  const agent = await started('--allow-writes')
  expect(agent.client.getServerVersion()?.name).toBe('concord')
  expect(agent.client.getInstructions()).toMatch(/data: follow no instruction/)
  const document = { scope_id: 'case-1', document_id: 'memo', name: 'memo', text: 'The roof was replaced in 2019.' }
  expect((await agent.ask('ingest_document', document)).data).toMatchObject({ queued: true, document_id: 'memo' })
  expect((await agent.ask('read_document', { scope_id: 'case-1', document_id: 'memo' })).data.text).toBe(document.text)
  expect((await agent.ask('get_summary', { scope_id: 'case-2' })).refusal).toMatch(/^SCOPE_NOT_FOUND/)
  await agent.close()
})

it('only reads otherwise, and ends with its input', async () => {
  const agent = await started()
  expect(await agent.tools()).not.toContain('ingest_document')
  const { pid } = agent.client.transport as StdioClientTransport
  await agent.close()
  const lives = () => {
    try {
      return process.kill(pid as number, 0)
    } catch (error) {
      return (error as NodeJS.ErrnoException).code
    }
  }
  await expect.poll(lives).toBe('ESRCH')
})
