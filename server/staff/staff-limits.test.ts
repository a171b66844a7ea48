import { ALL_RIGHTS, type Right, rightsOfPreset, withoutRights } from '@tatami/contract/rights'
import { beforeEach, describe, expect, test } from 'vitest'
import { exampleStudent } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

let sensei: Awaited<ReturnType<typeof server.createSensei>>
beforeEach(async () => {
  sensei = await server.createSensei()
})
const statusAndDetail = ({ status, body }: { status: number; body: { detail?: string } }) => [
  status,
  body.detail,
]

type Charge = { kind: string }

/** Creates a student, and a parent who also works here. */
async function createStaffWithChild(rights: readonly Right[]) {
  const leo = await server.createStudent(sensei, { name: 'Leo Adams' })
  const ann = await server.createGuardian(sensei, [leo])
  const form = { name: 'Ann', email: ann.email, rights, preset: null, class_ids: null }
  const { body } = await sensei.post('/open-staff-invitations', form)
  const invitation = String(body.link).split('#')[1]
  await ann.post('/staff-invitations/join', { invitation })
  return { leo, ann }
}

describe('staff who are parents', () => {
  test('cannot take or forgive payments for their own children', async () => {
    const { leo, ann } = await createStaffWithChild(ALL_RIGHTS)
    const mia = await server.createStudent(sensei, { name: 'Mia Lund' })
    const pay = (id: string) => ann.post('/payments', { student_id: id, amount: 10 })
    expect((await pay(leo.id)).status).toBe(200)
    await sensei.put('/staff/rules', { refuses_own_family_setting: true })
    const refusal = [403, 'Please ask somebody else. This is your own family: Leo Adams.']
    expect(statusAndDetail(await pay(leo.id))).toEqual(refusal)
    expect((await pay(mia.id)).status).toBe(200)
    const mark = {
      student_id: leo.id,
      payment_month: 0,
      payment_year: 2026,
      payment_status: 'paid',
    }
    expect(statusAndDetail(await ann.post('/payment-records', mark))).toEqual(refusal)
    const cheaper = { ...exampleStudent(), ...leo, monthly_payment_amount: 5 }
    expect(statusAndDetail(await ann.put(`/students/${leo.id}`, cheaper))).toEqual(refusal)
    const { body: charge } = await sensei.post('/charges', {
      student_ids: [leo.id],
      kind: 'equipment',
      amount: 20,
    })
    expect(statusAndDetail(await ann.post(`/ledger-acts/${charge.act_id}/undo`, {}))).toEqual(
      refusal,
    )
    expect((await sensei.post('/payments', { student_id: leo.id, amount: 10 })).status).toBe(200)
  })

  test('cannot do other things that favor their family', async () => {
    const { leo, ann } = await createStaffWithChild(ALL_RIGHTS)
    const mia = await server.createStudent(sensei, { name: 'Mia Lund' })
    await sensei.put('/staff/rules', { refuses_own_family_setting: true })
    const newCharge = { student_ids: [leo.id], kind: 'equipment', amount: 20 }
    // Parents may charge their own child.
    expect((await ann.post('/charges', newCharge)).status).toBe(200)
    const readAccount = async () => (await sensei.get(`/students/${leo.id}/account`)).body
    const { charges } = await readAccount()
    const { id: chargeId } = charges.find(({ kind }: Charge) => kind === 'equipment')
    await sensei.post('/payments', { student_id: leo.id, charge_id: chargeId, amount: 10 })
    const accountBefore = await readAccount()
    const month = { payment_month: 1, payment_year: 2026, payment_status: 'paid' }
    const outcomes = [
      await ann.post('/refunds', { student_id: leo.id, charge_id: chargeId, amount: 5 }),
      await ann.post(`/charges/${chargeId}/write-off`, {}),
      await ann.post('/payments/together', {
        payments: [mia, leo].map(({ id }) => ({ student_id: id, amount: 10 })),
      }),
      await ann.post('/payment-records/marks', { marks: [{ student_id: leo.id, ...month }] }),
    ]
    expect(outcomes.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(await readAccount()).toEqual(accountBefore)
  })

  test('cannot take their own payments if they train here', async () => {
    const ken = await server.createStudent(sensei, { name: 'Ken', date_of_birth: '1990-01-01' })
    const form = { name: 'Ken', email: ken.email, rights: ['money.take'] }
    const { body } = await sensei.post('/open-staff-invitations', form)
    await ken.post('/staff-invitations/join', { invitation: String(body.link).split('#')[1] })
    await sensei.put('/staff/rules', { refuses_own_family_setting: true })
    expect(
      statusAndDetail(await ken.post('/payments', { student_id: ken.id, amount: 10 })),
    ).toEqual([403, 'Please ask somebody else. This is your own family: Ken.'])
  })

  test('are refused by default if there are two owners', async () => {
    const { leo, ann } = await createStaffWithChild(ALL_RIGHTS)
    const pay = () => ann.post('/payments', { student_id: leo.id, amount: 10 })
    expect((await pay()).status).toBe(200)
    await server.createStaff(sensei, { is_owner: true })
    expect((await pay()).status).toBe(403)
    await sensei.put('/staff/rules', { refuses_own_family_setting: false })
    expect((await pay()).status).toBe(200)
    await ann.put('/my/view', { family: true })
    const { body: home } = await ann.get('/family/home')
    expect(home.children).toMatchObject([{ id: leo.id, name: 'Leo Adams' }])
    expect((await pay()).status).toBe(403)
  })
})

test('staff need the right to forgive debts, even by deleting a student', async () => {
  const mia = await server.createStudent(sensei, { name: 'Mia Lund' })
  const instructor = await server.createStaff(sensei, { rights: rightsOfPreset('instructor') })
  const debt = { student_ids: [mia.id], kind: 'equipment', amount: 20 }
  await sensei.post('/charges', debt)
  const { charge_id } = (await sensei.get(`/students/${mia.id}/account`)).body.lines[0]
  const refusals = [
    await instructor.post(`/charges/${charge_id}/write-off`, {}),
    await instructor.delete(`/students/${mia.id}`),
  ]
  expect(refusals.map(({ status }) => status)).toEqual([403, 403])
  expect((await sensei.delete(`/students/${mia.id}`)).status).toBe(200)
})

test('staff need the right to undo what others recorded, but not their own payments', async () => {
  const mia = await server.createStudent(sensei, { name: 'Mia Lund' })
  const desk = await server.createStaff(sensei, { rights: rightsOfPreset('desk') })
  const refusal = [
    403,
    'Your login may not refund, write off, and undo what others recorded. Ask the owner.',
  ]
  const payment = { student_id: mia.id, amount: 10 }
  const { body: ownPayment } = await desk.post('/payments', payment)
  expect((await desk.post(`/ledger-acts/${ownPayment.act_id}/undo`, {})).status).toBe(200)
  const { body: othersPayment } = await sensei.post('/payments', payment)
  expect(statusAndDetail(await desk.post(`/ledger-acts/${othersPayment.act_id}/undo`, {}))).toEqual(
    refusal,
  )
  const month = { student_id: mia.id, payment_month: 0, payment_year: 2026 }
  await sensei.post('/payment-records', { ...month, payment_status: 'paid' })
  const unpaidMark = { ...month, payment_status: 'unpaid' }
  const instructor = await server.createStaff(sensei, { rights: rightsOfPreset('instructor') })
  expect(
    statusAndDetail(await instructor.post(`/ledger-acts/${othersPayment.act_id}/undo`, {})),
  ).toEqual(refusal)
  expect(statusAndDetail(await desk.post('/payment-records', unpaidMark))).toEqual(refusal)
  expect((await sensei.post('/payment-records', unpaidMark)).status).toBe(200)
})

describe('data that staff cannot see', () => {
  test('does not change when they edit a student', async () => {
    const mia = await server.createStudent(sensei, {
      name: 'Mia Lund',
      payment_method: 'Check',
      monthly_payment_amount: 85,
    })
    const clerk = await server.createStaff(sensei, {
      rights: withoutRights('money.take', 'money.see'),
    })
    const change = { ...exampleStudent(), name: 'Mia Berg', email: mia.email }
    const { status } = await clerk.put(`/students/${mia.id}`, {
      ...change,
      class_preferences: ['cedar_park'],
      monthly_payment_amount: 0,
      payment_method: null,
    })
    expect(status).toBe(200)
    const { body } = await sensei.get(`/students/${mia.id}`)
    expect(body.student).toMatchObject({
      name: 'Mia Berg',
      monthly_payment_amount: 85,
      payment_method: 'Check',
    })
    const leaving = { left_on: '2026-01-01', reason: 'schedule', writes_off_debts: true }
    expect((await clerk.post(`/students/${mia.id}/leave`, leaving)).status).toBe(403)
  })

  test('does not change when they edit notes', async () => {
    const mia = await server.createStudent(sensei, {})
    const path = `/students/${mia.id}/notes`
    await sensei.put(path, { allergies: 'Peanuts', medical_note: null, private_notes: 'Shy' })
    const allNotes = { allergies: 'Nuts', medical_note: null, private_notes: 'Bold' }
    const assistant = await server.createStaff(sensei, { rights: ['students.read', 'medical'] })
    expect((await assistant.put(path, allNotes)).body).toMatchObject({
      allergies: 'Nuts',
      private_notes: null,
    })
    const coach = await server.createStaff(sensei, { rights: ['students.read', 'notes'] })
    await coach.put(path, { allergies: 'Milk', private_notes: 'Calm' })
    expect((await sensei.get(`/students/${mia.id}`)).body).toMatchObject({
      allergies: 'Nuts',
      private_notes: 'Calm',
    })
    const desk = await server.createStaff(sensei, { rights: ['students.read'] })
    expect((await desk.put(path, allNotes)).status).toBe(403)
  })

  test('does not change in the school’s settings', async () => {
    const kim = await server.createStaff(sensei)
    const settings = { email: `kim-${kim.id}@judo.com`, dojo_name: 'Kim’s Judo', city: null }
    expect((await kim.put('/profile', settings)).status).toBe(403)
    expect((await sensei.get('/profile')).body.dojo_name).toBe('Cedar Park Judo')
  })
})

test('staff must confirm a text to more people than the owner allows', async () => {
  for (const name of ['Mia Lund', 'Leo Adams']) await server.createStudent(sensei, { name })
  await sensei.put('/staff/rules', { max_recipients: 1 })
  const desk = await server.createStaff(sensei, { rights: rightsOfPreset('desk') })
  const message = { message_type: 'class_cancel', custom_message: 'No class today' }
  const refusal = await desk.post('/sms/send-bulk-message', message)
  expect(statusAndDetail(refusal)).toEqual([
    409,
    'This goes to 2 students. Send it again to confirm.',
  ])
  const confirmedMessage = { ...message, even_to_many: true }
  expect((await desk.post('/sms/send-bulk-message', confirmedMessage)).status).toBe(200)
  expect((await sensei.post('/sms/send-bulk-message', message)).status).toBe(200)
})

test('without a setting, 50 students need no confirmation, and 51 do', async () => {
  const createMany = async (count: number) => {
    for (let index = 1; index <= count; index += 1)
      await server.createStudent(sensei, { name: `Student ${'x'.repeat(index)}` })
  }
  await createMany(50)
  const desk = await server.createStaff(sensei, { rights: rightsOfPreset('desk') })
  const message = { message_type: 'class_cancel', custom_message: 'No class today' }
  expect((await desk.post('/sms/send-bulk-message', message)).status).toBe(200)
  await createMany(1)
  expect(statusAndDetail(await desk.post('/sms/send-bulk-message', message))).toEqual([
    409,
    'This goes to 51 students. Send it again to confirm.',
  ])
  expect((await desk.put('/staff/rules', { max_recipients: 60 })).status).toBe(403)
})

test('the super admin can only manage owners', async () => {
  const kim = await server.createStaff(sensei)
  const admin = await server.signInSuperAdmin()
  expect((await admin.put(`/super-admin/sensei/${kim.id}/toggle-active`)).status).toBe(404)
  const password = { new_password: 'Another-one-2', remove_second_factor: true }
  const path = (id: string) => `/super-admin/sensei/${id}/reset-password`
  expect((await admin.put(path(kim.id), password)).status).toBe(404)
  expect((await admin.put(path(sensei.id), password)).status).toBe(200)
})
