import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { runDueJobs } from '../schedule.ts'
import { students } from '../students/tables.ts'
import { setClock } from '../test/clock.ts'
import { backdateReminderNotice, dojoIdOf } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { countFamilies } from './first-reminder.ts'

const server = await startTestServer()
const throwError = (error: unknown) => {
  throw error
}
const runJobsAt = async (iso: string) => {
  setClock(iso)
  await runDueJobs(server.db, throwError)
}

/** 10:05 AM in Chicago in summer, just after reminders are due. */
const AFTER_TEN_AM = 'T15:05:00Z'
const PRE_DUE = 'Hi {name}, a friendly reminder that your monthly fee is due on the 1st.'

async function createDojo() {
  const account = await server.createSensei()
  const dojoId = await dojoIdOf(server.db, account.id)
  // Signs in again each time, because sessions expire when the clock moves.
  const signInSensei = async () => server.signIn(account.email)
  const listSentKinds = async () =>
    (await (await signInSensei()).get('/sms/batches')).body
      .map(({ message_type }: { message_type: string }) => message_type)
      .toReversed()
  const readNotices = async () =>
    (await (await signInSensei()).get('/notifications')).body.filter(
      ({ title }: { title: string }) => title.startsWith('Automatic fee reminders'),
    )
  const addFamilies = async () => {
    const phone_number = '(512) 555-0190'
    for (const name of ['Leo Chen', 'Mia Chen'])
      await server.createStudent(account, { name, phone_number, monthly_payment_amount: 80 })
    await server.createStudent(account, { name: 'Ken Adams', phone_number: '(512) 555-0191' })
    await server.createStudent(account, { name: 'On Trial', is_trial: true })
  }
  return { account, dojoId, signInSensei, listSentKinds, readNotices, addFamilies }
}

test('announces the first reminder three days ahead, and only once', async () => {
  setClock(`2027-04-20${AFTER_TEN_AM}`)
  const { signInSensei, listSentKinds, readNotices, addFamilies } = await createDojo()
  await addFamilies()
  await runJobsAt(`2027-04-26${AFTER_TEN_AM}`)
  expect(await readNotices()).toEqual([])
  await runJobsAt(`2027-04-27${AFTER_TEN_AM}`)
  expect(await readNotices()).toMatchObject([
    {
      title: 'Automatic fee reminders start on Friday, April 30',
      message:
        `At 10 AM, 2 families get this text: “Hi …, a friendly reminder that your monthly fee is ` +
        'due on the 1st.” You can ' +
        'check the list or turn reminders off before then.',
      opens: '/automatic-reminders',
    },
  ])
  const { body } = await (await signInSensei()).get('/sms/upcoming-reminder')
  expect(body).toMatchObject({
    reminder: 'pre_due',
    sends_on: '2027-04-30',
    month: '2027-05-01',
    text: PRE_DUE,
    families: 2,
    total_recipients: 3,
    total_texts: 2,
    announced_on: '2027-04-27',
  })
  expect(
    body.students.map(({ name, sends }: { name: string; sends: boolean }) => [name, sends]),
  ).toEqual([
    ['Ken Adams', true],
    ['Leo Chen', true],
    ['Mia Chen', true],
    ['On Trial', false],
  ])
  for (const day of ['04-28', '04-29', '04-30', '05-01', '05-02'])
    await runJobsAt(`2027-${day}${AFTER_TEN_AM}`)
  expect(await listSentKinds()).toEqual(['pre_due', 'on_due', 'post_due'])
  await runJobsAt(`2027-05-28${AFTER_TEN_AM}`)
  expect(await readNotices()).toHaveLength(1)
})

