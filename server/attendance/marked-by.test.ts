import { beforeEach, expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

let sensei: Awaited<ReturnType<typeof server.createSensei>>
let class_id: string
let ken: Awaited<ReturnType<typeof server.createStudent>>
beforeEach(async () => {
  sensei = await server.createSensei()
  class_id = (await server.createClass(sensei)).id
  ken = await server.createStudent(sensei, { enrolled_classes: [class_id] })
})

type Client = Pick<typeof sensei, 'get' | 'post'>
const mark = (client: Client, class_date: string) =>
  client.post('/attendance', { student_id: ken.id, class_id, class_date, present: true })
const readMarkers = async (client: Client): Promise<(string | null)[]> =>
  (await client.get('/attendance')).body.map(
    ({ marked_by }: { marked_by: string | null }) => marked_by,
  )

test('shows the owner who marked, even after that person left the staff', async () => {
  const kim = await server.createStaff(sensei, { rights: ['roll', 'students.read'] })
  await mark(kim, '2026-03-02')
  await mark(sensei, '2026-03-04')
  await sensei.post(`/staff/${kim.id}/end`, {})
  expect(await readMarkers(sensei)).toEqual([sensei.name, 'Kim Park'])
})

test('shows only the person who changed a mark last', async () => {
  const kim = await server.createStaff(sensei, { rights: ['roll'] })
  await mark(kim, '2026-03-02')
  await mark(sensei, '2026-03-02')
  expect(await readMarkers(sensei)).toEqual([sensei.name])
})

test('hides who marked from other staff, students and guardians', async () => {
  const kim = await server.createStaff(sensei, { rights: ['roll', 'students.read'] })
  await mark(kim, '2026-03-02')
  const guardian = await server.createGuardian(sensei, [ken])
  for (const client of [kim, await server.signIn(ken.email), guardian])
    expect(await readMarkers(client)).toEqual([null])
})

test('shows no names in a school where only the owner works', async () => {
  await mark(sensei, '2026-03-02')
  expect(await readMarkers(sensei)).toEqual([null])
})
