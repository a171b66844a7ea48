/** What the dates of classes take in a dojo of 500 students, 40 classes and a year of marks: the weeks to come, those past, and calendars:
 *  node bench/class-dates.ts. Prints a table in Markdown. */
import { calendarFeedsApi } from '@tatami/contract/calendar-feeds'
import { classDatesApi } from '@tatami/contract/class-dates'
import { daysAfter } from '@tatami/contract/timetable'
import pg from 'pg'
import { todayOf } from '../server/dojos/dojos.ts'
import { connectBeside } from '../server/test/fixtures.ts'
import { callerOf, createDojo } from './dojo.ts'
import { PORT, startTatami } from './servers.ts'

const STUDENTS = 500,
  CLASSES = 40,
  ROUNDS = 50

const at = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!.toFixed(1)

const tatami = await startTatami(PORT, { API_ONLY: '1', LOG_LEVEL: 'error' })
const db = connectBeside(tatami.databaseUrl)
const call = callerOf(tatami.url)
const { token, dojoId } = await createDojo(tatami.databaseUrl, STUDENTS)
const today = await db.inDojo(dojoId, (tx) => todayOf(tx, dojoId))
await db.inDojo(dojoId, async (tx) => {
  // Each class meets on two days a week, a quarter of them with a limit; each student is in two.
  await tx.execute(`insert into classes (id, class_name, class_days, class_start_time, class_end_time, places, created_at)
    select gen_random_uuid(), 'Class ' || n, array[(array['monday','tuesday','wednesday','thursday','friday','saturday'])[1 + n % 6], (array['thursday','friday','saturday','monday','tuesday','wednesday'])[1 + n % 6]],
      '5:00 PM', '6:00 PM', case when n % 4 = 0 then 12 end, now() from generate_series(2, ${CLASSES}) n`)
  await tx.execute(`insert into enrolments (student_id, class_id, created_at)
    select s.id, c.id, now() from (select id, row_number() over (order by id) n from students) s
      join (select id, row_number() over (order by id) n from classes) c on c.n in (1 + s.n % ${CLASSES}, 1 + (s.n * 7 + 3) % ${CLASSES}) on conflict do nothing`)
  await tx.execute(`insert into attendance (id, student_id, class_id, class_date, present, created_at)
    select gen_random_uuid(), e.student_id, e.class_id, '${today}'::date - 7 * w, w % 5 > 0, now() from enrolments e, generate_series(0, 52) w`)
  await tx.execute(`insert into excuses (student_id, class_id, class_date, source, created_by, created_at)
    select e.student_id, e.class_id, '${today}'::date + d, 'student', e.student_id, now() from enrolments e, generate_series(-300, 60, 20) d`)
  await tx.execute(`insert into class_dates (class_id, day, held_on, is_cancelled, reason, created_by, created_at)
    select id, '${today}'::date + d, '${today}'::date + d, true, 'Weather', id, now() from classes, generate_series(-300, 60, 30) d`)
  await tx.execute(`insert into place_requests (class_id, day, student_id, created_by, created_at)
    select c.id, '${today}'::date + d, s.id, s.id, now() from classes c, generate_series(-300, 60, 10) d, lateral (select id from students order by id limit 5) s
    where places is not null`)
})
// As autovacuum leaves what has been there for a while.
const client = new pg.Client(tatami.databaseUrl)
await client.connect()
await client.query('vacuum (analyze)')
await client.end()

async function measure(label: string, ask: () => Promise<unknown>) {
  const times: number[] = []
  let answer: unknown
  for (let round = -3; round < ROUNDS; round += 1) {
    const from = performance.now()
    answer = await ask()
    if (round >= 0) times.push(performance.now() - from)
  }
  const size = Array.isArray(answer)
    ? `${answer.length} dates`
    : `${String(answer).split('BEGIN:VEVENT').length - 1} events`
  console.log(`| ${label} | ${size} | ${at(times, 0.5)} | ${at(times, 0.95)} |`)
}
const dates = (from: number, until: number) => () => {
  const query = new URLSearchParams({
    from: daysAfter(today, from),
    until: daysAfter(today, until),
  })
  return call({ ...classDatesApi.list, path: `/class-dates?${query}` }, {}, token)
}
const { url } = await call(calendarFeedsApi.renew, {}, token)

console.log('| 500 students, 40 classes | answer | p50 ms | p95 ms |')
console.log('|---|---|---|---|')
await measure('60 days to come', dates(0, 59))
await measure('the last 56 days', dates(-56, -1))
await measure('today', dates(0, 0))
await measure('the dojo’s calendar', async () =>
  (await fetch(new URL(new URL(url).pathname, tatami.url))).text(),
)
await db.close()
await tatami.stop()
