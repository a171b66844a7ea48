import { expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { exampleStudent } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
type Sensei = Awaited<ReturnType<typeof server.createSensei>>
const classesOf = async (sensei: Sensei, id: string) =>
  (await sensei.get('/students')).body.find((student: { id: string }) => student.id === id)
    .enrolled_classes as string[]

async function createDojo() {
  const sensei = await server.createSensei()
  const { id: kids } = await server.createClass(sensei)
  const { id: teens } = await server.createClass(sensei, { class_name: 'Teens' })
  const { id } = await server.createStudent(sensei, { class_preferences: ['saturday'] })
  return {
    sensei,
    kids,
    teens,
    id,
    enroll: (class_id: string, student_id = id) =>
      sensei.post(`/students/${student_id}/enroll/${class_id}`),
  }
}

test('lists classes in the order of enrollment', async () => {
  const { sensei, kids, teens, id, enroll } = await createDojo()
  expect([(await enroll(teens)).body, (await enroll(kids)).body]).toEqual([
    { success: true },
    { success: true },
  ])
  expect(await classesOf(sensei, id)).toEqual([teens, kids])
})

test('lists each student’s own classes', async () => {
  const { sensei, kids, teens, id, enroll } = await createDojo()
  const { id: otherStudentId } = await server.createStudent(sensei, {
    class_preferences: ['saturday'],
  })
  await enroll(teens)
  await enroll(kids, otherStudentId)
  await enroll(kids)
  expect([await classesOf(sensei, id), await classesOf(sensei, otherStudentId)]).toEqual([
    [teens, kids],
    [kids],
  ])
})

test('ignores a repeated enrollment, even a simultaneous one', async () => {
  const { sensei, kids, id, enroll } = await createDojo()
  const responses = await Promise.all([1, 2, 3, 4].map(() => enroll(kids)))
  expect([...responses, await enroll(kids)].map(({ status }) => status)).toEqual([
    200, 200, 200, 200, 200,
  ])
  expect(await classesOf(sensei, id)).toEqual([kids])
})

test('responds with 404 for an unknown class or student, or another dojo’s', async () => {
  const { sensei, kids, id, enroll } = await createDojo()
  const otherDojo = await createDojo()
  for (const class_id of [otherDojo.kids, newId()]) {
    const { status, body } = await enroll(class_id)
    expect([status, body]).toEqual([404, { detail: 'Class not found' }])
  }
  for (const student_id of [otherDojo.id, newId()]) {
    const { status, body } = await enroll(kids, student_id)
    expect([status, body]).toEqual([404, { detail: 'Student not found' }])
  }
  for (const path of [`/students/x/enroll/${kids}`, `/students/${id}/enroll/x`])
    expect((await sensei.post(path)).status).toBe(404)
  expect([await classesOf(sensei, id), await classesOf(otherDojo.sensei, otherDojo.id)]).toEqual([
    [],
    [],
  ])
})

test('replaces the classes if an edit has a list of them, even an empty one', async () => {
  const { sensei, kids, teens, id, enroll } = await createDojo()
  await enroll(kids)
  const edit = async (changes: object) =>
    (
      await sensei.put(`/students/${id}`, {
        ...exampleStudent({ class_preferences: ['saturday'], enrolled_classes: undefined }),
        ...changes,
      })
    ).body.student.enrolled_classes
  expect(await edit({})).toEqual([kids])
  expect(await edit({ enrolled_classes: [kids, teens] })).toEqual([kids, teens])
  expect(await edit({ enrolled_classes: [teens] })).toEqual([teens])
  expect(await edit({ enrolled_classes: [] })).toEqual([])
})

test('ignores a request body', async () => {
  const { sensei, kids, id } = await createDojo()
  expect((await sensei.post(`/students/${id}/enroll/${kids}`, {})).status).toBe(200)
  expect(
    (await sensei.post(`/students/${id}/enroll/${kids}`, { student_id: newId() })).status,
  ).toBe(200)
})