test('gives three days’ notice even if the first student joins just before a reminder', async () => {
  setClock(`2027-06-01${AFTER_TEN_AM}`)
  const { signInSensei, listSentKinds, readNotices, addFamilies } = await createDojo()
  await runJobsAt(`2027-06-27${AFTER_TEN_AM}`)
  expect(await readNotices()).toEqual([])
  await addFamilies()
  for (const day of ['06-28', '06-29', '06-30']) await runJobsAt(`2027-${day}${AFTER_TEN_AM}`)
  expect(await listSentKinds(), 'skips the reminder of June 30').toEqual([])
  for (const day of ['07-01', '07-02']) await runJobsAt(`2027-${day}${AFTER_TEN_AM}`)
  expect(await listSentKinds()).toEqual(['on_due', 'post_due'])
  expect(await readNotices()).toMatchObject([
    { title: 'Automatic fee reminders start on Thursday, July 1' },
  ])
  expect((await (await signInSensei()).get('/sms/upcoming-reminder')).body.sends_on).toBe(
    '2027-07-31',
  )
})

test('announces nothing if nobody would get a reminder, or if reminders are off', async () => {
  setClock(`2027-08-20${AFTER_TEN_AM}`)
  const emptyDojo = await createDojo()
  const dojoWithoutReminders = await createDojo()
  await dojoWithoutReminders.addFamilies()
  const setReminders = async (reminders_enabled: boolean) =>
    (await dojoWithoutReminders.signInSensei()).put('/reminder-settings', { reminders_enabled })
  await setReminders(false)
  await runJobsAt(`2027-08-28${AFTER_TEN_AM}`)
  await runJobsAt(`2027-08-29${AFTER_TEN_AM}`)
  await runJobsAt(`2027-08-30${AFTER_TEN_AM}`)
  expect([await emptyDojo.readNotices(), await dojoWithoutReminders.readNotices()]).toEqual([
    [],
    [],
  ])
  await setReminders(true)
  for (const day of ['08-31', '09-01', '09-02']) await runJobsAt(`2027-${day}${AFTER_TEN_AM}`)
  expect([await emptyDojo.listSentKinds(), await dojoWithoutReminders.listSentKinds()]).toEqual([
    [],
    [],
  ])
  expect(
    (await (await dojoWithoutReminders.signInSensei()).get('/sms/upcoming-reminder')).body.sends_on,
  ).toBe('2027-09-30')
  await runJobsAt(`2027-09-27${AFTER_TEN_AM}`)
  expect(await dojoWithoutReminders.readNotices()).toHaveLength(1)
})

test('announces nothing in a dojo that has already sent reminders', async () => {
  setClock(`2027-10-20${AFTER_TEN_AM}`)
  const { dojoId, listSentKinds, readNotices, addFamilies } = await createDojo()
  await addFamilies()
  await backdateReminderNotice(server.db, dojoId)
  await runJobsAt(`2027-10-28${AFTER_TEN_AM}`)
  await runJobsAt(`2027-10-31${AFTER_TEN_AM}`)
  expect([await listSentKinds(), await readNotices()]).toEqual([['pre_due'], []])
})

test('announces the first automatic reminder even after a manual one', async () => {
  setClock(`2027-11-10${AFTER_TEN_AM}`)
  const { account, dojoId, listSentKinds, readNotices, addFamilies } = await createDojo()
  await addFamilies()
  await account.post('/sms/send-on-due-reminder')
  await server.db.inDojo(dojoId, (tx) =>
    tx.update(students).set({ is_trial: true }).where(eq(students.name, 'Ken Adams')),
  )
  await runJobsAt(`2027-11-27${AFTER_TEN_AM}`)
  expect((await readNotices())[0].message).toContain('1 family gets this text')
  expect(await listSentKinds()).toEqual(['on_due'])
})

test('counts students who share texts as one family', () => {
  expect(countFamilies([['leo', 'mia'], ['mia', 'ana'], ['ken'], ['ken']])).toBe(2)
  expect(countFamilies([['leo'], ['mia'], ['leo', 'mia']])).toBe(1)
  expect(countFamilies([])).toBe(0)
})
