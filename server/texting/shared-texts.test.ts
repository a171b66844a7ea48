import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { monthIn } from '../dojos/calendar.ts'
import { setClock } from '../test/clock.ts'
import { backdateReminderNotice } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { receiveStatus, recordAccepted } from './delivery/outcomes.ts'
import { sendDueReminder, sendWaitingReminders } from '../messages/reminders.ts'

const server = await startTestServer()
const cancellation = {
  message_type: 'weather_cancel',
  custom_message: 'Hi {name}, no class today.',
}
const FAMILY_PHONE = '(512) 555-4400'
/** Twilio's error codes */
const UNREACHABLE_PHONE = 30003
const UNKNOWN_NUMBER = 30005

async function createFamily(...names: string[]) {
  const sensei = await server.createSensei()
  const students = []
  for (const name of names)
    students.push(await server.createStudent(sensei, { name, phone_number: FAMILY_PHONE }))
  const inDojo = <Row extends object>(query: ReturnType<typeof sql>) =>
    server.db.inDojo(
      sensei.dojoId,
      async (tx) => (await tx.execute<Row & Record<string, unknown>>(query)).rows as Row[],
    )
  const send = async (message: object = cancellation) =>
    (await sensei.post('/sms/send-bulk-message', message)).body
  const readTexts = async (id: string) => (await sensei.get(`/sms/batches/${id}`)).body.texts
  const countUsedTexts = async () => (await sensei.get('/daily-message-usage')).body.message_count
  /** Reports a status of every queued text of the dojo, as the provider does. */
  async function reportStatus(
    status: 'delivered' | 'undelivered',
    errorCode: number | null = null,
  ) {
    const queuedTexts = await inDojo<{ id: string }>(
      sql`update messages set state = 'sending'
        where state = 'queued' and sent_with is null returning id`,
    )
    const hasCallbacks = true
    for (const { id } of queuedTexts) {
      const providerId = `SM${newId()}`
      await server.db.inDojo(sensei.dojoId, (tx) =>
        recordAccepted(
          tx,
          { id, dojo_id: sensei.dojoId, account_sid: null },
          { id: providerId, status: 'accepted', errorCode: null },
          hasCallbacks,
        ),
      )
      await server.db.withoutDojo((tx) => receiveStatus(tx, { id: providerId, status, errorCode }))
    }
    return queuedTexts.length
  }
  return { sensei, students, inDojo, send, readTexts, countUsedTexts, reportStatus }
}
type Text = { name: string; text: string; state: string; text_id: string; reason: string | null }
const describeTexts = (texts: Text[]) =>
  texts.map(({ name, text, state }) => `${name}: ${text} (${state})`)

test('sends one text per phone with all its students’ names', async () => {
  const { sensei, send, readTexts, countUsedTexts, reportStatus } = await createFamily(
    'Mia Chen',
    'Leo Chen',
    'Ana Chen',
  )
  await server.createStudent(sensei, { name: 'Ken Adams' })
  const preview = (await sensei.post('/sms/preview', cancellation)).body
  expect(preview).toMatchObject({ total_recipients: 4, total_texts: 2, total_segments: 2 })
  expect(
    preview.students.map(({ name, texts: textNumbers }: { name: string; texts: number[] }) => [
      name,
      textNumbers,
    ]),
  ).toEqual([
    ['Ana Chen', [0]],
    ['Ken Adams', [1]],
    ['Leo Chen', [0]],
    ['Mia Chen', [0]],
  ])
  const result = await send()
  expect(result).toMatchObject({
    success_count: 4,
    successful_sends: 4,
    total_recipients: 4,
    total_texts: 2,
  })
  expect(await countUsedTexts()).toBe(2)
  expect(await reportStatus('delivered')).toBe(2)
  expect(describeTexts(await readTexts(result.batch_id))).toEqual([
    'Ana Chen: Hi Ana, Leo and Mia, no class today. (delivered)',
    'Ken Adams: Hi Ken, no class today. (delivered)',
    'Leo Chen: Hi Ana, Leo and Mia, no class today. (delivered)',
    'Mia Chen: Hi Ana, Leo and Mia, no class today. (delivered)',
  ])
  expect((await sensei.get(`/sms/batches/${result.batch_id}`)).body.counts).toMatchObject({
    total: 4,
    delivered: 4,
  })
})

