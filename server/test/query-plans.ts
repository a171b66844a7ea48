import pg from 'pg'
import { vi } from 'vitest'

/** How a statement reads a table. `conditions` are the conditions on the index, or empty if the
 *  whole table or the whole partial index is read. */
export type Scan = {
  table: string
  type: string
  index: string | undefined
  conditions: string
  filter: string
}
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

/** Excludes queries that begin or end a transaction, because they have several statements. */
const PLANNED_STATEMENT = /^[\s(]*(select|insert|update|delete|with)\b(?!.*;\s*commit)/is

/** Makes PostgreSQL use indexes wherever it can, although the tables in tests are small. */
const PREFER_INDEXES =
  'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set jit = off'

function scansIn(node: PlanNode): Scan[] {
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
  return [...ownScans, ...(node.Plans ?? []).flatMap(scansIn)]
}

/** Records how PostgreSQL runs each statement of this process. Each statement is explained in its
 *  own transaction, with the parameters of its first run. `take` returns the statements since the
 *  last `take`. */
export function capturePlans(): { take: () => PlannedStatement[]; stop: () => void } {
  const statements: PlannedStatement[] = []
  const scansByQuery = new Map<string, Scan[]>()
  const overseers = new WeakSet<pg.Client>()
  const originalQuery = pg.Client.prototype.query as unknown as (
    this: pg.Client,
    ...args: unknown[]
  ) => Promise<pg.QueryResult>

  async function explain(client: pg.Client, text: string, values: unknown[] = []): Promise<Scan[]> {
    await originalQuery.call(client, PREFER_INDEXES)
    const { rows } = await originalQuery.call(client, `explain (format json) ${text}`, values)
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'] as [{ Plan: PlanNode }]
    return scansIn(plan)
  }

  /** On each connection, a statement waits until the previous one is explained and sent. */
  const lastSends = new WeakMap<pg.Client, Promise<unknown>>()
  function planQuery(this: pg.Client, ...args: unknown[]) {
    const { promise: ownSend, resolve: markSent } = Promise.withResolvers<void>()
    const previousSend = lastSends.get(this)
    lastSends.set(this, ownSend)
    return explainAndSend(this, args, previousSend, markSent).finally(markSent)
  }

  async function explainAndSend(
    client: pg.Client,
    args: unknown[],
    previousSend: Promise<unknown> | undefined,
    markSent: () => void,
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
    const result = originalQuery.apply(client, args)
    markSent()
    return result
  }
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(planQuery as never)
  return {
    take: () => statements.splice(0),
    stop: () => spy.mockRestore(),
  }
}
