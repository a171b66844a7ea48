import { rightsOfPreset } from '@tatami/contract/rights'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { dojos } from '../dojos/tables.ts'
import {
  createGradingDojo,
  type ResponseRow,
  TEST_DAY,
  setClockToNoon,
  TODAY,
} from '../test/grading-dojo.ts'
import { startTestServer } from '../test/test-server.ts'
import { startTestWorker } from '../test/texting-worker.ts'

const server = await startTestServer()
afterAll(
  startTestWorker(server, {
    publicUrl: 'http://localhost',
    smsProvider: 'simulator',
    smsPerSecond: 1000,
  }),
)
beforeEach(() => setClockToNoon(TODAY))

/** Invites Leo and Mia, who share a phone, but not Zoë. */
async function planGradingWithInvitations(overrides: object = {}) {
  const dojo = await createGradingDojo(server)
  const { id } = (await dojo.plan(overrides)).body
  await dojo.invite(id, [dojo.leo, dojo.mia])
  const readAnswers = async () => {
    const { candidates } = (await dojo.sensei.get(`/gradings/${id}`)).body
    return candidates.map(({ name, answer }: ResponseRow) => `${name.split(' ')[0]} ${answer}`)
  }
  return { ...dojo, id, readAnswers }
}

describe('a reply', () => {
  test('records the answer of the students it names, and a later reply changes it', async () => {
    const { phone, textSchool, readAnswers } = await planGradingWithInvitations()
    expect(await textSchool(phone, 'COMING Leo')).toBe(
      'Leo is signed up for the belt test on March 12.',
    )
    expect(await textSchool(phone, '"not  coming mia"')).toBe(
      'Mia is not signed up for the belt test on March 12.',
    )
    expect(await readAnswers()).toEqual(['Leo yes', 'Mia no', 'Zoë none'])
    expect(await textSchool(phone, 'not coming')).toBe(
      'Leo and Mia are not signed up for the belt test on March 12.',
    )
    expect(await readAnswers()).toEqual(['Leo no', 'Mia no', 'Zoë none'])
  })

  test('gets an automatic reply with the school’s own word for a belt test', async () => {
    const { sensei, phone, textSchool, id } = await planGradingWithInvitations()
    await server.db.withoutDojo((tx) =>
      tx.update(dojos).set({ belt_test_name: 'promotion' }).where(eq(dojos.id, sensei.dojoId)),
    )
    expect(await textSchool(phone, 'COMING Leo')).toBe(
      'Leo is signed up for the promotion on March 12.',
    )
    const earlyReply = await sensei.post(`/gradings/${id}/finish`)
    expect(earlyReply.body.detail).toMatch(/^This promotion is on Friday, March 12\./)
  })

  test('is an ordinary message if it is not an answer, or if no invitation is open', async () => {
    const { sensei, zoe, phone, id, textSchool, readAnswers } = await planGradingWithInvitations({
      answer_until: '2027-03-10',
    })
    for (const text of ['Coming late today', 'COMING Zoë', 'We are coming', 'COMINGS'])
      expect(await textSchool(phone, text)).toBe(null)
    expect(await textSchool(zoe.phone_number!, 'COMING')).toBe(null)
    setClockToNoon('2027-03-10')
    expect(await textSchool(phone, 'coming leo')).toBe(
      'Leo is signed up for the belt test on March 12.',
    )
    setClockToNoon('2027-03-11')
    expect(await textSchool(phone, 'not coming')).toBe(null)
    await sensei.put(`/gradings/${id}`, {
      name: 'Spring grading',
      held_on: TEST_DAY,
      fee: 40,
      answer_until: null,
    })
    await sensei.put(`/gradings/${id}/results`, {
      results: [{ student_id: zoe.id, result: 'absent' }],
    })
    expect(await textSchool(phone, 'not coming')).toBe(null)
    expect(await readAnswers()).toEqual(['Leo yes', 'Mia none', 'Zoë none'])
  })

  test('is an answer only for students whom the guardian may see', async () => {
    const { sensei, leo, ann, textSchool, readAnswers } = await planGradingWithInvitations()
    await sensei.put(`/guardians/${ann.id}/students/${leo.id}`, { sees: false })
    expect(await textSchool(ann.phone!, 'COMING')).toBe(
      'Mia is signed up for the belt test on March 12.',
    )
    expect(await readAnswers()).toEqual(['Leo none', 'Mia yes', 'Zoë none'])
  })
})

