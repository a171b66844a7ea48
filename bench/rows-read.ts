/** How many rows of tables a call makes PostgreSQL read, by the plans that it writes to its log itself (auto_explain). A plan that reads too
 *  much shows here however small the dojos are, and whatever else the machine does. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** As often a prepared statement is planned anew, before one plan may be kept. */
const PLANNED_ANEW = 5,
  ASKED = 3
/** What is logged arrives by way of another process. */
const LOGGED_WITHIN_MS = 60

async function set(superuserUrl: string, settings: Record<string, string>): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  for (const [name, value] of Object.entries(settings))
    await client.query(`alter system set ${name} = '${value}'`)
  await client.query('select pg_reload_conf()')
  await client.end()
}

/** For connections that begin from now on: `logPlans` can then begin at any time. */
export const loadPlanLog = (superuserUrl: string) =>
  set(superuserUrl, { session_preload_libraries: 'auto_explain' })

export const logPlans = (superuserUrl: string) =>
  set(superuserUrl, {
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
  })

type PlanNode = {
  'Relation Name'?: string
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

function rowsIn(node: PlanNode): number {
  const isRead = node['Relation Name'] !== undefined && node['Node Type'] !== 'ModifyTable'
  const each =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)
  const below = (node.Plans ?? []).reduce((sum, one) => sum + rowsIn(one), 0)
  return below + (isRead ? Math.round(each * node['Actual Loops']) : 0)
}

const PLAN = /plan:\n\t(\{[\s\S]*?\n\t\})/g

/** Of a new folder: one file, unless midnight comes between. */
function logOf(dataDir: string): Buffer {
  const folder = join(dataDir, 'postgres-log')
  return Buffer.concat(
    readdirSync(folder)
      .filter((name) => name.startsWith('postgres-'))
      .map((name) => readFileSync(join(folder, name))),
  )
}

/** The rows that are read each time `ask` is called; what the schedule asks in between counts no more than once of three times. */
export async function rowsReadBy(dataDir: string, ask: () => Promise<unknown>): Promise<number> {
  for (let n = 0; n <= PLANNED_ANEW; n += 1) await ask()
  const counts: number[] = []
  for (let n = 0; n < ASKED; n += 1) {
    await pause(LOGGED_WITHIN_MS)
    const from = logOf(dataDir).length
    await ask()
    await pause(LOGGED_WITHIN_MS)
    const plans = logOf(dataDir).subarray(from).toString().matchAll(PLAN)
    counts.push(
      [...plans].reduce(
        (sum, [, json]) => sum + rowsIn((JSON.parse(json!) as { Plan: PlanNode }).Plan),
        0,
      ),
    )
  }
  return Math.min(...counts)
}
