/**
 * Faults that were mended once, and the change to the code that brings each of them back. `npm run prove` makes each change
 * in a copy of the project and sees the named test fail; the everyday test sees that each change can still be made, so that
 * the list does not go stale. Faults that a test can bring back without changing code are in `test/support/sabotaged-database.ts`.
 */

export interface Mend {
  fault: string
  file: string
  /** What stands there once, and what stood there before. */
  changes: readonly (readonly [now: string, before: string])[]
  test: string
  /** Part of the test's name. */
  name: string
}

export const mends: readonly Mend[] = [
  {
    fault: 'tenants that may not run are listed before it is asked whether they may',
    file: 'src/store/leases/leases.ts',
    changes: [
      ['where u.due_at <= clock_timestamp() and not u.halted', 'where true'],
      ['look === mostLooks', 'look === 1'],
    ],
    test: 'test/pipeline/scheduling.test.ts',
    name: 'tenants that may not run keep no other from its turn',
  },
  {
    fault: 'tenants whose scopes all rest fill the list of candidates',
    file: 'src/store/leases/leases.ts',
    changes: [['u.tenant_id not in (select unnest($3::text[])) or', 'cardinality($3::text[]) >= 0 or']],
    test: 'test/pipeline/scheduling.test.ts',
    name: 'tenants whose scopes are all avoided keep no other from its turn',
  },
  {
    fault: 'a file begins because it was allowed to when it joined the line',
    file: 'src/pipeline/file-turns.ts',
    changes: [['return (await mayBegin()) ? await work() : null', 'return await work()']],
    test: 'src/pipeline/file-turns.test.ts',
    name: 'do not begin where they no longer may when their turn comes',
  },
  {
    fault: 'texts of files are kept beyond the limit of their tenant',
    file: 'src/pipeline/file-text.ts',
    changes: [['bytes: Buffer.byteLength(text.text), scopes: 0', 'bytes: 0, scopes: 0']],
    test: 'test/files/pipeline.test.ts',
    name: 'is quarantined where the limit of its tenant leaves no room for its text',
  },
  {
    fault: 'a worker that waits for the model or in the line of files is taken for stuck',
    file: 'src/pipeline/worker.ts',
    changes: [
      ['      this.counts.looks++\n', ''],
      ['      this.waits.count++\n', ''],
    ],
    test: 'test/pipeline/model-hang.test.ts',
    name: 'a worker that waits for the model gives signs of life',
  },
  {
    fault: 'a worker that waits for a thread or for storage is taken for stuck',
    file: 'src/pipeline/worker.ts',
    changes: [['    if (this.waits.count > 0) this.counts.looks++\n', '']],
    test: 'test/pipeline/signs-of-life.test.ts',
    name: 'gives signs of life',
  },
  {
    fault: 'a worker that reads a scan is given up before the time of the scan is over',
    file: 'src/workers.ts',
    changes: [['Math.max(300_000, scanTimeoutMs(config)) + 60_000', 'Math.max(300_000, 4 * config.documentTimeoutMs)']],
    test: 'src/workers.test.ts',
    name: 'a worker that reads a scan is not given up before the scan is',
  },
  {
    fault: 'a file whose rest cannot be had keeps the extractor until its deadline',
    file: 'src/files/extractor.ts',
    changes: [['    if (error instanceof InputFailure && killedFor === null) throw error.cause\n', '']],
    test: 'test/files/child-death.test.ts',
    name: 'is ended at once when the rest of a file cannot be had',
  },
  {
    fault: 'a document that will not be read again is given up once more when the answer was lost',
    file: 'src/store/documents/quarantine.ts',
    changes: [['last.filter(({ seq }) => dropped.has(seq))', 'last.filter(({ seq }) => dropped.has(seq) || true)']],
    test: 'test/pipeline/reread.test.ts',
    name: 'a document is given up once, although the answer to the commit that did so was lost',
  },
  {
    fault: 'a scope is certified while a new revision waits in the place of the one that is finished',
    file: 'src/pipeline/commit.ts',
    changes: [['    await requireNothingWaits(tx, after)\n', '']],
    test: 'test/pipeline/exactly-once.test.ts',
    name: 'no certificate is signed beside a revision that came while the one before it was being read',
  },
  {
    fault: 'a scope waits for ever for a document in quarantine',
    file: 'src/store/documents/quarantine.ts',
    changes: [['return [...givenUp, ...quarantined]', 'return givenUp']],
    test: 'test/pipeline/failures.test.ts',
    name: 'a scope is settled when the last document that waited ends in quarantine',
  },
  {
    fault: 'a step of a migration waits for a table, and everybody behind it',
    file: 'src/store/server/migration-steps.ts',
    changes: [['isConcurrent(text) ? run()', 'text !== null ? run()']],
    test: 'test/store/migrate.test.ts',
    name: 'makes way in every step of a migration in steps, and goes on with that step',
  },
  {
    fault: 'a made-up cursor hands the database a number that its column cannot hold',
    file: 'src/scopes/cursors.ts',
    changes: [['Math.abs(part as number) < 2 ** 31', 'Number.isSafeInteger(part)']],
    test: 'test/scopes/made-up-cursors.test.ts',
    name: 'are refused, or lead to a page',
  },
  {
    fault: 'an event whose time is ahead keeps everything behind it from being removed',
    file: 'src/store/maintenance/events-retention.ts',
    changes: [["now() + interval '1 day'", "'infinity'::timestamptz"]],
    test: 'test/events/retention.test.ts',
    name: 'goes by the events around one whose time is ahead',
  },
  {
    fault: 'a file of a tenant brings events that are yet to happen',
    file: 'src/store/maintenance/tenant-import.ts',
    changes: [["'least(r.time, now())'", "'r.time'"]],
    test: 'test/cli/tenant-moves.test.ts',
    name: 'brings no time that is still to come',
  },
  {
    fault: 'a model is waited for five minutes at most, however long is set',
    file: 'src/models/fetch-without-limit.ts',
    changes: [['{ headersTimeout: 0, bodyTimeout: 0 }', '{ headersTimeout: 1, bodyTimeout: 1 }']],
    test: 'test/models/servers.test.ts',
    name: 'waits for an answer as long as it is set to, however long Node waits',
  },
  {
    fault: 'an answer is counted only with the document it is about',
    file: 'src/pipeline/model-stage.ts',
    changes: [['    await count(deps, input, asked.usage)\n', '']],
    test: 'test/pipeline/model-bounds.test.ts',
    name: 'an answer counts although its document went back with the lease',
  },
  {
    fault: 'a lease keeps the locks of scopes it passed over',
    file: 'migrations/0024_rereading.sql',
    changes: [['perform pg_advisory_xact_lock(of_scope);', 'perform pg_advisory_lock(of_scope);']],
    test: 'test/pipeline/scheduling.test.ts',
    name: 'a lease waits for no scope while it holds the lock of another',
  },
  {
    fault: 'an older revision that is tried again wins over the current one',
    file: 'src/pipeline/batch-plan.ts',
    changes: [
      ['reads: still.flatMap(each => (each.stale ? [] : [each.read])),', 'reads: still.map(each => each.read),'],
      ['stale: still.flatMap(each => (each.stale ? [each.read] : [])),', 'stale: [],'],
    ],
    test: 'test/pipeline/revisions.test.ts',
    name: 'an older revision that is tried again after a newer one was read changes nothing',
  },
  {
    fault: 'a handle of a transaction works after its end',
    file: 'src/store/server/database.ts',
    changes: [["    invariant(!closed, 'a statement was started after the end of its transaction')\n", '']],
    test: 'test/store/database.test.ts',
    name: 'refuses a statement of a transaction that has ended, well or not',
  },
  {
    fault: 'a consequence of the failure is taken for the failure',
    file: 'src/store/server/database.ts',
    changes: [['throw isConsequence(error) ? first.error : error', 'throw error']],
    test: 'test/store/database.test.ts',
    name: 'fails every statement behind a failed one with the error of that one',
  },
  {
    fault: 'a statement that takes too long is repeated without end',
    file: 'src/store/server/failures.ts',
    changes: [["new Set(['57014', '53200', '53400'])", "new Set(['53200', '53400'])"]],
    test: 'test/pipeline/storage-errors.test.ts',
    name: 'a document the storage never gets through with costs its attempts',
  },
  {
    fault: 'erasing leaves the words of claims',
    file: 'src/store/maintenance/erasure.ts',
    changes: [['  eraseClaims,\n', '']],
    test: 'test/scopes/erasure.test.ts',
    name: 'leaves no word of a document that was read',
  },
  {
    fault: 'erasing leaves what was said about reported contradictions',
    file: 'src/store/maintenance/erasure.ts',
    changes: [['x.contradiction_id as finding_id from contradictions x', "'' as finding_id from contradictions x"]],
    test: 'test/scopes/erasure.test.ts',
    name: 'leaves no word of a document that was read',
  },
  {
    fault: 'a reset leaves what people wrote in events of before it',
    file: 'src/store/scopes/reset-removal.ts',
    changes: [['(await blankEvents(db, scope, budget)) && ', '']],
    test: 'test/scopes/reset.test.ts',
    name: 'takes what people wrote in events and kept answers along',
  },
  {
    fault: 'readers of the kernel stream get erased words from memory',
    file: 'src/events/kernel-tail.ts',
    changes: [['        if (erasing.has(event.type)) this.blank(event)\n', '']],
    test: 'src/events/kernel-tail.test.ts',
    name: 'so that erased words are not read from it',
  },
  {
    fault: 'places in the log are transaction ids of the cluster alone',
    file: 'src/store/events/log-base.ts',
    changes: [['if (cluster === undefined || newest < cluster.xmax + cluster.base) return', 'if (cluster !== undefined) return']],
    test: 'test/cli/backup-rows.test.ts',
    name: 'goes on with the log where it ended',
  },
  {
    fault: 'every attempt with a well-formed key is a query',
    file: 'src/http/gate.ts',
    changes: [["failures.left(networkOf(request.ip), authFailuresPerSecond) > 0 ? 'all' : 'known'", "'all'"]],
    test: 'src/http/gate.test.ts',
    name: 'costs no query any more once an address has failed too often',
  },
  {
    fault: 'a scope is made for a tenant that was deleted while its file came',
    file: 'src/scopes/lifecycle.ts',
    changes: [['if (!(await holdOffRemoval(tx)))', 'if (!((await holdOffRemoval(tx)) || true))']],
    test: 'test/files/upload.test.ts',
    name: 'is given back when the tenant is deleted before the file has come, and nothing is made for it',
  },
  {
    fault: 'a tenant is removed while somebody writes to its scopes',
    file: 'src/store/scopes/reset-removal.ts',
    changes: [['      await lockScopes(tx, scopeNos)\n', '']],
    test: 'test/scopes/reset.test.ts',
    name: 'waits for a commit under way, so that nothing is written behind the removal',
  },
  {
    fault: 'threads go to whoever asked first',
    file: 'src/pipeline/fair-turns.ts',
    changes: [['return Math.max(virtualMs, this.clockMs) + (running * runningMs) / account.weight', 'return 0 * virtualMs * running']],
    test: 'src/pipeline/fair-turns.test.ts',
    name: 'go to another tenant before the second',
  },
  {
    fault: 'bytes of arriving bodies are bounded by nobody',
    file: 'src/http/requests-in-progress.ts',
    changes: [['const bodies = createShares(config.bodyTotalBytes)', 'const bodies = createShares(Number.MAX_SAFE_INTEGER)']],
    test: 'test/http/bodies.test.ts',
    name: 'of one tenant fill its share and are refused early',
  },
  {
    fault: 'keys are forgotten by the clock of the node',
    file: 'src/store/maintenance/events-retention.ts',
    changes: [
      [
        "select ctid from idempotency_keys where created_at < now() - $1::integer * interval '1 hour' limit $2))`,\n    [hours, limit],",
        'select ctid from idempotency_keys where created_at < to_timestamp($1::float8) limit $2))`,\n    [Date.now() / 1000 - hours * 3600, limit],',
      ],
    ],
    test: 'test/events/retention.test.ts',
    name: 'goes by the clock of the database',
  },
  {
    fault: 'streams are nobody’s in particular',
    file: 'src/http/readers.ts',
    changes: [['holderOf(caller), 1', '{ tenant: String(shares.used()), key: String(shares.used()) }, 1']],
    test: 'test/http/readers.test.ts',
    name: 'is told 429, and others, operators and ingest go on',
  },
  {
    fault: 'a certificate of a reopened case is called valid',
    file: 'src/cli/certificate-standing.ts',
    changes: [['return `superseded by new evidence on', 'return `valid']],
    test: 'test/cli/commands.test.ts',
    name: 'hands in a folder, finds contradictions, decides, and verifies the certificate',
  },
  {
    fault: 'of two Host headers one is taken',
    file: 'src/http/request-shape.ts',
    changes: [["  'host',\n  'authorization',", "  'authorization',"]],
    test: 'test/http/bad-input.test.ts',
    name: 'get the shape of every problem and no second answer',
  },
  {
    fault: 'two idempotency keys of other bytes become one',
    file: 'src/http/idempotency.ts',
    changes: [['!/^[ -~]*$/.test(inHeader)', 'inHeader.length > 1000']],
    test: 'test/http/bad-input.test.ts',
    name: 'with bytes outside ASCII in Idempotency-Key are refused',
  },
  {
    fault: 'an undefined idempotency key of a document replaces the one that was made for it',
    file: 'src/client/tenant-calls.ts',
    changes: [['document.idempotency_key ??', "'idempotency_key' in document ? document.idempotency_key :"]],
    test: 'test/client/client.test.ts',
    name: 'repeats nothing of a batch either, also where a document carries an undefined key',
  },
  {
    fault: 'a request whose key was used before leaves an empty scope behind',
    file: 'src/scopes/lifecycle.ts',
    changes: [['if (use !== null) await findIdempotent(tx, use)', '']],
    test: 'test/tenancy/quotas.test.ts',
    name: 'makes no scope',
  },
  {
    fault: 'a text that is over a limit leaves an empty scope behind',
    file: 'migrations/0047_refusals_make_no_scope.sql',
    changes: [["a.outcome in ('queued', 'scope')", "a.outcome = 'queued'"]],
    test: 'test/tenancy/quotas.test.ts',
    name: 'makes no scope',
  },
  {
    fault: 'the command that reads scans sees the keys of the service',
    file: 'src/files/ocr.ts',
    changes: [['{ shell: true, env, stdio', '{ shell: true, stdio']],
    test: 'test/files/child-death.test.ts',
    name: 'sees what it needs of the environment and none of the secrets',
  },
]
