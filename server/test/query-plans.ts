import pg from 'pg'
import { vi } from 'vitest'

/** A table, how it is read, and the index conditions: none if all of a table or partial index is
 *  read. */
export type Scan = {
  table: string
  type: string
  index: string | undefined
  conditions: string
  filter: string
}
/** The overseer sees all dojos. */
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

/** Small tables would be read whole for hash and merge joins. Expensive plans would be compiled. */
const INDEXES_ONLY =
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

/** Explains the statements of this process in their transaction, with the parameters of their first
 *  run. Sequential scans are made so expensive that one remains only if no index fits, since test
 *  tables are small. */
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
    return scansIn(plan)
  }

  /** Per connection: the next statement waits until the last one is explained. */
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
