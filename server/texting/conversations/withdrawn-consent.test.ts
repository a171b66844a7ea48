import { expect, test } from 'vitest'
import { startTestServer } from '../../test/test-server.ts'
import { type ClaimedText, claimNextTexts } from '../delivery/queue.ts'
import { receiveText } from '../../messages/incoming.ts'

const server = await startTestServer()

let phoneCount = 0
let receivedCount = 0
const receiveFrom = (sender: string, text: string) =>
  server.db.withoutDojo((tx) =>
    receiveText(tx, { id: `SM${(receivedCount += 1)}`, from: sender, text }),
  )

async function createStudentWithPhone() {
  const sensei = await server.createSensei()
  const phone = `+1512555${7000 + (phoneCount += 1)}`
  const leo = await server.createStudent(sensei, { name: 'Leo Chen', phone_number: phone })
  const encodedPhone = encodeURIComponent(phone)
  const recordConsent = (event: 'given' | 'revoked') =>
    sensei.post(`/sms/phones/${encodedPhone}/consents`, { event, given_by: 'Ann Chen' })
  const reply = (text: string) =>
    sensei.post(`/sms/conversations/${encodedPhone}/messages`, { text })
  const textLeo = () => sensei.post('/sms/messages', { student_ids: [leo.id], text: 'Hello' })
  const readSkipReason = async () =>
    (await sensei.post('/sms/preview', { message_type: 'weather_cancel', custom_message: 'x' }))
      .body.students[0].reason
  const readEvents = async () =>
    (await sensei.get(`/sms/phones/${encodedPhone}`)).body.consents.map(
      ({ event, source }: { event: string; source: string }) => `${event} ${source}`,
    )
  return { sensei, phone, leo, recordConsent, reply, textLeo, readSkipReason, readEvents }
}

test('sends nothing to a phone without consent, until somebody agrees again', async () => {
  const { sensei, leo, recordConsent, reply, textLeo, readSkipReason } =
    await createStudentWithPhone()
  await recordConsent('given')
  expect(await readSkipReason()).toBe(null)
  await recordConsent('revoked')
  expect(await readSkipReason()).toBe('opted_out')
  expect((await sensei.get(`/students/${leo.id}/phones`)).body).toMatchObject([
    { obstacle: 'withdrawn' },
  ])
  const refusals = [await reply('Hello'), await textLeo()].map(({ status, body }) => [
    status,
    body.detail,
  ])
  expect(refusals).toEqual([
    [409, 'This phone’s owner no longer agrees to texts, so it gets none.'],
    [409, 'Leo Chen no longer agrees to texts and gets none.'],
  ])
  await recordConsent('given')
  expect([await readSkipReason(), (await textLeo()).status]).toEqual([null, 200])
})

test('texts a phone again after START, and confirms that, even after a STOP', async () => {
  const { phone, recordConsent, readSkipReason } = await createStudentWithPhone()
  await recordConsent('revoked')
  await receiveFrom(phone, 'STOP')
  expect(await readSkipReason()).toBe('opted_out')
  await receiveFrom(phone, 'START')
  expect(await readSkipReason()).toBe(null)
  await recordConsent('revoked')
  expect(await receiveFrom(phone, 'START')).toMatch(/^You will get our texts again/)
  expect(await readSkipReason()).toBe(null)
})

test('applies a withdrawal only in the dojo that recorded it', async () => {
  const { phone, recordConsent } = await createStudentWithPhone()
  await recordConsent('revoked')
  const otherSensei = await server.createSensei()
  const mia = await server.createStudent(otherSensei, { phone_number: phone })
  expect(
    (await otherSensei.post('/sms/messages', { student_ids: [mia.id], text: 'Hello' })).status,
  ).toBe(200)
})

test('sends no queued texts after a withdrawal, until it is undone', async () => {
  const { sensei, phone, recordConsent, textLeo } = await createStudentWithPhone()
  const claimOptedOutFlags = async () => {
    const claimedTexts: ClaimedText[] = []
    for (let waitMs: number | null = 0; waitMs !== null;) {
      const claim = await server.db.withoutDojo((tx) => claimNextTexts(tx, 1000, 100))
      claimedTexts.push(...claim.texts)
      waitMs = claim.waitMs
    }
    return claimedTexts
      .filter(({ dojo_id }) => dojo_id === sensei.dojoId)
      .map(({ opted_out }) => opted_out)
  }
  await claimOptedOutFlags()
  await textLeo()
  expect(await claimOptedOutFlags()).toEqual([false])
  await textLeo()
  await recordConsent('revoked')
  expect(await claimOptedOutFlags()).toEqual([true])
  await recordConsent('given')
  await receiveFrom(phone, 'We moved, please stop all this')
  const stopRequest = `/sms/conversations/${encodeURIComponent(phone)}/stop-request`
  await sensei.put(stopRequest, { ends_texts: true })
  await sensei.put(`${stopRequest}/undo`)
  await textLeo()
  expect(await claimOptedOutFlags()).toEqual([false])
})

test('takes "Yes" as consent only from a phone that has opted out', async () => {
  const { sensei, phone, readEvents } = await createStudentWithPhone()
  expect(await receiveFrom(phone, 'Yes.')).toBe(null)
  expect(await readEvents()).toEqual([])
  expect((await sensei.get('/sms/inbox')).body).toMatchObject([{ text: 'Yes.', wish: null }])
  await receiveFrom(phone, 'STOP')
  expect(await receiveFrom(phone, 'YES')).toMatch(/^You will get our texts again/)
  expect(await readEvents()).toEqual(['given START', 'revoked STOP'])
})
