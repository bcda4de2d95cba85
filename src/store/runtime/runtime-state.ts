/** What an operator lets a level do. */
export type RuntimeState = 'running' | 'paused' | 'stopped'
