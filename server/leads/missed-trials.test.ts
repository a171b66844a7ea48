import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { signInAs } from '../test/fixtures.ts'
import { CHILD_FORM, MONDAY_MORNING, startServerWithTrials, WEDNESDAY } from '../test/trial-dojo.ts'

const { server, createDojo, book, runSchedule } = await startServerWithTrials()

const CALL = { next_step: 'Call about the missed trial', next_step_on: '2027-03-04' }
const NEXT_WEDNESDAY = '2027-03-10'

async function createSchoolWithTrial(offer: object = {}) {
  setClock(MONDAY_MORNING)
  const dojo = await createDojo({ offer })
  await book(dojo, WEDNESDAY)
  /** A session ends after some days, so each call has its own. */
  const openClient = async () => server.clientFor(await signInAs(server.db, dojo.sensei.id))
  const readLead = async () => (await (await openClient()).get('/leads')).body[0]
  const runJobsAt = (time: string) => runSchedule(time, CHILD_FORM.email)
  return { dojo, openClient, readLead, runJobsAt }
}

/** At 10 PM in Austin on the day of the trial, and at 10 AM on the day after. */
const SAME_EVENING = '2027-03-04T04:00:00Z'
const NEXT_MORNING = '2027-03-04T16:00:00Z'

test.each([
  ['after the message', { writes_when_missed: true }],
  ['also if the school writes no message', { writes_when_missed: false }],
])('a missed trial plans a call on the next morning, %s', async (_, offer) => {
  const { readLead, runJobsAt } = await createSchoolWithTrial(offer)
  await runJobsAt(SAME_EVENING)
  expect(await readLead()).toMatchObject({ stage: 'talking', next_step: null })
  await runJobsAt(NEXT_MORNING)
  expect(await readLead()).toMatchObject(CALL)
})

test('the call is planned once, so that it stays done', async () => {
  const { openClient, readLead, runJobsAt } = await createSchoolWithTrial()
  await runJobsAt(SAME_EVENING)
  await runJobsAt(NEXT_MORNING)
  const { id, next_step } = await readLead()
  expect(next_step).toBe(CALL.next_step)
  await (await openClient()).put(`/leads/${id}/next-step`, { next_step: '', next_step_on: '' })
  await runJobsAt('2027-03-05T16:00:00Z')
  expect(await readLead()).toMatchObject({ next_step: null, next_step_on: null })
})

test('a next step that somebody planned stays', async () => {
  const { openClient, readLead, runJobsAt } = await createSchoolWithTrial()
  const { id } = await readLead()
  const step = { next_step: 'Send the price list', next_step_on: '2027-03-12' }
  await (await openClient()).put(`/leads/${id}/next-step`, step)
  await runJobsAt(SAME_EVENING)
  await runJobsAt(NEXT_MORNING)
  expect(await readLead()).toMatchObject(step)
})

test('two missed trials ask whether the lead is still deciding, until somebody says so', async () => {
  const { dojo, openClient, readLead, runJobsAt } = await createSchoolWithTrial({ visits: 3 })
  await runJobsAt(NEXT_MORNING)
  expect(await readLead()).toMatchObject({ has_missed_twice: false })
  await book(dojo, NEXT_WEDNESDAY)
  await runJobsAt('2027-03-11T16:00:00Z')
  const { id, has_missed_twice } = await readLead()
  expect(has_missed_twice).toBe(true)
  const decision = { kind: 'deciding', note: '' }
  const { body } = await (await openClient()).post(`/leads/${id}/events`, decision)
  expect(body).toMatchObject({ stage: 'deciding', has_missed_twice: false })
})