describe('an answer in the app', () => {
  test('is accepted only from the student, their guardians and instructors', async () => {
    const { sensei, leo, mia, zoe, ann, id, readAnswers } = await planGradingWithInvitations()
    const otherGuardian = await server.createGuardian(sensei, [zoe], { name: 'Uwe Other' })
    const answer = (
      client: { put: typeof sensei.put },
      student: { id: string },
      answerText = 'yes',
    ) => client.put(`/gradings/${id}/answers/${student.id}`, { answer: answerText })
    expect((await answer(leo, leo)).status).toBe(200)
    expect((await answer(ann, mia, 'no')).status).toBe(200)
    // A classmate, another family's guardian, and a student who was not invited.
    for (const [client, student] of [
      [leo, mia],
      [otherGuardian, mia],
      [zoe, zoe],
    ] as const)
      expect((await answer(client, student)).status).toBe(404)
    await sensei.put(`/guardians/${ann.id}/students/${mia.id}`, { sees: false })
    expect((await answer(ann, mia)).status).toBe(404)
    expect(
      (await ann.get('/my/gradings')).body.map(
        (invitation: ResponseRow) => invitation.student_name,
      ),
    ).toEqual(['Leo Chen'])
    expect((await answer(sensei, zoe)).status).toBe(200)
    expect(await readAnswers()).toEqual(['Leo yes', 'Mia no', 'Zoë yes'])
  })

  test('is accepted until the last day in the dojo’s time zone', async () => {
    const { sensei, leo, id } = await planGradingWithInvitations({ answer_until: '2027-03-10' })
    const answer = (client: { put: typeof sensei.put }) =>
      client.put(`/gradings/${id}/answers/${leo.id}`, { answer: 'yes' })
    setClockToNoon('2027-03-10')
    expect((await answer(leo)).status).toBe(200)
    setClockToNoon('2027-03-11')
    const lateReply = await answer(leo)
    expect([lateReply.status, lateReply.body.detail]).toEqual([
      409,
      'You could answer until Wednesday, March 10. Please tell your instructor.',
    ])
    expect((await leo.get('/my/gradings')).body).toMatchObject([
      { answer: 'yes', may_answer: false, fee: 40 },
    ])
    expect((await answer(sensei)).status).toBe(200)
    setClockToNoon('2027-03-13')
    expect((await leo.get('/my/gradings')).body).toEqual([])
  })

  test('shows the fee only to guardians who may see fees', async () => {
    const { sensei, leo, mia, ann } = await planGradingWithInvitations()
    await sensei.put(`/guardians/${ann.id}/students/${mia.id}`, { sees_fees: true })
    const fees = (await ann.get('/my/gradings')).body.map((invitation: ResponseRow) => [
      invitation.student_id,
      invitation.fee,
    ])
    expect(fees).toEqual([
      [leo.id, null],
      [mia.id, 40],
    ])
  })
})

