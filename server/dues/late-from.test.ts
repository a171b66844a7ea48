import { expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { backdateReminderNotice, exampleStudent } from '../test/fixtures.ts'
import { createLedgerDojo, MARCH } from '../test/ledger-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const LATE_FEE_RULE = { grace_days: 0, amount: 10 }
const AFTERNOON = 'T18:00:00Z'

type Dojo = Awaited<ReturnType<typeof createLedgerDojo>>
const lateFees = async ({ get }: Dojo) =>
  (await get(`/late-fees/preview?month=${MARCH}&year=2027`)).body.map(
    ({ name, days_late }: { name: string; days_late: number }) => [name, days_late],
  )
const owedSince = async ({ get }: Dojo) =>
  (await get('/owing')).body.map(({ since }: { since: string }) => since)

/** A dojo since February with the late-fee rule, on a day of March. */
async function createDojoOn(day: string, ...people: object[]) {
  const dojo = await createLedgerDojo(server, ...people)
  await dojo.put('/late-fee-rule', LATE_FEE_RULE)
  await dojo.moveClockTo(`${day}${AFTERNOON}`)
  return dojo
}
const enroll = async ({ post }: Dojo, changes: object = {}) =>
  (
    await post(
      '/students',
      exampleStudent({ class_preferences: ['saturday'], monthly_payment_amount: 100, ...changes }),
    )
  ).body.student

test('counts a student as late only after the day of enrollment', async () => {
  const dojo = await createDojoOn('2027-03-25')
  const { id } = await enroll(dojo)
  expect([await lateFees(dojo), await owedSince(dojo)]).toEqual([[], ['2027-03-25']])
  await dojo.moveClockTo(`2027-03-27${AFTERNOON}`)
  expect(await lateFees(dojo)).toEqual([['Ken Adams', 2]])
  await dojo.moveClockTo(`2027-04-02${AFTERNOON}`)
  expect(await lateFees(dojo)).toEqual([['Ken Adams', 8]])
  const { charges } = (await dojo.get(`/students/${id}/account`)).body
  expect(charges.map(({ charged_on }: { charged_on: string }) => charged_on)).toEqual([
    '2027-03-25',
    '2027-04-01',
  ])
})

test('a student owes the fee from the day on which a trial ends', async () => {
  const dojo = await createDojoOn('2027-03-25', { is_trial: true })
  const { student } = (await dojo.get(`/students/${dojo.id()}`)).body
  await dojo.put(`/students/${dojo.id()}`, { ...student, is_trial: false })
  expect([await lateFees(dojo), await owedSince(dojo)]).toEqual([[], ['2027-03-25']])
  await dojo.moveClockTo(`2027-03-26${AFTERNOON}`)
  expect(await lateFees(dojo)).toEqual([['Ken Adams', 1]])
})

test('a student owes the fee from the day after a vacation that includes the 1st', async () => {
  const dojo = await createDojoOn('2027-03-25', {})
  await dojo.moveClockTo(`2027-03-31${AFTERNOON}`)
  await dojo.put(`/students/${dojo.id()}/vacation`, {
    vacation_from: '2027-03-31',
    vacation_until: '2027-04-24',
  })
  await dojo.moveClockTo(`2027-04-25${AFTERNOON}`)
  const aprilFees = (await dojo.get('/late-fees/preview?month=3&year=2027')).body
  expect(aprilFees).toEqual([])
  await dojo.put(`/students/${dojo.id()}/vacation`, { vacation_from: null, vacation_until: null })
  await dojo.moveClockTo(`2027-04-26${AFTERNOON}`)
  const [fee] = (await dojo.get('/late-fees/preview?month=3&year=2027')).body
  expect(fee).toMatchObject({ days_late: 1, fee: 10 })
})

test('a student owes the whole month if a vacation begins after the 1st', async () => {
  const dojo = await createDojoOn('2027-04-05', {})
  await dojo.put(`/students/${dojo.id()}/vacation`, {
    vacation_from: '2027-04-05',
    vacation_until: '2027-04-08',
  })
  await dojo.moveClockTo(`2027-04-10${AFTERNOON}`)
  const [fee] = (await dojo.get('/late-fees/preview?month=3&year=2027')).body
  expect(fee).toMatchObject({ days_late: 9 })
})

test('a student owes the fee from the day of approval', async () => {
  const dojo = await createDojoOn('2027-03-20')
  const { invite_code } = (await dojo.get('/invitation')).body
  const form = { name: 'Zoe Young', email: `zoe${newId()}@home.org`, password: 'karate-2027-dojo' }
  const joinReply = await server.anonymous.post('/register', { ...form, invite_code })
  expect(joinReply.status).toBe(200)
  await dojo.moveClockTo(`2027-03-24${AFTERNOON}`)
  const { id } = joinReply.body.user
  const { student } = (await dojo.get(`/students/${id}`)).body
  await dojo.put(`/students/${id}`, {
    ...exampleStudent(),
    ...student,
    class_preferences: ['saturday'],
    date_of_birth: '1990-01-01',
    phone_number: '512 555 0188',
    emergency_contact_name: 'Ann Young',
    emergency_contact_phone: '512 555 0189',
    monthly_payment_amount: 80,
    is_trial: false,
  })
  expect(await owedSince(dojo)).toEqual([])
  await dojo.moveClockTo(`2027-03-25${AFTERNOON}`)
  await dojo.post(`/students/${id}/approve`)
  expect([await lateFees(dojo), await owedSince(dojo)]).toEqual([[], ['2027-03-25']])
})

type Outcomes = { students: { name: string; reason: string | null }[] }
const outcomesOf = ({ students }: Outcomes) => students.map(({ name, reason }) => [name, reason])

test('sends a manual reminder even to a student who enrolled that day', async () => {
  const dojo = await createDojoOn('2027-03-25', { name: 'Ana Early', phone_number: '512 555 0170' })
  await enroll(dojo, { name: 'Zoe Today', phone_number: '512 555 0171' })
  const sentReply = await dojo.post('/sms/send-post-due-reminder')
  expect(sentReply.body.total_recipients).toBe(2)
})

test('sends no automatic past due reminder to a student who enrolled that day', async () => {
  const dojo = await createLedgerDojo(server, { name: 'Ana Early', phone_number: '512 555 0170' })
  await backdateReminderNotice(server.db, dojo.sensei.dojoId)
  await dojo.moveClockTo('2027-04-02T12:00:00Z')
  await enroll(dojo, { name: 'Zoe Today', phone_number: '512 555 0171' })
  await dojo.moveClockTo('2027-04-02T15:30:00Z')
  const batches: { id: string; message_type: string }[] = (await dojo.get('/sms/batches')).body
  const { id } = batches.find(({ message_type }) => message_type === 'post_due')!
  const { texts } = (await dojo.get(`/sms/batches/${id}`)).body
  expect(outcomesOf({ students: texts })).toEqual([
    ['Ana Early', null],
    ['Zoe Today', 'Not past due yet'],
  ])
})

test('a student owes nothing for a month spent on vacation since enrollment', async () => {
  const dojo = await createDojoOn('2027-03-20')
  const { id } = await enroll(dojo)
  await dojo.put(`/students/${id}/vacation`, {
    vacation_from: '2027-03-20',
    vacation_until: '2027-04-04',
  })
  await dojo.moveClockTo(`2027-04-05${AFTERNOON}`)
  expect([await dojo.dues(), await owedSince(dojo)]).toEqual([[], ['2027-04-05']])
  expect((await dojo.get(`/students/${id}/account`)).body.charges).toMatchObject([
    { month: MARCH + 1, charged_on: '2027-04-05' },
  ])
  expect(await lateFees(dojo)).toEqual([])
})

test('a student who goes on vacation on the day of enrollment owes nothing', async () => {
  const dojo = await createDojoOn('2027-03-02')
  const { id } = await enroll(dojo)
  const vacation = { vacation_from: '2027-03-02', vacation_until: null }
  await dojo.put(`/students/${id}/vacation`, vacation)
  await dojo.moveClockTo(`2027-04-01${AFTERNOON}`)
  expect((await dojo.get(`/students/${id}/account`)).body.charges).toEqual([])
})
