/** What a thread can be asked to do. */

export { place, plan, warm } from './plan-task.js'
export { read } from './read-task.js'
