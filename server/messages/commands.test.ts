import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'
import { startTestWorker } from '../test/texting-worker.ts'
import { findAbsentees } from './commands.ts'

const server = await startTestServer()
const stopWorker = startTestWorker(server, {
  publicUrl: 'http://localhost',
  smsProvider: 'simulator',
  smsPerSecond: 1000,
})
afterAll(stopWorker)
// A Monday at 9 AM in Austin.
beforeEach(() => setClock('2027-03-01T15:00:00Z'))

const MONDAY = '2027-03-01'
const TUESDAY = '2027-03-02'
const WEDNESDAY = '2027-03-03'
let phoneCount = 0
async function createFamily() {
  const sensei = await server.createSensei()
  phoneCount += 1
  const phone = `+1512555${6000 + phoneCount}`
  const kids = await server.createClass(sensei, {
    class_name: 'Kids Judo',
    class_days: ['monday', 'wednesday'],
  })
  const teens = await server.createClass(sensei, { class_name: 'Teens', class_days: ['tuesday'] })
  const leo = await server.createStudent(sensei, {
    name: 'Leo Chen',
    phone_number: phone,
    enrolled_classes: [kids.id],
  })
  const mia = await server.createStudent(sensei, {
    name: 'Mia Chen',
    phone_number: phone,
    enrolled_classes: [kids.id, teens.id],
  })
  const ana = await server.createStudent(sensei, {
    name: 'Ana Chen',
    phone_number: phone,
    enrolled_classes: [teens.id],
  })
  const write = (text: string) =>
    sensei.post('/sms/simulated/incoming', { phone_number: phone, text })
  const readThread = async () =>
    (await sensei.get(`/sms/conversations/${encodeURIComponent(phone)}/messages`)).body
  const readReceivedText = async () =>
    (await readThread()).find(({ direction }: { direction: string }) => direction === 'in')
  const readAnswers = async () =>
    (await readThread())
      .filter(({ kind }: { kind: string }) => kind === 'auto_reply')
      .map(({ text }: { text: string }) => text)
  const listExcuses = async () =>
    (await sensei.get('/excuses')).body
      .map(
        (excuse: { student_name: string; class_name: string; class_date: string }) =>
          `${excuse.student_name}, ${excuse.class_name}, ${excuse.class_date}`,
      )
      .toSorted()
  const countUsedTexts = async () => (await sensei.get('/daily-message-usage')).body.message_count
  return {
    sensei,
    phone,
    kids,
    teens,
    leo,
    mia,
    ana,
    write,
    readReceivedText,
    readAnswers,
    listExcuses,
    countUsedTexts,
  }
}

