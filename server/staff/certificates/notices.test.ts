import { DEFAULT_CERTIFICATE_KINDS } from '@tatami/contract/staff/staff-certificates'
import { beforeEach, expect, test } from 'vitest'
import { newId } from '../../db/columns.ts'
import type { Email } from '../../lib/mail.ts'
import { runDueJobs } from '../../schedule.ts'
import { setClock } from '../../test/clock.ts'
import { startTestServer } from '../../test/test-server.ts'

const server = await startTestServer()
const [SAFESPORT, BACKGROUND_CHECK, FIRST_AID] = DEFAULT_CERTIFICATE_KINDS.map(({ id }) => id)

let sensei: Awaited<ReturnType<typeof server.createSensei>>
let ben: Awaited<ReturnType<typeof server.createStaff>>
let emails: Email[]
let dojoName: string
beforeEach(async () => {
  emails = []
  setClock('2027-01-04T18:00:00Z')
  dojoName = `Cedar Park Judo ${newId()}`
  sensei = await server.createSensei({ dojo_name: dojoName })
  ben = await server.createStaff(sensei, { rights: ['roll'] })
})

/** Ben's certificate, which ends on June 1, 2027. */
const addCertificate = async (fields: object = {}): Promise<string> => {
  const form = { staff_id: ben.id, kind_id: SAFESPORT, got_on: '2026-06-01', ...fields }
  const { body } = await (await signInOwner()).post('/staff-certificates', form)
  return body.certificate.id
}
/** Logs in again, because moving the clock by months ends sessions. */
const signInOwner = () => server.signIn(sensei.email)

/** Runs the nightly jobs at noon UTC, which is 7 AM in Austin in summer. */
async function runJobsOn(day: string, time = '12:00') {
  setClock(`${day}T${time}:00Z`)
  const throwError = (error: unknown) => {
    throw error
  }
  await runDueJobs(server.db, throwError, (email) => {
    // Schools of other tests also get emails.
    if (email.subject.startsWith(dojoName)) emails.push(email)
  })
}

type Client = Awaited<ReturnType<typeof server.signIn>> | typeof ben
const readMessages = async ({ email }: { email: string }): Promise<string[]> => {
  const client: Client = await server.signIn(email)
  const { body } = await client.get('/notifications')
  return body
    .filter(({ title }: { title: string }) => title.includes('ertificate'))
    .map(({ message }: { message: string }) => message)
    .toReversed()
}
const readEmailsTo = (address: string) =>
  emails.filter(({ to }) => to === address).map(({ text }) => text.split('\n\n')[1]?.trim())

test('notifies the person and the owners once each, 60, 30 and 7 days before a certificate expires', async () => {
  await addCertificate()
  await runJobsOn('2027-04-01')
  expect(await readMessages(sensei)).toEqual([])
  for (const day of ['2027-04-02', '2027-04-03', '2027-05-01', '2027-05-02', '2027-05-02'])
    await runJobsOn(day)
  for (const day of ['2027-05-25', '2027-05-26', '2027-06-01', '2027-06-02']) await runJobsOn(day)
  const ownersMessages = Array(3).fill('Kim Park: SafeSport ends on June 1, 2027.')
  expect(await readMessages(sensei)).toEqual(ownersMessages)
  expect(readEmailsTo(sensei.email)).toEqual(ownersMessages)
  const bensMessages = Array(3).fill('Your SafeSport ends on June 1, 2027.')
  expect(await readMessages(ben)).toEqual(bensMessages)
  expect(readEmailsTo(ben.email)).toEqual(bensMessages)
  expect(emails[0]).toMatchObject({ subject: `${dojoName}: A certificate needs attention` })
})

