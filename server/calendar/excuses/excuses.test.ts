import { beforeEach, describe, expect, test } from 'vitest'
import { setClock } from '../../test/clock.ts'
import { startTestServer } from '../../test/test-server.ts'

const server = await startTestServer()
const MONDAY = '2027-03-01'
const WEDNESDAY = '2027-03-03'

// 9 AM in Austin
beforeEach(() => setClock('2027-03-01T15:00:00Z'))

async function setUpDojo() {
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  const student = await server.createStudent(sensei, { enrolled_classes: [class_id] })
  return { sensei, class_id, student, dojoId: sensei.dojoId }
}

test('lets students excuse themselves, and shows the excuse on the roll', async () => {
  const { sensei, class_id, student } = await setUpDojo()
  const reply = await student.post('/excuses', { class_id, class_date: MONDAY })
  expect([reply.status, reply.body]).toEqual([
    200,
    {
      student_id: student.id,
      student_name: 'Ken Adams',
      class_id,
      class_name: 'Kids Judo',
      class_date: MONDAY,
      source: 'family',
      created_by_name: null,
      created_at: expect.any(String),
    },
  ])
  expect((await sensei.get(`/excuses?class_id=${class_id}&class_date=${MONDAY}`)).body).toEqual([
    { ...reply.body, source: 'student' },
  ])
  expect((await sensei.get(`/excuses?class_id=${class_id}&class_date=${WEDNESDAY}`)).body).toEqual(
    [],
  )
})

test('lets an instructor excuse any student, and does not name the instructor', async () => {
  const { sensei, class_id, student } = await setUpDojo()
  const target = { student_id: student.id, class_id, class_date: '2027-02-27' }
  expect((await sensei.post('/excuses', target)).body).toMatchObject({
    source: 'instructor',
    created_by_name: 'Aiko Tanaka',
  })
  await sensei.post('/excuses', { ...target, class_date: MONDAY })
  expect((await student.get('/excuses')).body).toMatchObject([
    { class_date: MONDAY, source: 'instructor', created_by_name: null },
  ])
  expect((await sensei.post('/excuses', { class_id, class_date: MONDAY })).body.detail).toBe(
    'Student is required',
  )
})

test('ignores a repeated excuse and a repeated removal', async () => {
  const { sensei, class_id, student } = await setUpDojo()
  const excuse = () => student.post('/excuses', { class_id, class_date: MONDAY })
  const responses = await Promise.all(Array.from({ length: 6 }, excuse))
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
  await sensei.post('/excuses', { student_id: student.id, class_id, class_date: MONDAY })
  expect((await sensei.get('/excuses')).body).toMatchObject([{ source: 'student' }])
  const undoExcuse = () => student.delete(`/excuses?class_id=${class_id}&class_date=${MONDAY}`)
  expect([(await undoExcuse()).body, (await undoExcuse()).body]).toEqual([
    { success: true },
    { success: true },
  ])
  expect((await sensei.get('/excuses')).body).toEqual([])
})

describe('a student', () => {
  test('cannot excuse others, or themselves from a class they are not in', async () => {
    const { sensei, class_id, student } = await setUpDojo()
    const otherStudent = await server.createStudent(sensei, { enrolled_classes: [class_id] })
    const openMat = await server.createClass(sensei, { class_name: 'Open Mat' })
    const target = { class_id, class_date: MONDAY }
    await sensei.post('/excuses', { ...target, student_id: otherStudent.id })
    const responses = await Promise.all([
      student.post('/excuses', { ...target, student_id: otherStudent.id }),
      student.delete(
        `/excuses?student_id=${otherStudent.id}&class_id=${class_id}&class_date=${MONDAY}`,
      ),
      student.post('/excuses', { ...target, class_id: openMat.id }),
    ])
    expect(responses.map(({ status, body }) => [status, body.detail])).toEqual([
      [404, 'Student not found'],
      [404, 'Student not found'],
      [404, 'Class not found'],
    ])
    expect((await student.get('/excuses')).body).toEqual([])
    expect((await student.get(`/excuses?student_id=${otherStudent.id}`)).status).toBe(404)
    expect((await sensei.get('/excuses')).body).toHaveLength(1)
  })

  test.each([
    ['2027-02-24', 'This class is over'],
    ['2027-03-02', 'This class does not meet on that day'],
    ['2027-05-03', 'Class date must be within the next 60 days'],
  ])('cannot be excused on %s', async (class_date, detail) => {
    const { class_id, student } = await setUpDojo()
    const response = await student.post('/excuses', { class_id, class_date })
    expect([response.status, response.body]).toEqual([
      422,
      { detail, errors: [{ field: 'class_date', message: detail }] },
    ])
  })

  test('uses the day in the dojo’s time zone', async () => {
    const { class_id, student } = await setUpDojo()
    // In Austin, it is still Monday evening.
    setClock('2027-03-02T03:00:00Z')
    expect((await student.post('/excuses', { class_id, class_date: MONDAY })).status).toBe(200)
  })
})

test('deletes excuses with their student or their class', async () => {
  const { sensei, class_id, student } = await setUpDojo()
  const otherStudent = await server.createStudent(sensei, { enrolled_classes: [class_id] })
  for (const student_id of [student.id, otherStudent.id])
    await sensei.post('/excuses', { student_id, class_id, class_date: MONDAY })
  await sensei.delete(`/students/${student.id}`)
  expect((await sensei.get('/excuses')).body).toHaveLength(1)
  await sensei.delete(`/classes/${class_id}`)
  expect((await sensei.get('/excuses')).body).toEqual([])
})