describe('OUT', () => {
  test('excuses all students on the next class day, without using the allowance', async () => {
    const { write, readAnswers, listExcuses, countUsedTexts } = await createFamily()
    await write('out.')
    expect(await listExcuses()).toEqual([
      `Leo Chen, Kids Judo, ${MONDAY}`,
      `Mia Chen, Kids Judo, ${MONDAY}`,
    ])
    expect(await readAnswers()).toEqual([
      'Leo and Mia are excused from Kids Judo on Monday, March 1.',
    ])
    expect(await countUsedTexts()).toBe(0)
  })

  test('excuses only the named students, from their own next class', async () => {
    const { write, readAnswers, listExcuses } = await createFamily()
    // With another word, it is an ordinary message.
    await write('Out Ana please')
    expect(await listExcuses()).toEqual([])
    await write('OUT ana')
    expect(await listExcuses()).toEqual([`Ana Chen, Teens, ${TUESDAY}`])
    expect(await readAnswers()).toEqual(['Ana is excused from Teens on Tuesday, March 2.'])
  })

  test('skips a class in which the student is already marked', async () => {
    const { sensei, kids, leo, mia, write, listExcuses } = await createFamily()
    for (const { id } of [leo, mia])
      await sensei.post('/attendance', {
        student_id: id,
        class_id: kids.id,
        class_date: MONDAY,
        present: true,
      })
    await write('OUT Leo')
    expect(await listExcuses()).toEqual([`Leo Chen, Kids Judo, ${WEDNESDAY}`])
    await write('OUT')
    expect(await listExcuses()).toEqual([
      `Ana Chen, Teens, ${TUESDAY}`,
      `Leo Chen, Kids Judo, ${WEDNESDAY}`,
      `Mia Chen, Teens, ${TUESDAY}`,
    ])
  })

  test('uses the next day once the class is over, and says if there is no class', async () => {
    const { sensei, write, readAnswers, listExcuses } = await createFamily()
    setClock('2027-03-01T23:30:00Z') // 5:30 PM in Austin
    await write('OUT')
    expect(await listExcuses()).toEqual([
      `Ana Chen, Teens, ${TUESDAY}`,
      `Mia Chen, Teens, ${TUESDAY}`,
    ])
    const phoneWithoutClass = '+15125559901'
    await server.createStudent(sensei, { name: 'Zoe Young', phone_number: phoneWithoutClass })
    await sensei.post('/sms/simulated/incoming', { phone_number: phoneWithoutClass, text: 'OUT' })
    const [answer] = (
      await sensei.get(`/sms/conversations/${encodeURIComponent(phoneWithoutClass)}/messages`)
    ).body
    expect([answer.text, (await readAnswers()).length]).toEqual([
      'Zoe has no class in the next two weeks.',
      1,
    ])
  })

  test('can be undone, but the undo keeps an excuse that somebody entered earlier', async () => {
    const { sensei, kids, leo, write, readReceivedText, listExcuses } = await createFamily()
    await sensei.post('/excuses', { student_id: leo.id, class_id: kids.id, class_date: MONDAY })
    await write('OUT')
    const { actions } = await readReceivedText()
    expect(actions).toMatchObject([
      {
        command: 'out',
        student_name: 'Mia Chen',
        class_name: 'Kids Judo',
        class_date: MONDAY,
        undone_at: null,
      },
    ])
    const undo = () => sensei.put(`/sms/reply-actions/${actions[0].id}/undo`)
    expect([(await undo()).body, (await undo()).body]).toEqual([
      { success: true },
      { success: true },
    ])
    expect(await listExcuses()).toEqual([`Leo Chen, Kids Judo, ${MONDAY}`])
    expect((await readReceivedText()).actions).toMatchObject([{ undone_at: expect.any(String) }])
    const otherSensei = await server.createSensei()
    expect((await otherSensei.put(`/sms/reply-actions/${actions[0].id}/undo`)).status).toBe(404)
  })

  test('keeps an excuse that was entered again before the undo', async () => {
    const { sensei, kids, leo, write, readReceivedText, listExcuses } = await createFamily()
    await write('OUT')
    const { actions } = await readReceivedText()
    const target = { student_id: leo.id, class_id: kids.id, class_date: MONDAY }
    await sensei.delete(`/excuses?${new URLSearchParams(target).toString()}`)
    await sensei.post('/excuses', target)
    for (const { id } of actions) await sensei.put(`/sms/reply-actions/${id}/undo`)
    expect(await listExcuses()).toEqual([`Leo Chen, Kids Judo, ${MONDAY}`])
  })

  test('does nothing while it is turned off, or for an unknown number', async () => {
    const { sensei, write, readAnswers, listExcuses } = await createFamily()
    await sensei.post('/sms/simulated/incoming', { phone_number: '+15125559902', text: 'OUT' })
    expect(
      (await sensei.put('/sms/reply-settings', { out_enabled: false, ok_enabled: true })).body,
    ).toEqual({ success: true, out_enabled: false, ok_enabled: true })
    await write('OUT')
    expect([await listExcuses(), await readAnswers()]).toEqual([[], []])
    expect((await sensei.get('/sms/reply-settings')).body).toEqual({
      out_enabled: false,
      ok_enabled: true,
    })
  })

  test('answers a phone at most ten times a day', async () => {
    const { write, readAnswers } = await createFamily()
    for (let times = 0; times < 12; times += 1) await write('OUT')
    expect(await readAnswers()).toHaveLength(10)
  })

  test.each([
    ['OUT', 'Leo Mia Ana'],
    [' “Out.” ', 'Leo Mia Ana'],
    ['out!', 'Leo Mia Ana'],
    ['OUT Leo', 'Leo'],
    ['out: leo chen, and MIA', 'Leo Mia'],
    ['Out René', 'Rene'],
    ['out of town next week', ''],
    ['OUT Bob', ''],
  ])('reads %j as an absence of %j', (text, names) => {
    const family = ['Leo Chen', 'Mia Chen', 'Ana Chen'].concat(
      text.includes('René') ? ['Rene Chen'] : [],
    )
    const holders = family.map((name) => ({
      student_id: name,
      name,
      holder: 'student' as const,
      holder_name: null,
    }))
    expect(
      findAbsentees(text, holders)
        .map(({ name }) => name.split(' ')[0])
        .join(' '),
    ).toBe(names)
  })
})

