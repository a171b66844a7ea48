import { withoutRights } from '@tatami/contract/rights'
import { expect, test } from 'vitest'
import { exampleStudent } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const PHONE = '+15125550142'

/** Creates a school where Kim did everything before her work ended. */
async function createSchoolAfterKim() {
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  const ken = await server.createStudent(sensei, {
    enrolled_classes: [class_id],
    phone_number: PHONE,
  })
  const kim = await server.createStaff(sensei, { rights: withoutRights('staff') })
  const replies = [
    await kim.post('/attendance', {
      student_id: ken.id,
      class_id,
      class_date: '2026-03-02',
      present: true,
    }),
    await kim.post('/payments', { student_id: ken.id, amount: 40, method: 'cash' }),
    await kim.put(`/students/${ken.id}`, { ...exampleStudent(), ...ken, belt_level: 'yellow' }),
    await kim.put(`/students/${ken.id}/notes`, { private_notes: 'Shy' }),
    await kim.post('/sms/send-bulk-message', {
      message_type: 'class_cancel',
      custom_message: 'Class is on.',
      selected_students: [ken.id],
    }),
    await kim.post('/sms/messages', { student_ids: [ken.id], text: 'See you' }),
    await kim.put(`/cash-counts/${await readToday(sensei)}`, { counted: 40 }),
    await sensei.post(`/staff/${kim.id}/end`, {}),
  ]
  expect(replies.map(({ status, body }) => [status, body.detail])).toEqual(
    replies.map(() => [200, undefined]),
  )
  return { sensei, ken, kim }
}

type Client = Pick<Awaited<ReturnType<typeof server.createSensei>>, 'get'>
const readToday = async (client: Client): Promise<string> =>
  (await client.get('/cash-counts')).body.date

test('the owner sees who did everything, even after that person’s work ended', async () => {
  const { sensei, ken } = await createSchoolAfterKim()
  const readBody = async (path: string) => (await sensei.get(path)).body
  expect(await readBody('/attendance')).toMatchObject([{ marked_by: 'Kim Park' }])
  const { charges, ...account } = await readBody(`/students/${ken.id}/account`)
  expect(JSON.stringify([charges, account])).toContain('"created_by":"Kim Park"')
  const page = await readBody(`/students/${ken.id}`)
  expect(page.belt_changes[0]).toMatchObject({ belt_level: 'yellow', changed_by: 'Kim Park' })
  expect(page.notes_changed_by).toBe('Kim Park')
  expect(await readBody('/sms/batches')).toMatchObject([
    { message_type: 'class_cancel', sender_name: 'Kim Park' },
  ])
  const thread = await readBody(`/sms/conversations/${encodeURIComponent(PHONE)}/messages`)
  const senders = thread.map(({ sender_name }: { sender_name: string }) => sender_name)
  expect(senders).toEqual(['Kim Park', 'Kim Park'])
  const cashDay = await readBody('/cash-counts')
  expect(cashDay.count.counted_by).toBe('Kim Park')
  expect(cashDay.methods).toMatchObject([{ method: 'cash', people: [{ name: 'Kim Park' }] }])
  const log: { actor: string; action: string }[] = await readBody('/audit-log')
  const kimsActions = log.filter(({ actor }) => actor === 'Kim Park').map(({ action }) => action)
  expect(kimsActions).toEqual(
    expect.arrayContaining(['payment taken', 'student changed', 'student notes changed']),
  )
  expect(kimsActions).toEqual(expect.arrayContaining(['texts sent', 'cash counted']))
})

test('students and guardians do not see who did it', async () => {
  const { sensei, ken } = await createSchoolAfterKim()
  const guardian = await server.createGuardian(sensei, [ken])
  const student = await server.signIn(ken.email)
  for (const [client, path] of [
    [student, '/attendance'],
    [guardian, '/attendance'],
    [guardian, '/family/messages'],
  ] as const)
    expect(JSON.stringify((await client.get(path)).body)).not.toContain('Kim')
})
