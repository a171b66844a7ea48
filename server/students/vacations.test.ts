import { expect, test } from 'vitest'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { exampleStudent } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const throwError = (error: unknown) => {
  throw error
}
async function setUpStudent() {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei)
  return {
    sensei,
    student,
    planVacation: (vacation_from: string | null, vacation_until: string | null) =>
      sensei.put(`/students/${student.id}/vacation`, { vacation_from, vacation_until }),
    editStudent: (on_vacation: boolean) =>
      sensei.put(
        `/students/${student.id}`,
        exampleStudent({ ...student, class_preferences: ['saturday'], on_vacation }),
      ),
    isOnVacation: async () => (await sensei.get('/students')).body[0].on_vacation as boolean,
    readDates: async () => {
      const { vacation_from, vacation_until } = (await sensei.get(`/students/${student.id}`)).body
      return [vacation_from, vacation_until]
    },
  }
}
const createRefusal = (field: string, detail: string) => ({
  status: 422,
  body: { detail, errors: [{ field, message: detail }] },
})

test('a vacation begins and ends automatically, in the dojo’s time zone', async () => {
  setClock('2026-07-01T18:00:00Z')
  const { planVacation, isOnVacation, readDates } = await setUpStudent()
  expect((await planVacation('2026-07-03', '2026-07-05')).body).toEqual({
    vacation_from: '2026-07-03',
    vacation_until: '2026-07-05',
    on_vacation: false,
  })
  const isOnVacationAt = async (moment: string) => {
    setClock(moment)
    await runDueJobs(server.db, throwError)
    return isOnVacation()
  }
  expect(await isOnVacationAt('2026-07-02T20:00:00Z')).toBe(false)
  // 4 a.m. on July 3 in UTC is still July 2 in Chicago.
  expect(await isOnVacationAt('2026-07-03T04:00:00Z')).toBe(false)
  expect(await isOnVacationAt('2026-07-03T06:00:00Z')).toBe(true)
  expect(await isOnVacationAt('2026-07-06T04:00:00Z')).toBe(true)
  expect(await isOnVacationAt('2026-07-06T06:00:00Z')).toBe(false)
  expect(await readDates()).toEqual([null, null])
})

test('a vacation that starts today begins immediately, and may have no last day', async () => {
  setClock('2026-07-01T18:00:00Z')
  const { planVacation, isOnVacation, readDates } = await setUpStudent()
  expect((await planVacation('2026-07-01', null)).body).toMatchObject({ on_vacation: true })
  setClock('2026-07-25T18:00:00Z')
  await runDueJobs(server.db, throwError)
  expect([await isOnVacation(), await readDates()]).toEqual([true, ['2026-07-01', null]])
  expect((await planVacation(null, null)).body).toEqual({
    vacation_from: null,
    vacation_until: null,
    on_vacation: false,
  })
})

test('clears a vacation that passed while the server was down', async () => {
  setClock('2026-07-01T18:00:00Z')
  const { planVacation, isOnVacation, readDates } = await setUpStudent()
  await planVacation('2026-07-03', '2026-07-05')
  setClock('2026-07-20T18:00:00Z')
  await runDueJobs(server.db, throwError)
  expect([await isOnVacation(), await readDates()]).toEqual([false, [null, null]])
})

test('editing the student can end a vacation or begin a vacation today', async () => {
  setClock('2026-07-01T18:00:00Z')
  const { planVacation, editStudent, isOnVacation, readDates } = await setUpStudent()
  await planVacation('2026-07-01', '2026-07-10')
  await editStudent(true)
  expect(await readDates()).toEqual(['2026-07-01', '2026-07-10'])
  await editStudent(false)
  expect([await isOnVacation(), await readDates()]).toEqual([false, [null, null]])
  setClock('2026-07-02T18:00:00Z')
  await runDueJobs(server.db, throwError)
  expect(await isOnVacation()).toBe(false)
  await planVacation('2026-07-08', '2026-07-10')
  await editStudent(true)
  expect([await isOnVacation(), await readDates()]).toEqual([true, ['2026-07-02', '2026-07-10']])
})

test('refuses invalid days of a vacation', async () => {
  setClock('2026-07-01T18:00:00Z')
  const { planVacation, isOnVacation } = await setUpStudent()
  expect(await planVacation('2026-07-05', '2026-07-03')).toMatchObject(
    createRefusal('vacation_until', 'The vacation must not end before it starts.'),
  )
  expect(await planVacation(null, '2026-07-03')).toMatchObject(
    createRefusal('vacation_from', 'Please choose the first day of the vacation.'),
  )
  expect(await planVacation('2026-06-01', '2026-06-30')).toMatchObject(
    createRefusal('vacation_until', 'The last day of the vacation must not be before today.'),
  )
  expect((await planVacation('2026-02-30', null)).status).toBe(422)
  expect(await isOnVacation()).toBe(false)
})

test('does not count a student on vacation as a paying student', async () => {
  setClock('2026-07-01T18:00:00Z')
  const { planVacation, sensei } = await setUpStudent()
  const countPayingStudents = async () =>
    (await sensei.get('/payment-statistics')).body.total_monthly_paying_students
  expect(await countPayingStudents()).toBe(1)
  await planVacation('2026-07-01', '2026-07-05')
  expect(await countPayingStudents()).toBe(0)
  setClock('2026-07-06T18:00:00Z')
  await runDueJobs(server.db, throwError)
  expect(await countPayingStudents()).toBe(1)
})
