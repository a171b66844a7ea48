import { expect, test } from 'vitest'
import { exampleClass } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

test('adds, lists, changes and deletes a class', async () => {
  const sensei = await server.createSensei()
  const addReply = await sensei.post('/classes', exampleClass())
  expect(addReply.status).toBe(200)
  expect(addReply.body).toMatchObject({
    ...exampleClass(),
    name: 'Kids Judo',
    _id: addReply.body.id,
    location: null,
    created_at: expect.stringMatching(/Z$/),
  })
  expect((await sensei.get('/classes')).body).toEqual([addReply.body])
  const changeReply = await sensei.put(
    `/classes/${addReply.body.id}`,
    exampleClass({ class_name: 'Teens', class_days: ['friday', 'monday', 'friday'] }),
  )
  expect([changeReply.status, changeReply.body]).toEqual([
    200,
    { ...addReply.body, class_name: 'Teens', name: 'Teens', class_days: ['monday', 'friday'] },
  ])
  expect((await sensei.delete(`/classes/${addReply.body.id}`)).body).toEqual({ success: true })
  expect((await sensei.get('/classes')).body).toEqual([])
})

test('returns 404 for a class of another dojo', async () => {
  const { id } = await server.createClass(await server.createSensei())
  const otherSensei = await server.createSensei()
  const notFoundReply = [404, { detail: 'Class not found' }]
  const responses = [
    await otherSensei.put(`/classes/${id}`, exampleClass()),
    await otherSensei.delete(`/classes/${id}`),
  ]
  expect(responses.map(({ status, body }) => [status, body])).toEqual([
    notFoundReply,
    notFoundReply,
  ])
  expect((await otherSensei.get('/classes')).body).toEqual([])
})

test('keeps past attendance of a deleted class, but no enrollments', async () => {
  const sensei = await server.createSensei()
  const { id } = await server.createClass(sensei)
  const student = await server.createStudent(sensei, {
    enrolled_classes: [id],
    class_preferences: [id, 'saturday'],
  })
  await sensei.post('/attendance', {
    student_id: student.id,
    class_id: id,
    class_date: '2026-03-02T00:00:00.000Z',
    present: true,
  })
  await sensei.delete(`/classes/${id}`)
  expect((await sensei.get('/students')).body).toMatchObject([
    { enrolled_classes: [], class_preferences: ['saturday'] },
  ])
  expect((await sensei.get('/attendance')).body).toMatchObject([
    {
      class_id: null,
      class_name: 'Kids Judo',
      class_time: '4:00 PM - 5:00 PM',
      class_location: 'Monday, Wednesday',
      present: true,
    },
  ])
})

test('counts the deletion impact of a class', async () => {
  const sensei = await server.createSensei()
  const { id } = await server.createClass(sensei)
  expect((await sensei.get(`/classes/${id}/deletion-impact`)).body).toEqual({
    enrolled_students: 0,
    attendance_records: 0,
  })
  const student = await server.createStudent(sensei, { enrolled_classes: [id] })
  for (const day of ['2026-03-02', '2026-03-09'])
    await sensei.post('/attendance', {
      student_id: student.id,
      class_id: id,
      class_date: day,
      present: true,
    })
  expect((await sensei.get(`/classes/${id}/deletion-impact`)).body).toEqual({
    enrolled_students: 1,
    attendance_records: 2,
  })
  const otherSensei = await server.createSensei()
  expect((await otherSensei.get(`/classes/${id}/deletion-impact`)).status).toBe(404)
})

test.each([
  ['class_name', '', 'Class name is required'],
  ['class_name', 'Kids 1', 'Only alphabetical characters allowed'],
  ['description', '  ', 'Description is required'],
  ['class_days', [], 'Select at least one day for the class'],
  ['class_days', ['someday'], 'Day is not valid'],
  ['class_start_time', '5:03 PM', 'Use five-minute steps, such as 5:30 PM'],
  ['class_end_time', '25:00', 'Use five-minute steps, such as 5:30 PM'],
])('refuses a class with %s %j and saves nothing', async (field, value, message) => {
  const sensei = await server.createSensei()
  const response = await sensei.post('/classes', exampleClass({ [field]: value }))
  expect([response.status, response.body.detail]).toEqual([422, message])
  expect((await sensei.get('/classes')).body).toEqual([])
})

test('accepts an end time before the start time', async () => {
  const sensei = await server.createSensei()
  const form = exampleClass({ class_start_time: '9:00 PM', class_end_time: '7:00 AM' })
  expect((await sensei.post('/classes', form)).status).toBe(200)
})

test('lets a student read classes but not change them', async () => {
  const sensei = await server.createSensei()
  const { id } = await server.createClass(sensei)
  const student = await server.createStudent(sensei)
  expect((await student.get('/classes')).body).toHaveLength(1)
  const responses = [
    await student.post('/classes', exampleClass()),
    await student.put(`/classes/${id}`, exampleClass()),
    await student.delete(`/classes/${id}`),
  ]
  expect(responses.map(({ status }) => status)).toEqual([403, 403, 403])
})
