import { addDays } from '@tatami/contract/lib/calendar-day'
import { beforeEach, describe, expect, test } from 'vitest'
import { todayOf } from '../dojos/dojos.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
type Class = { id: string }

let sensei: Awaited<ReturnType<typeof server.createSensei>>
let coach: Awaited<ReturnType<typeof server.createStaff>>
let [kids, adults]: Class[] = []
let [leo, mia]: { id: string }[] = []
let today: string
beforeEach(async () => {
  sensei = await server.createSensei()
  const createDailyClass = (class_name: string) =>
    server.createClass(sensei, { class_name, class_days: EVERY_DAY as ['monday'] })
  kids = await createDailyClass('Kids')
  adults = await createDailyClass('Adults')
  leo = await server.createStudent(sensei, { name: 'Leo Adams', enrolled_classes: [kids.id] })
  mia = await server.createStudent(sensei, { name: 'Mia Lund', enrolled_classes: [adults.id] })
  coach = await server.createStaff(sensei, {
    rights: ['roll', 'students.read'],
    class_ids: [kids.id],
  })
  today = await server.db.inDojo(sensei.dojoId, (tx) => todayOf(tx, sensei.dojoId))
})

const setSubstitute = (day: string, substitute_id: string) =>
  sensei.put('/class-dates/substitute', { class_id: adults?.id, day, substitute_id })
const readVisibleClasses = async () =>
  (await coach.get('/classes')).body
    .map(({ class_name }: { class_name: string }) => class_name)
    .toSorted()
const readVisibleStudents = async () =>
  (await coach.get('/students')).body.map(({ name }: { name: string }) => name).toSorted()
const readVisibleDays = async (dojoClass: Class | undefined) => {
  const [firstDay, lastDay] = [addDays(today, -2), addDays(today, 2)]
  const { body } = await coach.get(`/class-dates?from=${firstDay}&until=${lastDay}`)
  return body
    .filter(({ class_id }: { class_id: string }) => class_id === dojoClass?.id)
    .map(({ day }: { day: string }) => day)
}
const mark = (class_date: string) => ({
  class_id: adults?.id,
  student_id: mia?.id,
  class_date,
  present: true,
})
const readVisibleMarks = async () =>
  (await coach.get('/attendance')).body.map(({ class_date }: { class_date: string }) =>
    class_date.slice(0, 10),
  )

describe('a substitute who sees only their own classes', () => {
  test('sees the class and its students on the day of the substitution', async () => {
    expect([await readVisibleClasses(), await readVisibleStudents()]).toEqual([
      ['Kids'],
      ['Leo Adams'],
    ])
    const { body } = await setSubstitute(today, coach.id)
    expect(body).toMatchObject({ substitute: 'Kim Park', substitute_id: coach.id })
    expect([await readVisibleClasses(), await readVisibleStudents()]).toEqual([
      ['Adults', 'Kids'],
      ['Leo Adams', 'Mia Lund'],
    ])
    const noSubstitute = { class_id: adults?.id, day: today, substitute: null }
    await sensei.put('/class-dates/substitute', noSubstitute)
    expect([await readVisibleClasses(), await readVisibleStudents()]).toEqual([
      ['Kids'],
      ['Leo Adams'],
    ])
  })

  test('sees only this date of the class, and all dates of their own classes', async () => {
    await setSubstitute(today, coach.id)
    expect(await readVisibleDays(adults)).toEqual([today])
    expect(await readVisibleDays(kids)).toEqual(
      [-2, -1, 0, 1, 2].map((days) => addDays(today, days)),
    )
  })

  test('reads and takes only the roll of this date', async () => {
    const yesterday = addDays(today, -1)
    await sensei.post('/attendance', mark(yesterday))
    await setSubstitute(today, coach.id)
    expect(await readVisibleMarks()).toEqual([])
    const { status } = await coach.post('/attendance', mark(today))
    expect([status, await readVisibleMarks()]).toEqual([200, [today]])
    for (const day of [yesterday, addDays(today, 1)]) {
      const refusal = await coach.post('/attendance', mark(day))
      expect([refusal.status, refusal.body.detail]).toEqual([
        404,
        'This is not one of your classes.',
      ])
    }
    const page = await coach.get(`/students/${mia?.id}`)
    expect(JSON.stringify(page.body)).not.toContain(yesterday)
    const { body: records } = await sensei.get('/attendance')
    expect(records).toHaveLength(2)
  })

  test('excuses students from this date only', async () => {
    await setSubstitute(today, coach.id)
    const excuse = (class_date: string) =>
      coach.post('/excuses', { class_id: adults?.id, student_id: mia?.id, class_date })
    expect((await excuse(today)).status).toBe(200)
    expect((await excuse(addDays(today, 1))).status).toBe(404)
    const { body: excuses } = await sensei.get('/excuses')
    expect(excuses).toHaveLength(1)
  })

  test('does not see the class if the substitution is on another day', async () => {
    await setSubstitute(addDays(today, 1), coach.id)
    expect([await readVisibleClasses(), await readVisibleDays(adults)]).toEqual([['Kids'], []])
    expect((await coach.post('/attendance', mark(today))).status).toBe(404)
  })

  test('has this date in their calendar', async () => {
    await setSubstitute(today, coach.id)
    const { pathname } = new URL((await coach.post('/calendar-feed')).body.url)
    const { payload } = await server.http.inject({ url: pathname })
    expect(payload.match(/SUMMARY:Adults/g)).toHaveLength(1)
  })
})

test('staff who see only their own classes cannot excuse students from another class', async () => {
  const excuse = { class_id: adults?.id, student_id: leo?.id, class_date: today }
  const refusal = await coach.post('/excuses', excuse)
  expect([refusal.status, refusal.body.detail]).toEqual([404, 'This is not one of your classes.'])
})

test('a substitute must be on the staff of the school', async () => {
  const stranger = await server.createSensei()
  const refusal = await setSubstitute(today, stranger.id)
  expect([refusal.status, refusal.body.detail]).toEqual([422, 'This person is not on the staff'])
})