test('recognizes the same phone number in different spellings', async () => {
  const sensei = await server.createSensei()
  for (const [name, phone_number] of [
    ['Leo Chen', '512-555-4401'],
    ['Mia Chen', '+1 (512) 555 4401'],
  ] as const)
    await server.createStudent(sensei, { name, phone_number })
  expect((await sensei.post('/sms/send-bulk-message', cancellation)).body).toMatchObject({
    total_recipients: 2,
    total_texts: 1,
  })
})

test('counts texts toward the allowance, not students', async () => {
  const superAdmin = await server.signInSuperAdmin()
  const { sensei, send } = await createFamily('Leo Chen', 'Mia Chen')
  await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 1 })
  expect(await send()).toMatchObject({ total_recipients: 2, total_texts: 1 })
  await server.createStudent(sensei, { name: 'Ken Adams' })
  await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 2 })
  expect((await sensei.post('/sms/send-bulk-message', cancellation)).body.detail).toBe(
    'This message needs 2 texts but only 1 remain today.',
  )
  await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 10_000 })
})

test('sends a failed text again once for all its students', async () => {
  const { sensei, send, readTexts, countUsedTexts, reportStatus } = await createFamily(
    'Leo Chen',
    'Mia Chen',
  )
  const { batch_id } = await send()
  await reportStatus('undelivered', UNREACHABLE_PHONE)
  const failedTexts = await readTexts(batch_id)
  expect(failedTexts.map(({ state, reason }: Text) => [state, reason])).toEqual(
    ['Leo', 'Mia'].map(() => ['undelivered', 'The phone was off or could not be reached']),
  )
  expect(
    (await sensei.post(`/sms/batches/${batch_id}/send-again`, { message_ids: [failedTexts[1].id] }))
      .body,
  ).toEqual({ success: true, total_recipients: 2, total_texts: 1 })
  expect(await countUsedTexts()).toBe(2)
  expect(await reportStatus('delivered')).toBe(1)
  expect((await readTexts(batch_id)).map(({ state }: Text) => state)).toEqual([
    'delivered',
    'delivered',
  ])
})

test('skips students whose number was reported as undeliverable', async () => {
  const { sensei, send, reportStatus } = await createFamily('Leo Chen', 'Mia Chen')
  await send()
  await reportStatus('undelivered', UNKNOWN_NUMBER)
  const readReasons = async () =>
    (await sensei.post('/sms/preview', cancellation)).body.students.map(
      ({ reason }: Text) => reason,
    )
  expect(await readReasons()).toEqual(['no_valid_phone', 'no_valid_phone'])
})

test('regroups a failed text if a student has a new phone or is on vacation', async () => {
  const { sensei, students, send, readTexts, reportStatus } = await createFamily(
    'Leo Chen',
    'Mia Chen',
    'Ana Chen',
  )
  const { batch_id } = await send()
  await reportStatus('undelivered', UNREACHABLE_PHONE)
  const leo = students[0]!
  const mia = students[1]!
  const readForm = async (id: string) =>
    (await sensei.get('/students')).body.find((student: { id: string }) => student.id === id)
  await sensei.put(`/students/${leo.id}`, {
    ...(await readForm(leo.id)),
    phone_number: '(512) 555-4409',
  })
  await sensei.put(`/students/${mia.id}`, { ...(await readForm(mia.id)), on_vacation: true })
  expect((await sensei.post(`/sms/batches/${batch_id}/send-again`)).body).toMatchObject({
    total_recipients: 2,
    total_texts: 2,
  })
  const regroupedTexts: (Text & { phone_number: string })[] = await readTexts(batch_id)
  expect(
    regroupedTexts.map(({ name, text, phone_number, state, reason }) => [
      name,
      text,
      phone_number,
      state,
      reason,
    ]),
  ).toEqual([
    ['Ana Chen', 'Hi Ana, no class today.', '+15125554400', 'queued', null],
    ['Leo Chen', 'Hi Leo, no class today.', '+15125554409', 'queued', null],
    ['Mia Chen', 'Hi Mia, no class today.', '+15125554400', 'undelivered', 'On vacation'],
  ])
  expect(new Set(regroupedTexts.map(({ text_id }) => text_id)).size).toBe(3)
})

