/** What it takes to know who is ready for a belt, in a dojo of 500 students with 100,000 marks: the statement that counts classes by itself, and the
 *  list that it serves, each right after a mark: node bench/belts.ts. Prints a table in Markdown. */
import { attendanceApi } from '@tatami/contract/attendance'
import { beltsApi } from '@tatami/contract/belts'
import { readinessApi } from '@tatami/contract/readiness'
import pg from 'pg'
import { todayOf } from '../server/dojos/dojos.ts'
import { countClasses } from '../server/belts/counting.ts'
import { mainStyle } from '../server/belts/styles.ts'
import { connectBeside } from '../server/test/fixtures.ts'
import { callerOf, createDojo } from './dojo.ts'
import { PORT, startTatami } from './servers.ts'

const STUDENTS = 500,
  MARKS_EACH = 200,
  /** Between two marks of a student. */
  DAYS_APART = 2,
  ROUNDS = 100

const at = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!.toFixed(1)

const tatami = await startTatami(PORT, { API_ONLY: '1', LOG_LEVEL: 'error' })
const db = connectBeside(tatami.databaseUrl)
const call = callerOf(tatami.url)
const { token, dojoId, class_id, students } = await createDojo(tatami.databaseUrl, STUDENTS)
const today = await db.inDojo(dojoId, (tx) => todayOf(tx, dojoId))
await call(beltsApi.show, {}, token)
await db.inDojo(dojoId, async (tx) => {
  await tx.execute(`insert into attendance (id, student_id, class_id, class_date, present, created_at)
    select gen_random_uuid(), students.id, '${class_id}', '${today}'::date - ${DAYS_APART} * ago, true, now()
    from students, generate_series(1, ${MARKS_EACH}) ago`)
})

// As autovacuum leaves what has been there for a while.
const client = new pg.Client(tatami.databaseUrl)
await client.connect()
await client.query('vacuum (analyze) attendance')
await client.end()

/** Everybody has got a rank this long ago. */
async function measure(daysInRank: number, label: string) {
  await db.inDojo(dojoId, (tx) =>
    tx.execute(`insert into belt_changes (id, student_id, belt_level, previous_belt, changed_by, kind, given_on, changed_at)
      select gen_random_uuid(), id, belt_level, belt_level, id, 'promotion', '${today}'::date - ${daysInRank}, now() from students`),
  )
  const climbers = students.map(({ id }) => ({
    student_id: id,
    since: new Date(Date.parse(today) - daysInRank * 86_400_000).toISOString().slice(0, 10),
    next_rank_id: null,
    max_classes_a_day: null,
  }))
  const counting: number[] = [],
    listing: number[] = []
  let counted = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const student_id = students[round]!.id
    await call(
      attendanceApi.mark,
      { body: { student_id, class_id, class_date: today, present: true } },
      token,
    )
    await db.inDojo(dojoId, async (tx) => {
      const style = await mainStyle(tx)
      const from = performance.now()
      const counts = await countClasses(tx, style.id, climbers, today)
      counting.push(performance.now() - from)
      counted = counts.values().reduce((sum, { classes }) => sum + classes, 0)
    })
    const from = performance.now()
    await call(readinessApi.ready, {}, token)
    listing.push(performance.now() - from)
  }
  console.log(
    `| ${label} | ${counted.toLocaleString('en')} | ${at(counting, 0.5)} | ${at(counting, 0.95)} | ${at(listing, 0.5)} | ${at(listing, 0.95)} |`,
  )
}

console.log(
  '| 500 students, 100,000 marks | classes counted | counting, p50 ms | p95 ms | the list, p50 ms | p95 ms |',
)
console.log('|---|---|---|---|---|---|')
await measure(MARKS_EACH * DAYS_APART + 1, 'all marks in the rank')
await measure(120, 'four months in the rank')
await db.close()
await tatami.stop()