describe('the fee', () => {
  test('is charged once, can be paid or waived, and is written off if the candidate is removed', async () => {
    const { sensei, leo, mia, zoe, id, invite, readCandidate, readCharges } =
      await planGradingWithInvitations()
    await invite(id, [leo, mia])
    expect(await readCharges(leo)).toMatchObject([{ amount: 40, owed: 40, charged_on: TODAY }])
    expect(await readCharges(zoe)).toEqual([])
    // The fee isn't past due before the day of the test.
    const families: { charges: object[] }[] = (await sensei.get('/owing')).body
    expect(families.flatMap(({ charges }) => charges)).toContainEqual({
      due_on: TEST_DAY,
      owed: 40,
    })
    expect(
      [await readCandidate(id, leo), await readCandidate(id, zoe)].map((row) => [
        row.fee,
        row.fee_state,
      ]),
    ).toEqual([
      [40, 'due'],
      [40, 'none'],
    ])
    // Without the charge's id, the payment would pay the current month, which was due earlier.
    await sensei.post('/payments', {
      student_id: leo.id,
      amount: 40,
      charge_id: (await readCandidate(id, leo)).charge_id,
    })
    const paymentForWrongStudent = {
      student_id: mia.id,
      amount: 40,
      charge_id: (await readCandidate(id, leo)).charge_id,
    }
    expect((await sensei.post('/payments', paymentForWrongStudent)).status).toBe(404)
    expect((await readCandidate(id, leo)).fee_state).toBe('paid')
    const waiveReply = await sensei.put(`/gradings/${id}/candidates`, {
      waive_fee: [mia.id, zoe.id],
    })
    expect(waiveReply.body.candidates.map(({ fee_state }: ResponseRow) => fee_state)).toEqual([
      'paid',
      'waived',
      'waived',
    ])
    expect(await readCharges(mia)).toMatchObject([{ amount: 40, owed: 0 }])
    await invite(id, [zoe])
    expect(await readCharges(zoe)).toEqual([])
    // A paid fee must be refunded before the candidate can be removed.
    const paidReply = await sensei.put(`/gradings/${id}/candidates`, { remove: [leo.id] })
    expect([paidReply.status, paidReply.body.detail]).toEqual([
      409,
      'Leo Chen has paid for this belt test. Refund the fee first, or mark them absent.',
    ])
    const [charge] = await readCharges(leo)
    await sensei.post('/refunds', { student_id: leo.id, charge_id: charge.id, amount: 40 })
    expect((await readCandidate(id, leo)).fee_state).toBe('due')
    expect(
      (await sensei.put(`/gradings/${id}/candidates`, { remove: [leo.id] })).body.candidates,
    ).toHaveLength(2)
    expect(await readCharges(leo)).toMatchObject([{ amount: 40, owed: 0 }])
  })

  test('is the rank’s fee if the test has none, and is written off if the test is deleted', async () => {
    const { sensei, leo, mia, zoe, rankIds, plan, invite, readCandidate, readCharges } =
      await createGradingDojo(server)
    await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.execute(`update ranks set fee = 2550 where id = '${rankIds.orange}'`),
    )
    const { id } = (await plan({ fee: null })).body
    await sensei.put(`/gradings/${id}/candidates`, {
      add: [{ student_id: mia.id, to_rank_id: rankIds.orange }],
    })
    await invite(id, [leo, mia, zoe])
    expect(
      [await readCandidate(id, leo), await readCandidate(id, mia)].map((row) => [
        row.fee,
        row.fee_state,
      ]),
    ).toEqual([
      [null, 'none'],
      [25.5, 'due'],
    ])
    // Only staff who may give money back can write off an unpaid fee.
    const coach = await server.createStaff(sensei, { rights: rightsOfPreset('instructor') })
    const removal = { remove: [mia.id] }
    expect((await coach.put(`/gradings/${id}/candidates`, removal)).status).toBe(403)
    expect((await coach.delete(`/gradings/${id}`)).status).toBe(403)
    expect((await sensei.delete(`/gradings/${id}`)).body).toEqual({ success: true })
    expect(await readCharges(mia)).toMatchObject([{ amount: 25.5, owed: 0 }])
    expect((await sensei.get(`/gradings/${id}`)).status).toBe(404)
  })

  test('is not charged, and no one is invited, if the allowance is too small', async () => {
    const { sensei, leo, zoe, ann, plan, invite, readCandidate, readCharges } =
      await createGradingDojo(server)
    const { id } = (await plan()).body
    const superAdmin = await server.signInSuperAdmin()
    await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 1 })
    const response = await invite(id, [leo, zoe], 'Hi {name}, reply COMING.')
    await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 500 })
    expect(response.status).toBe(429)
    expect([
      (await readCandidate(id, leo)).invited_at,
      await readCharges(leo),
      (await ann.get('/notifications')).body.length,
    ]).toEqual([null, [], 0])
    // A student who opted out of texts is notified only in the app.
    await sensei.post('/sms/simulated/incoming', { phone_number: zoe.phone_number!, text: 'STOP' })
    const { body } = await invite(id, [zoe], 'Hi {name}, reply COMING.')
    expect([body.texts, body.grading.counts.invited]).toEqual([null, 1])
  })
})
