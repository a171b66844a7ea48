import pg from 'pg'
import { vi } from 'vitest'

/** A table that a statement reads, how, and by which conditions of an index: none where it reads all of the table, or of a partial index. */
export type Scan = {
  table: string
  type: string
  index: string | undefined
  conditions: string
  filter: string
}
/** A statement that the server has run, whether as the overseer, who sees all dojos, and what it reads. */
export type PlannedStatement = { text: string; isOverseer: boolean; scans: Scan[] }

type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  Filter?: string
  Plans?: PlanNode[]
}

/** Not what begins or ends a transaction, which is several statements at once. */
const PLANNED_STATEMENT = /^[\s(]*(select|insert|update|delete|with)\b(?!.*;\s*commit)/is

/** A join by hash or by merging reads whole tables where they are as small as a test's. What then costs as much as can be would be compiled. */
const INDEXES_ONLY =
  'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set jit = off'

function scansOf(node: PlanNode): Scan[] {
  const table = node['Relation Name']
  const isScan = table !== undefined && node['Node Type'] !== 'ModifyTable'
  const ownScans = isScan
    ? [
        {
          table,
          type: node['Node Type'],
          index: node['Index Name'] ?? node.Plans?.[0]?.['Index Name'],
          conditions: node['Index Cond'] ?? node['Recheck Cond'] ?? '',
          filter: node.Filter ?? '',
        },
      ]
    : []
  return [...ownScans, ...(node.Plans ?? []).flatMap(scansOf)]
}

/**
 * Explains the statements that servers of this process run, in the transaction and with the parameters of their first run. Sequential scans
 * are made so expensive that one remains only where no index will do: tables of a test are too small for PostgreSQL to use any otherwise.
 * `take` returns what was run since it was last called.
 */
export function capturePlans(): { take: () => PlannedStatement[]; stop: () => void } {
  const statements: PlannedStatement[] = []
  const scansByQuery = new Map<string, Scan[]>()
  const overseers = new WeakSet<pg.Client>()
  const original = pg.Client.prototype.query as unknown as (
    this: pg.Client,
    ...args: unknown[]
  ) => Promise<pg.QueryResult>

  async function explain(client: pg.Client, text: string, values: unknown[] = []): Promise<Scan[]> {
    await original.call(client, INDEXES_ONLY)
    const { rows } = await original.call(client, `explain (format json) ${text}`, values)
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'] as [{ Plan: PlanNode }]
    return scansOf(plan)
  }

  /** Of each connection what was asked last: the next waits until that is explained, and sent. */
  const sending = new WeakMap<pg.Client, Promise<unknown>>()
  function planQuery(this: pg.Client, ...args: unknown[]) {
    const { promise: ownSend, resolve: hasSent } = Promise.withResolvers<void>()
    const previousSend = sending.get(this)
    sending.set(this, ownSend)
    return explainAndSend(this, args, previousSend, hasSent).finally(hasSent)
  }

  async function explainAndSend(
    client: pg.Client,
    args: unknown[],
    previousSend: Promise<unknown> | undefined,
    hasSent: () => void,
  ) {
    await previousSend
    const [query, parameters] = args as [
      string | { text: string; values?: unknown[] },
      unknown[] | undefined,
    ]
    const { text, values = parameters } =
      typeof query === 'string' ? { text: query, values: parameters } : query
    if (/\bset local role tatami_overseer/.test(text)) overseers.add(client)
    else if (/\bset local role tatami_app/.test(text)) overseers.delete(client)
    if (PLANNED_STATEMENT.test(text)) {
      const isOverseer = overseers.has(client)
      const key = `${isOverseer} ${text}`
      const scans = scansByQuery.get(key) ?? (await explain(client, text, values))
      scansByQuery.set(key, scans)
      statements.push({ text, isOverseer, scans })
    }
    const answer = original.apply(client, args)
    hasSent()
    return answer
  }
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(planQuery as never)
  return {
    take: () => statements.splice(0),
    stop: () => spy.mockRestore(),
  }
}
