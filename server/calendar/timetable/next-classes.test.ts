import { describe, expect, test } from 'vitest'
import { setClock } from '../../test/clock.ts'
import { startTestServer } from '../../test/test-server.ts'
import { findNextClasses } from './next-classes.ts'

const server = await startTestServer()
const MONDAY = '2027-03-01'
const WEDNESDAY = '2027-03-03'

async function setUpDojo() {
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  const student = await server.createStudent(sensei, { enrolled_classes: [class_id] })
  const readNextDay = async (id = student.id) =>
    server.db.inDojo(
      sensei.dojoId,
      async (tx) => (await findNextClasses(tx, sensei.dojoId, [id])).get(id)?.[0]?.day,
    )
  return { sensei, class_id, student, readNextDay }
}

describe('the next class of a student', () => {
  test('is today’s class until it is over, and then the next class of the week', async () => {
    const { readNextDay } = await setUpDojo()
    // The class ends at 5 PM in Austin.
    for (const [moment, day] of [
      ['2027-03-01T15:00:00Z', MONDAY],
      ['2027-03-01T22:59:00Z', MONDAY],
      ['2027-03-01T23:00:00Z', WEDNESDAY],
    ] as const) {
      setClock(moment)
      expect(await readNextDay()).toBe(day)
    }
  })

  test('is not a class in which the student is already marked', async () => {
    setClock('2027-03-01T15:00:00Z')
    const { sensei, class_id, student, readNextDay } = await setUpDojo()
    const otherStudent = await server.createStudent(sensei, { enrolled_classes: [class_id] })
    await sensei.post('/attendance', {
      student_id: student.id,
      class_id,
      class_date: MONDAY,
      present: true,
    })
    expect([await readNextDay(), await readNextDay(otherStudent.id)]).toEqual([WEDNESDAY, MONDAY])
  })

  test('is not canceled or on a holiday, may be a moved date, and is excused by OUT', async () => {
    setClock('2027-03-01T15:00:00Z')
    const { sensei, class_id, student, readNextDay } = await setUpDojo()
    await sensei.put('/class-dates/cancelled', { class_id, day: MONDAY, reason: 'Weather' })
    expect(await readNextDay()).toBe(WEDNESDAY)
    await sensei.post('/holidays', {
      name: 'Spring break',
      first_day: WEDNESDAY,
      last_day: '2027-03-09',
    })
    expect(await readNextDay()).toBe('2027-03-10')
    await sensei.post('/class-dates', {
      class_id,
      day: '2027-03-05',
      start_time: '9:00 AM',
      end_time: '10:00 AM',
    })
    await sensei.put('/class-dates/moved', { class_id, day: '2027-03-05', to_day: '2027-03-04' })
    expect(await readNextDay()).toBe('2027-03-04')
    await sensei.post('/sms/simulated/incoming', {
      phone_number: student.phone_number,
      text: 'OUT',
    })
    expect((await sensei.get('/excuses')).body).toMatchObject([
      { student_id: student.id, class_date: '2027-03-04', source: 'text' },
    ])
  })

  test('does not exist for a student without classes', async () => {
    const { sensei, readNextDay } = await setUpDojo()
    const student = await server.createStudent(sensei)
    expect(await readNextDay(student.id)).toBeUndefined()
  })
})
