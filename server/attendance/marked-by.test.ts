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
const markersSeenBy = async (client: Client): Promise<(string | null)[]> =>
  (await client.get('/attendance')).body.map(
    ({ marked_by }: { marked_by: string | null }) => marked_by,
  )

test('the owner sees who marked, also after the work ended', async () => {
  const kim = await server.createStaff(sensei, { rights: ['roll', 'students.read'] })
  await mark(kim, '2026-03-02')
  await mark(sensei, '2026-03-04')
  await sensei.post(`/staff/${kim.id}/end`, {})
  expect(await markersSeenBy(sensei)).toEqual([sensei.name, 'Kim Park'])
})

test('the latest marker counts', async () => {
  const kim = await server.createStaff(sensei, { rights: ['roll'] })
  await mark(kim, '2026-03-02')
  await mark(sensei, '2026-03-02')
  expect(await markersSeenBy(sensei)).toEqual([sensei.name])
})

test('nobody else sees who marked: neither other staff nor students and guardians', async () => {
  const kim = await server.createStaff(sensei, { rights: ['roll', 'students.read'] })
  await mark(kim, '2026-03-02')
  const guardian = await server.createGuardian(sensei, [ken])
  for (const client of [kim, await server.signIn(ken.email), guardian])
    expect(await markersSeenBy(client)).toEqual([null])
})

test('a school where only the owner works names nobody', async () => {
  await mark(sensei, '2026-03-02')
  expect(await markersSeenBy(sensei)).toEqual([null])
})
