import { expect, test } from 'vitest'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { insertLadder, insertStyle, beltChangeRow } from '../test/ladders.ts'
import { startTestServer } from '../test/test-server.ts'
import { asOverseer } from '../db/database.ts'
import { selectDojosWithOutgrowingStudents } from './outgrowing.ts'
import { beltChanges } from './tables.ts'

const server = await startTestServer()

/** Runs the schedule at 8 AM in Chicago. Returns the ids of the dojos that had notices to send. */
async function runSchedule(day: string): Promise<string[]> {
  setClock(`${day}T14:00:00Z`)
  const { rows } = await server.db.withoutDojo((tx) =>
    asOverseer(tx, (overseerTx) =>
      overseerTx.execute<{ dojo_id: string }>(selectDojosWithOutgrowingStudents(day)),
    ),
  )
  await runDueJobs(server.db, (error) => {
    throw error
  })
  return rows.map(({ dojo_id }) => dojo_id)
}

async function setUpDojo(
  age_counts: 'birthday' | 'calendar_year',
  { hasContinuation = true } = {},
) {
  const sensei = await server.createSensei()
  const students = await Promise.all(
    [
      { name: 'Leo Adams', date_of_birth: '2012-02-29' },
      { name: 'Ina Adams', date_of_birth: '2012-02-29' },
      { name: 'Max Adams', date_of_birth: '2013-05-01' },
    ].map((fields) => server.createStudent(sensei, fields)),
  )
  const dojoLadders = await server.db.inDojo(sensei.dojoId, async (tx) => {
    const style_id = await insertStyle(tx)
    const seniors = await insertLadder(tx, style_id, [{}], { name: 'Seniors', min_age: 15 })
    const juniors = await insertLadder(tx, style_id, [{}, {}], {
      max_age: 14,
      age_counts,
      continues_as: hasContinuation ? seniors.id : null,
    })
    // Ina has already moved to the Seniors ladder.
    const promotions = students.map(({ id }, index) =>
      beltChangeRow(id, style_id, (index === 1 ? seniors : juniors).ranks[0]!.id, '2026-01-01'),
    )
    await tx.insert(beltChanges).values(promotions)
    return { style_id, juniors, seniors }
  })
  const readNotices = async () => {
    const { body } = await server
      .clientFor((await server.signIn(sensei.email)).token)
      .get('/notifications')
    return body
      .filter(({ title }: { title: string }) => title.includes('is outgrowing'))
      .map(({ title, message }: { title: string; message: string }) => [title, message])
  }
  return { sensei, students, readNotices, ...dojoLadders }
}

test('notifies instructors once, 30 days before a student is too old for a ladder', async () => {
  setClock('2027-01-01T14:00:00Z')
  const dojo = await setUpDojo('birthday')
  const dojoWithoutContinuation = await setUpDojo('birthday', { hasContinuation: false })
  expect(await runSchedule('2027-01-28')).toEqual([])
  expect(await dojo.readNotices()).toEqual([])
  // February 28 is the birthday, and 30 days away.
  expect(new Set(await runSchedule('2027-01-29'))).toEqual(new Set([dojo.sensei.dojoId]))
  const notice = [
    'Leo Adams is outgrowing Juniors',
    'On February 28, 2027, Leo will be too old for it. Please choose a rank of Seniors.',
  ]
  expect(await dojo.readNotices()).toEqual([notice])
  for (const day of ['2027-01-30', '2027-02-27', '2027-02-28', '2027-03-01']) await runSchedule(day)
  expect(await dojo.readNotices()).toEqual([notice])
  expect(await dojoWithoutContinuation.readNotices()).toEqual([])
  // If no server runs 30 days before Max's birthday, instructors are notified later.
  await runSchedule('2028-04-20')
  expect(await dojo.readNotices()).toHaveLength(2)
})

test('notifies 30 days before New Year if ages count by calendar year', async () => {
  setClock('2026-11-01T14:00:00Z')
  const dojo = await setUpDojo('calendar_year')
  const otherDojo = await setUpDojo('calendar_year')
  await server.db.inDojo(otherDojo.sensei.dojoId, (tx) =>
    tx
      .insert(beltChanges)
      .values(
        beltChangeRow(
          otherDojo.students[0]!.id,
          otherDojo.style_id,
          otherDojo.seniors.ranks[0]!.id,
          '2026-10-01',
          { kind: 'conversion' },
        ),
      ),
  )
  await runSchedule('2026-12-01')
  expect(await dojo.readNotices()).toEqual([])
  await runSchedule('2026-12-02')
  expect((await dojo.readNotices()).map(([title]: string[]) => title)).toEqual([
    'Leo Adams is outgrowing Juniors',
  ])
  expect(await otherDojo.readNotices()).toEqual([])
})
