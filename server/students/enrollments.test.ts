import { expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { exampleStudent } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
type Sensei = Awaited<ReturnType<typeof server.createSensei>>
const readClassIds = async (sensei: Sensei, id: string) =>
  (await sensei.get('/students')).body.find((student: { id: string }) => student.id === id)
    .enrolled_classes as string[]

async function createDojo() {
  const sensei = await server.createSensei()
  const { id: kidsId } = await server.createClass(sensei)
  const { id: teensId } = await server.createClass(sensei, { class_name: 'Teens' })
  const { id } = await server.createStudent(sensei, { class_preferences: ['saturday'] })
  return {
    sensei,
    kidsId,
    teensId,
    id,
    enroll: (class_id: string, student_id = id) =>
      sensei.post(`/students/${student_id}/enroll/${class_id}`),
  }
}

test('lists classes in the order of enrollment', async () => {
  const { sensei, kidsId, teensId, id, enroll } = await createDojo()
  expect([(await enroll(teensId)).body, (await enroll(kidsId)).body]).toEqual([
    { success: true },
    { success: true },
  ])
  expect(await readClassIds(sensei, id)).toEqual([teensId, kidsId])
})

test('lists each student’s own classes', async () => {
  const { sensei, kidsId, teensId, id, enroll } = await createDojo()
  const { id: otherStudentId } = await server.createStudent(sensei, {
    class_preferences: ['saturday'],
  })
  await enroll(teensId)
  await enroll(kidsId, otherStudentId)
  await enroll(kidsId)
  expect([await readClassIds(sensei, id), await readClassIds(sensei, otherStudentId)]).toEqual([
    [teensId, kidsId],
    [kidsId],
  ])
})

test('ignores a repeated or simultaneous enrollment', async () => {
  const { sensei, kidsId, id, enroll } = await createDojo()
  const responses = await Promise.all([1, 2, 3, 4].map(() => enroll(kidsId)))
  expect([...responses, await enroll(kidsId)].map(({ status }) => status)).toEqual([
    200, 200, 200, 200, 200,
  ])
  expect(await readClassIds(sensei, id)).toEqual([kidsId])
})

test('responds with 404 for a class or student that is unknown or in another dojo', async () => {
  const { sensei, kidsId, id, enroll } = await createDojo()
  const otherDojo = await createDojo()
  for (const class_id of [otherDojo.kidsId, newId()]) {
    const { status, body } = await enroll(class_id)
    expect([status, body]).toEqual([404, { detail: 'Class not found' }])
  }
  for (const student_id of [otherDojo.id, newId()]) {
    const { status, body } = await enroll(kidsId, student_id)
    expect([status, body]).toEqual([404, { detail: 'Student not found' }])
  }
  for (const path of [`/students/x/enroll/${kidsId}`, `/students/${id}/enroll/x`])
    expect((await sensei.post(path)).status).toBe(404)
  expect([
    await readClassIds(sensei, id),
    await readClassIds(otherDojo.sensei, otherDojo.id),
  ]).toEqual([[], []])
})

test('editing a student replaces their classes unless the form omits them', async () => {
  const { sensei, kidsId, teensId, id, enroll } = await createDojo()
  await enroll(kidsId)
  async function editClasses(enrolled_classes: string[] | undefined) {
    const form = exampleStudent({ class_preferences: ['saturday'], enrolled_classes })
    const { body } = await sensei.put(`/students/${id}`, form)
    return body.student.enrolled_classes
  }
  expect(await editClasses(undefined)).toEqual([kidsId])
  expect(await editClasses([kidsId, teensId])).toEqual([kidsId, teensId])
  expect(await editClasses([teensId])).toEqual([teensId])
  expect(await editClasses([])).toEqual([])
})

test('ignores a request body', async () => {
  const { sensei, kidsId, id } = await createDojo()
  expect((await sensei.post(`/students/${id}/enroll/${kidsId}`, {})).status).toBe(200)
  expect(
    (await sensei.post(`/students/${id}/enroll/${kidsId}`, { student_id: newId() })).status,
  ).toBe(200)
})
