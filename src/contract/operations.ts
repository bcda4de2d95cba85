/** All operations of the API, by their id. */

import { adminOperations } from './admin-operations.js'
import { internalsOperations } from './internals-operations.js'
import type { Operation } from './operation.js'
import { publicOperations } from './public-operations.js'

export const operations: Record<string, Operation> = { ...publicOperations, ...adminOperations, ...internalsOperations }
