/** What dojos cost that nobody visits: processor, memory and transactions of the server and its PostgreSQL, after the day's jobs are done. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { DATABASE_RULES } from '../server/database-rules.ts'
import { startEmbeddedDatabase } from '../server/db/embedded-database.ts'
import { prepareDatabase } from '../server/db/migrate.ts'
import { PORT, startTatami } from './servers.ts'
import { postmasterOf, processSeconds, residentMegabytes, treeSeconds } from './usage.ts'

const DOJOS = Number(process.env.BENCH_DOJOS ?? 500),
  STUDENTS = 20,
  SECONDS = Number(process.env.BENCH_SECONDS ?? 150)
/** The day's jobs count as done when none has been recorded for this long. */
const SETTLED_MS = 20_000,
  SETTLES_WITHIN_MS = Number(process.env.BENCH_SETTLE_SECONDS ?? 600) * 1000
const ZONES = ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles']

const FILL = `
  insert into dojos (id, name, time_zone, invite_code, created_at)
    select gen_random_uuid(), 'Dojo ' || n, (array['${ZONES.join("','")}'])[1 + n % ${ZONES.length}], 'code' || n, now() from generate_series(1, ${DOJOS}) n;
  insert into accounts (id, email, password_hash, role, dojo_id, is_active, created_at)
    select gen_random_uuid(), case place when 0 then 'sensei' else 'student' || place end || '@' || invite_code || '.com', 'none',
      case place when 0 then 'instructor' else 'student' end, id, true, now() from dojos, generate_series(0, ${STUDENTS}) place;
  insert into instructors (dojo_id, id, name, email, contact_number, created_at)
    select dojo_id, id, 'Aiko Tanaka', email, '5125550100', now() from accounts where role = 'instructor';
  insert into students (dojo_id, id, name, email, phone_number, date_of_birth, created_at)
    select dojo_id, id, 'Ken Adams', email, '+15125550142', date '2015-01-01' + (random() * 365)::int, now() from accounts where role = 'student';
  analyze`

type Usage = {
  at: number
  server: number
  postgres: number
  megabytes: number
  transactions: number
}

const dataDir = mkdtempSync(join(tmpdir(), 'tatami-bench-'))
const database = await startEmbeddedDatabase({ dataDir })
const postmaster = postmasterOf(database.dataDir)

async function ask<T extends object>(query: string): Promise<T> {
  const client = new pg.Client({ connectionString: database.logins.postgres.url })
  await client.connect()
  try {
    return (await client.query(query)).rows?.[0] as T
  } finally {
    await client.end()
  }
}

async function usage(server: number): Promise<Usage> {
  const { n } = await ask<{ n: string }>(
    'select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()',
  )
  return {
    at: performance.now(),
    server: processSeconds(server),
    postgres: treeSeconds(postmaster),
    megabytes: residentMegabytes(server),
    transactions: Number(n),
  }
}

/** Waits until the jobs of the day are behind it; what is still going on after that is part of what is measured. */
async function settle(server: number): Promise<{ jobs: number; settled: boolean }> {
  const until = performance.now() + SETTLES_WITHIN_MS
  let jobs = -1,
    since = performance.now()
  while (performance.now() < until) {
    const { n } = await ask<{ n: number }>('select count(*)::int as n from job_runs')
    if (n !== jobs) [jobs, since] = [n, performance.now()]
    if (performance.now() - since > SETTLED_MS) return { jobs, settled: true }
    console.log(`${n} jobs done, the server has ${Math.round((await usage(server)).megabytes)} MB`)
    await pause(5_000)
  }
  return { jobs, settled: false }
}

await prepareDatabase({ databaseUrl: database.logins.postgres.url }, DATABASE_RULES)
await ask(FILL)
const tatami = await startTatami(PORT, {
  DATABASE_URL: database.logins.postgres.url,
  API_ONLY: '1',
  LOG_LEVEL: 'error',
})
try {
  const { jobs, settled } = await settle(tatami.pid)
  const before = await usage(tatami.pid)
  await pause(SECONDS * 1000)
  const after = await usage(tatami.pid)
  const seconds = (after.at - before.at) / 1000
  const share = (from: number, to: number) => `${(((to - from) / seconds) * 100).toFixed(2)} %`
  console.log(
    `\n${DOJOS} dojos of ${STUDENTS} students, ${jobs} jobs done before${settled ? '' : ' and more to do'}, ${Math.round(seconds)} s without a visitor`,
  )
  console.table({
    'server, of one core': share(before.server, after.server),
    'PostgreSQL, of one core': share(before.postgres, after.postgres),
    'together, of one core': share(before.server + before.postgres, after.server + after.postgres),
    'server memory at start': `${Math.round(before.megabytes)} MB`,
    'server memory at end': `${Math.round(after.megabytes)} MB`,
    'transactions a second': ((after.transactions - before.transactions) / seconds).toFixed(1),
  })
} finally {
  await tatami.stop()
  await database.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