describe('OK', () => {
  const cancellation = {
    message_type: 'weather_cancel',
    custom_message: 'Hi {name}, no class today.',
  }
  async function sendCancellation() {
    const family = await createFamily()
    await server.createStudent(family.sensei, { name: 'Ken Adams' })
    const { batch_id } = (await family.sensei.post('/sms/send-bulk-message', cancellation)).body
    const readBatch = async () => (await family.sensei.get(`/sms/batches/${batch_id}`)).body
    await expect.poll(async () => (await readBatch()).counts.queued, { timeout: 10_000 }).toBe(0)
    const listAcknowledgedStudents = async () =>
      (await readBatch()).texts.flatMap((text: { name: string; acknowledged_at: string | null }) =>
        text.acknowledged_at ? [text.name] : [],
      )
    return { ...family, readBatch, listAcknowledgedStudents }
  }

  test('acknowledges the last cancellation for all students, and can be undone', async () => {
    const { sensei, write, readAnswers, readReceivedText, readBatch, listAcknowledgedStudents } =
      await sendCancellation()
    await write('Ok!')
    expect(await listAcknowledgedStudents()).toEqual(['Ana Chen', 'Leo Chen', 'Mia Chen'])
    expect((await readBatch()).counts).toMatchObject({ total: 4, acknowledged: 3 })
    expect(await readAnswers()).toEqual(['Thank you. Your instructor can see that you read this.'])
    const { actions } = await readReceivedText()
    expect(actions).toMatchObject([{ command: 'ok', undone_at: null }])
    await sensei.put(`/sms/reply-actions/${actions[0].id}/undo`)
    expect(await listAcknowledgedStudents()).toEqual([])
  })

  test('cannot come from students who got no text, so the batch has a number to call', async () => {
    const { sensei } = await createFamily()
    // These students have no valid phone of their own.
    const phones = { phone_number: '1', emergency_contact_phone: '512 555 0149' }
    await server.createStudent(sensei, { name: 'Zed Adams', ...phones })
    const zoe = await server.createStudent(sensei, { name: 'Zoe Adams', ...phones })
    await server.createGuardian(sensei, [zoe], { phone: '(512) 555-0143' })
    await sensei.post(`/sms/phones/${encodeURIComponent('+15125550143')}/consents`, {
      event: 'revoked',
      given_by: 'Ann Adams',
    })
    const { batch_id } = (await sensei.post('/sms/send-bulk-message', cancellation)).body
    const { texts } = (await sensei.get(`/sms/batches/${batch_id}`)).body
    expect(texts.filter(({ state }: { state: string }) => state === 'skipped')).toMatchObject([
      {
        name: 'Zed Adams',
        reason: 'No valid phone number',
        phone_number: null,
        call_phone: '+15125550149',
      },
      {
        name: 'Zoe Adams',
        reason: 'Opted out of texts',
        phone_number: null,
        call_phone: '+15125550143',
      },
    ])
  })

  test('is an ordinary message if OK is off, after three days, or with other words', async () => {
    const familyWithoutCancellation = await createFamily()
    await familyWithoutCancellation.write('OK')
    expect(await familyWithoutCancellation.readAnswers()).toEqual([])
    const { sensei, write, readAnswers, listAcknowledgedStudents } = await sendCancellation()
    await sensei.put('/sms/reply-settings', { out_enabled: true, ok_enabled: false })
    await write('OK')
    await sensei.put('/sms/reply-settings', { out_enabled: true, ok_enabled: true })
    await write('ok, but what about Friday?')
    setClock('2027-03-04T15:00:00Z') // Three days later
    await write('OK')
    expect([await readAnswers(), await listAcknowledgedStudents()]).toEqual([[], []])
  })
})
