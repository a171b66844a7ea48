import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { beltChanges } from '../belts/tables.ts'
import { setClock } from './clock.ts'
import { insertLadder, insertStyle, beltChangeRow } from './ladders.ts'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()

// It is 11:30 PM in Chicago, and already the next day in UTC.
const EVENING = '2027-03-02T05:30:00Z'
const TODAY = '2027-03-01'

async function createDojoInEvening() {
  setClock(EVENING)
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  const student = await server.createStudent(sensei, { enrolled_classes: [class_id] })
  const query = async <Row extends Record<string, unknown>>(statement: ReturnType<typeof sql>) =>
    (await server.db.inDojo(sensei.dojoId, (tx) => tx.execute<Row>(statement))).rows
  return { sensei, class_id, student, query }
}

async function signInFourDaysLater(email: string) {
  setClock('2027-03-05T18:00:00Z')
  return server.clientFor((await server.signIn(email)).token)
}

test('accepts excuses for the next 60 days in the dojo’s time zone', async () => {
  const { class_id, student } = await createDojoInEvening()
  const sendExcuse = async (class_date: string) =>
    (await student.post('/excuses', { class_id, class_date })).body.detail
  // Days 58, 61 and 60 after March 1. The class meets on Mondays and Wednesdays.
  expect(await sendExcuse('2027-04-28')).toBeUndefined()
  expect(await sendExcuse('2027-05-01')).toBe('Class date must be within the next 60 days')
  expect(await sendExcuse('2027-04-30')).toBe('This class does not meet on that day')
})

test('a vacation without a first day starts on the day the student was added', async () => {
  const { sensei, student, query } = await createDojoInEvening()
  await query(
    sql`update students set on_vacation = true, vacation_from = null where id = ${student.id}`,
  )
  const laterClient = await signInFourDaysLater(sensei.email)
  await laterClient.put(`/students/${student.id}/vacation`, {
    vacation_from: null,
    vacation_until: null,
  })
  expect(
    await query(
      sql`select vacation_from::text as from, vacation_until::text as until from past_vacations`,
    ),
  ).toEqual([{ from: TODAY, until: '2027-03-04' }])
})

test('a vacation without a first day does not count as time in a rank', async () => {
  const { sensei, student, query } = await createDojoInEvening()
  await server.db.inDojo(sensei.dojoId, async (tx) => {
    const styleId = await insertStyle(tx, { vacation_counts: false })
    const { ranks } = await insertLadder(tx, styleId, [{}, { min_months: 2 }])
    // The student got the rank at another school a month earlier.
    await tx
      .insert(beltChanges)
      .values(beltChangeRow(student.id, styleId, ranks[0]!.id, '2027-02-01'))
  })
  await query(
    sql`update students set on_vacation = true, vacation_from = null where id = ${student.id}`,
  )
  const laterClient = await signInFourDaysLater(sensei.email)
  const [style] = (await laterClient.get(`/students/${student.id}/belts`)).body.styles
  // A month from February 1 is complete on March 1, which is the first day of vacation.
  expect(style.months).toBe(0)
})
