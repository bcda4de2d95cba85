/**
 * The specification as a table: each operation with its method, path, credential and success status, written down
 * here by hand and not taken from the contract, so that the two can disagree.
 */

export interface SpecifiedOperation {
  method: string
  path: string
  /** none; id: X-Tenant-ID; bearer of the tier; +key: X-Tenant-API-Key beside it. */
  auth: 'none' | 'id' | 'admin' | 'admin+key' | 'internals' | 'internals+key'
  status: number
  stream?: true
  replaces?: string
}

const runtime = ['start', 'pause', 'resume', 'stop', 'restart']

export const specified: SpecifiedOperation[] = [
  { method: 'GET', path: '/api/health', auth: 'none', status: 200 },
  { method: 'POST', path: '/api/ingest', auth: 'id', status: 202 },
  { method: 'POST', path: '/api/documents', auth: 'id', status: 201 },
  { method: 'POST', path: '/api/contradictions', auth: 'id', status: 201 },
  { method: 'GET', path: '/admin/health', auth: 'admin', status: 200 },
  { method: 'GET', path: '/admin/control-plane/health', auth: 'admin', status: 200 },
  { method: 'POST', path: '/admin/tenants', auth: 'admin', status: 201 },
  { method: 'GET', path: '/admin/scopes', auth: 'admin+key', status: 200 },
  { method: 'POST', path: '/admin/scopes', auth: 'admin+key', status: 201 },
  { method: 'POST', path: '/admin/scopes/{scopeId}/documents', auth: 'admin+key', status: 201 },
  { method: 'POST', path: '/admin/scopes/{scopeId}/ingest', auth: 'admin+key', status: 200 },
  { method: 'GET', path: '/admin/scopes/{scopeId}/summary', auth: 'admin+key', status: 200 },
  { method: 'GET', path: '/admin/scopes/{scopeId}/metrics', auth: 'admin+key', status: 200 },
  { method: 'GET', path: '/admin/scopes/{scopeId}/events', auth: 'admin+key', status: 200, stream: true },
  { method: 'POST', path: '/admin/scopes/{scopeId}/reset', auth: 'admin+key', status: 200 },
  ...runtime.map(verb => ({ method: 'POST', path: `/admin/runtime/${verb}`, auth: 'admin' as const, status: 200 })),
  { method: 'GET', path: '/internals/health', auth: 'internals', status: 200 },
  { method: 'GET', path: '/internals/kernel/health', auth: 'internals', status: 200 },
  { method: 'GET', path: '/internals/kernel/hatchery/snapshot', auth: 'internals', status: 200 },
  { method: 'GET', path: '/internals/kernel/events', auth: 'internals', status: 200, stream: true },
  { method: 'GET', path: '/internals/kernel/convergence', auth: 'internals', status: 200 },
  { method: 'GET', path: '/internals/kernel/control-plane/health', auth: 'internals', status: 200 },
  ...runtime.map(verb => ({ method: 'POST', path: `/internals/kernel/runtime/${verb}`, auth: 'internals+key' as const, status: 200 })),
  { method: 'GET', path: '/internals/events', auth: 'internals', status: 200, stream: true, replaces: '/internals/kernel/events' },
  { method: 'GET', path: '/internals/convergence', auth: 'internals', status: 200, replaces: '/internals/kernel/convergence' },
  { method: 'GET', path: '/internals/hatchery/snapshot', auth: 'internals', status: 200, replaces: '/internals/kernel/hatchery/snapshot' },
  {
    method: 'GET',
    path: '/internals/control-plane/health',
    auth: 'internals',
    status: 200,
    replaces: '/internals/kernel/control-plane/health',
  },
]
