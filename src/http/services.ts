/** What routes are given: the domain behind each noun, built once in compose. */

import type { Static } from 'typebox'
import type { ModelTrial } from '../contract/model-use.js'
import type { RuntimeOperation } from '../contract/runtime-operations.js'
import type { EventStreams } from '../events/streams.js'
import type { ControlTarget } from '../hatchery/control.js'
import type { TroubleList } from '../hatchery/troubles.js'
import type { ControlResult, HatcherySnapshot, HealthReport } from '../hatchery/types.js'
import type { Ingest } from '../ingest/ingest.js'
import type { Clock } from '../platform/clock.js'
import type { Statements } from '../scopes/certificates/statements.js'
import type { ScopesDeps } from '../scopes/deps.js'
import type { DocumentWaits } from '../scopes/documents/document-waits.js'
import type { Database } from '../store/server/database.js'
import type { Directory } from '../tenancy/directory.js'
import type { KeySessions } from '../tenancy/key-sessions.js'
import type { Sessions } from '../tenancy/sessions.js'
import type { SignIn } from '../tenancy/sign-in.js'
import type { Tenants } from '../tenancy/tenants.js'
import type { TierKeys } from '../tenancy/tier-keys.js'
import type { Webhooks } from '../webhooks/endpoints.js'
import type { AgentAnswers } from './agent-answers.js'
import type { FileAnswers } from './file-answers.js'
import type { Readers } from './readers.js'
import type { SessionCookies } from './session-cookie.js'
import type { Streams } from './sse.js'

export interface Services {
  db: Database
  clock: Clock
  version: string
  bodyLimitBytes: number
  maxFileBytes: number
  scopes: ScopesDeps
  files: FileAnswers
  agents: AgentAnswers
  waits: DocumentWaits
  readers: Readers
  tenants: Tenants
  sessions: Sessions
  keySessions: KeySessions
  /** To sign in, of one address. */
  attemptsPerSecond: number
  /** Null where no issuer is set. */
  signIn: SignIn | null
  cookies: SessionCookies
  webhooks: Webhooks
  directory: Directory
  tierKeys: TierKeys
  ingest: Ingest
  events: EventStreams
  streams: Streams
  control(operation: RuntimeOperation, target: ControlTarget): Promise<ControlResult>
  snapshot(): Promise<HatcherySnapshot>
  isReady(): Promise<boolean>
  /** Every check of the control plane, or those of the kernel's feed. */
  health(part: 'control-plane' | 'kernel'): Promise<HealthReport>
  troubles(): Promise<TroubleList>
  tryModel(): Promise<Static<typeof ModelTrial>>
  metrics(): Promise<string>
  statements: Statements
  rotateSigningKey(): Promise<{ kid: string }>
}