test('waits until 7 AM in the school’s time zone, even when the clocks change', async () => {
  await addCertificate({ expires_on: '2027-05-13' })
  // Sixty days before is March 14, when summer time begins.
  await runJobsOn('2027-03-14', '11:30')
  expect(emails).toEqual([])
  await runJobsOn('2027-03-14', '12:00')
  expect(emails).toHaveLength(2)
  await addCertificate({ expires_on: '2028-01-06' })
  // Sixty days before is November 7, when summer time ends.
  await runJobsOn('2027-11-07', '12:30')
  expect(emails).toHaveLength(2)
  await runJobsOn('2027-11-07', '13:00')
  expect(emails).toHaveLength(4)
})

test('sends only the latest notice after the server was down', async () => {
  await addCertificate()
  await runJobsOn('2027-05-28')
  expect(readEmailsTo(ben.email)).toEqual(['Your SafeSport ends on June 1, 2027.'])
  await runJobsOn('2027-05-29')
  expect(emails).toHaveLength(2)
})

test('says once that a certificate ended while the server was down', async () => {
  await addCertificate()
  await runJobsOn('2027-06-10')
  await runJobsOn('2027-06-11')
  expect(readEmailsTo(ben.email)).toEqual(['Your SafeSport ended on June 1, 2027.'])
})

test('sends nothing about renewed or removed certificates, or about former staff', async () => {
  const renewedId = await addCertificate()
  setClock('2027-03-01T18:00:00Z')
  await (await signInOwner()).post(`/staff-certificates/${renewedId}/renew`)
  const formerMember = await server.createStaff(sensei, {})
  await addCertificate({ staff_id: formerMember.id })
  await (await signInOwner()).post(`/staff/${formerMember.id}/end`, {})
  await runJobsOn('2027-04-01')
  const removedId = await addCertificate({ kind_id: FIRST_AID, got_on: '2025-06-01' })
  await (await signInOwner()).delete(`/staff-certificates/${removedId}`)
  for (const day of ['2027-04-02', '2027-04-20']) await runJobsOn(day)
  expect(emails).toEqual([])
  await (await signInOwner()).post(`/staff-certificates/${removedId}/restore`)
  await runJobsOn('2027-04-21')
  expect(readEmailsTo(ben.email)).toEqual(['Your First aid ends on June 1, 2027.'])
})

test('sends nothing about a certificate that was entered after its end', async () => {
  await addCertificate({ got_on: '2025-12-20' })
  await runJobsOn('2027-01-05', '14:00')
  expect(emails).toEqual([])
})

test('announces the recheck, and starts over when the end changes', async () => {
  const id = await addCertificate({ kind_id: BACKGROUND_CHECK })
  await runJobsOn('2027-05-26')
  expect(readEmailsTo(ben.email)).toEqual([
    'Your Background check needs a recheck by June 1, 2027.',
  ])
  await (await signInOwner()).post(`/staff-certificates/${id}/recheck`)
  await runJobsOn('2028-04-20')
  expect(readEmailsTo(ben.email).slice(1)).toEqual(['Your Background check ends on June 1, 2028.'])
})

test('sends each person one notice about all certificates of a day', async () => {
  await addCertificate()
  await addCertificate({ staff_id: sensei.id, expires_on: '2027-05-20' })
  await runJobsOn('2027-04-10')
  const lines = [
    'Your SafeSport ends on May 20, 2027.',
    'Kim Park: SafeSport ends on June 1, 2027.',
  ]
  expect(await readMessages(sensei)).toEqual([lines.join(' ')])
  expect(readEmailsTo(sensei.email)).toEqual([lines.join('\n')])
  expect(await readMessages(ben)).toEqual(['Your SafeSport ends on June 1, 2027.'])
})

test('does not notify other schools or staff managers who are not owners', async () => {
  const otherSensei = await server.createSensei()
  const manager = await server.createStaff(sensei, { rights: ['staff'] })
  await addCertificate()
  await runJobsOn('2027-05-01')
  expect(emails.map(({ to }) => to).toSorted()).toEqual([ben.email, sensei.email].toSorted())
  expect(await readMessages(otherSensei)).toEqual([])
  expect(await readMessages(manager)).toEqual([])
})
