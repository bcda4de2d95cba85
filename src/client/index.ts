/** What the package offers as `concord-server/client`. */

export type { RuntimeOperation, Target } from './admin-calls.js'
export type { Schema } from './api.js'
export type { Client, ClientOptions } from './client.js'
export { createClient } from './client.js'
export type { FollowOptions, ServiceEvent } from './follow-events.js'
export { type FileToHandIn, type HandedIn, type HandIn, handInOf, NotTakenError, sendHandIn } from './hand-in.js'
export { saysStill } from './known-document.js'
export { estimatedCharacters, estimatedTokens } from './model-estimate.js'
export type { List, Page } from './pages.js'
export { ConnectionError, type ProblemCode, ProblemError } from './problem-error.js'
export type { RetryPolicy } from './retrying-fetch.js'
export type { FileAnswer, FileFields, IngestAnswer } from './tenant-calls.js'
