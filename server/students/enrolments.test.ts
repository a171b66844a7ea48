import { expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { exampleStudent } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
type Sensei = Awaited<ReturnType<typeof server.createSensei>>
const classesOf = async (sensei: Sensei, id: string) =>
  (await sensei.get('/students')).body.find((student: { id: string }) => student.id === id)
    .enrolled_classes as string[]

async function aDojo() {
  const sensei = await server.createSensei()
  const { id: kids } = await server.createClass(sensei)
  const { id: teens } = await server.createClass(sensei, { class_name: 'Teens' })
  const { id } = await server.createStudent(sensei, { class_preferences: ['saturday'] })
  return {
    sensei,
    kids,
    teens,
    id,
    enrol: (class_id: string, student_id = id) =>
      sensei.post(`/students/${student_id}/enroll/${class_id}`),
  }
}

test('lists classes in the order of enrollment', async () => {
  const { sensei, kids, teens, id, enrol } = await aDojo()
  expect([(await enrol(teens)).body, (await enrol(kids)).body]).toEqual([
    { success: true },
    { success: true },
  ])
  expect(await classesOf(sensei, id)).toEqual([teens, kids])
})

test('lists each student’s own classes', async () => {
  const { sensei, kids, teens, id, enrol } = await aDojo()
  const { id: otherStudentId } = await server.createStudent(sensei, {
    class_preferences: ['saturday'],
  })
  await enrol(teens)
  await enrol(kids, otherStudentId)
  await enrol(kids)
  expect([await classesOf(sensei, id), await classesOf(sensei, otherStudentId)]).toEqual([
    [teens, kids],
    [kids],
  ])
})

test('ignores a repeated enrollment, even at the same time', async () => {
  const { sensei, kids, id, enrol } = await aDojo()
  const answers = await Promise.all([1, 2, 3, 4].map(() => enrol(kids)))
  expect([...answers, await enrol(kids)].map(({ status }) => status)).toEqual([
    200, 200, 200, 200, 200,
  ])
  expect(await classesOf(sensei, id)).toEqual([kids])
})

test('answers 404 for an unknown class or student, or another dojo’s', async () => {
  const { sensei, kids, id, enrol } = await aDojo()
  const theirs = await aDojo()
  for (const class_id of [theirs.kids, newId()]) {
    const { status, body } = await enrol(class_id)
    expect([status, body]).toEqual([404, { detail: 'Class not found' }])
  }
  for (const student_id of [theirs.id, newId()]) {
    const { status, body } = await enrol(kids, student_id)
    expect([status, body]).toEqual([404, { detail: 'Student not found' }])
  }
  for (const path of [`/students/x/enroll/${kids}`, `/students/${id}/enroll/x`])
    expect((await sensei.post(path)).status).toBe(404)
  expect([await classesOf(sensei, id), await classesOf(theirs.sensei, theirs.id)]).toEqual([[], []])
})

test('replaces the classes if an edit lists some, else keeps them', async () => {
  const { sensei, kids, teens, id, enrol } = await aDojo()
  await enrol(kids)
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
  const { sensei, kids, id } = await aDojo()
  expect((await sensei.post(`/students/${id}/enroll/${kids}`, {})).status).toBe(200)
  expect(
    (await sensei.post(`/students/${id}/enroll/${kids}`, { student_id: newId() })).status,
  ).toBe(200)
})