test('skips students who paid while their reminder was waiting', async () => {
  setClock('2027-03-01T16:30:00Z')
  const superAdmin = await server.signInSuperAdmin()
  const { sensei, students, readTexts, inDojo } = await createFamily(
    'Leo Chen',
    'Mia Chen',
    'Ana Chen',
  )
  await server.createStudent(sensei, { name: 'Zoe Young' })
  await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 1 })
  await backdateReminderNotice(server.db, sensei.dojoId)
  await server.db.inDojo(sensei.dojoId, (tx) => sendDueReminder(tx, sensei.dojoId, '2027-03-01'))
  const [{ id }] = (await sensei.get('/sms/batches')).body
  const readStates = async () =>
    (await readTexts(id)).map(({ name, state }: Text) => `${name} ${state}`)
  expect(await readStates()).toEqual([
    'Ana Chen queued',
    'Leo Chen queued',
    'Mia Chen queued',
    'Zoe Young waiting',
  ])
  // Now the family's text waits, too, and Ana pays.
  await inDojo(sql`update messages set state = 'waiting', due_at = null, allowance_day = null`)
  setClock('2027-03-02T16:30:00Z') // The next day
  const { month, year } = monthIn('America/Chicago')
  await sensei.post('/payment-records', {
    student_id: students[2]!.id,
    payment_month: month,
    payment_year: year,
    payment_status: 'paid',
  })
  await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 2 })
  await server.db.inDojo(sensei.dojoId, (tx) => sendWaitingReminders(tx, sensei.dojoId))
  expect(describeTexts(await readTexts(id))).toEqual([
    'Ana Chen: null (skipped)',
    'Leo Chen: Hi Leo and Mia, your monthly fee is due today. Thank you! (queued)',
    'Mia Chen: Hi Leo and Mia, your monthly fee is due today. Thank you! (queued)',
    'Zoe Young: Hi Zoe, your monthly fee is due today. Thank you! (queued)',
  ])
  await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 10_000 })
})

test('keeps a shared text, without the name, when one of its students is deleted', async () => {
  const { sensei, students, send, readTexts, reportStatus, inDojo } = await createFamily(
    'Ana Chen',
    'Leo Chen',
    'Mia Chen',
  )
  const firstBatch = await send()
  await reportStatus('delivered')
  const secondBatch = await send()
  for (const { id } of students.slice(0, 2)) await sensei.delete(`/students/${id}`)
  expect(describeTexts(await readTexts(firstBatch.batch_id))).toEqual([
    'Mia Chen: Hi Mia, no class today. (delivered)',
  ])
  expect(describeTexts(await readTexts(secondBatch.batch_id))).toEqual([
    'Mia Chen: Hi Mia, no class today. (queued)',
  ])
  expect(await reportStatus('delivered')).toBe(1)
  expect(describeTexts(await readTexts(secondBatch.batch_id))).toEqual([
    'Mia Chen: Hi Mia, no class today. (delivered)',
  ])
  expect(
    await inDojo(sql`select 1 from messages where text like '%Ana%' or text like '%Leo%'`),
  ).toEqual([])
})

test('deletes a shared text in doubt when one of its students is deleted', async () => {
  const { sensei, students, send, readTexts, inDojo } = await createFamily('Leo Chen', 'Mia Chen')
  const { batch_id } = await send()
  await inDojo(sql`update messages set state = 'in_doubt'`)
  await sensei.delete(`/students/${students[1]!.id}`)
  expect(await readTexts(batch_id)).toBeUndefined()
  expect(await inDojo(sql`select text from messages`)).toEqual([])
})
