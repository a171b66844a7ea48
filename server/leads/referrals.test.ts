import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { signInAs } from '../test/fixtures.ts'
import {
  CHILD_FORM,
  MONDAY_MORNING,
  olderKey,
  startServerWithTrials,
  WEDNESDAY,
} from '../test/trial-dojo.ts'

const { server, createDojo, open, openForm, post, runSchedule } = await startServerWithTrials()

const pathOf = (link: string): string => new URL(link).pathname

async function createSchoolWithReferrer() {
  setClock(MONDAY_MORNING)
  const dojo = await createDojo()
  const { sensei } = dojo
  const mia = await server.createStudent(sensei, { name: 'Mia Chen' })
  const readLink = () => sensei.post(`/students/${mia.id}/referral-link`)
  const { link } = (await readLink()).body
  const bookWith = async (address: string) => {
    const { headers } = await open(pathOf(address))
    const { key, ...fields } = await openForm(dojo.slug, dojo.class_id, WEDNESDAY)
    const form = { ...fields, ...CHILD_FORM, key: olderKey(key) }
    expect((await post(`${headers.location}`, form)).status).toBe(303)
  }
  /** A session ends after some days, so each call has its own. */
  const openClient = async () => server.clientFor(await signInAs(server.db, sensei.id))
  const listNotices = async (): Promise<string[]> => {
    const { body } = await (await openClient()).get('/notifications')
    return body
      .filter(({ title }: { title: string }) => title === 'Mia Chen brought a friend')
      .map(({ message }: { message: string }) => message)
  }
  return { ...dojo, mia, link, readLink, bookWith, openClient, listNotices }
}

describe('the link of a student', () => {
  test('stays the same, does not name the student, and leads to the form for trials', async () => {
    const { slug, link, readLink } = await createSchoolWithReferrer()
    expect((await readLink()).body).toEqual({
      link,
      qr: expect.stringMatching(/^data:image\/png;base64,/),
    })
    expect(pathOf(link)).toMatch(/^\/t\/friend-[a-z0-9]{6}$/)
    const { status, headers } = await open(pathOf(link))
    expect([status, headers.location]).toEqual([
      302,
      `/d/${slug}/trial?from=${pathOf(link).slice('/t/'.length)}`,
    ])
  })

  test('tells who brought the lead', async () => {
    const { sensei, mia, link, bookWith } = await createSchoolWithReferrer()
    await bookWith(link)
    const [lead] = (await sensei.get('/leads')).body
    expect(lead.source).toBe('Friend or family')
    expect((await sensei.get(`/leads/${lead.id}`)).body.referred_by).toEqual({
      id: mia.id,
      name: 'Mia Chen',
    })
  })

  test('ends with the student', async () => {
    const { sensei, mia, link } = await createSchoolWithReferrer()
    expect((await sensei.delete(`/students/${mia.id}`)).status).toBe(200)
    expect((await open(pathOf(link))).status).toBe(404)
  })

  test('is not for students of other schools', async () => {
    const { mia } = await createSchoolWithReferrer()
    const otherSensei = await server.createSensei()
    expect((await otherSensei.post(`/students/${mia.id}/referral-link`)).status).toBe(404)
  })
})

test('the school is told once when the friend has paid a first month', async () => {
  const { sensei, link, bookWith, openClient, listNotices } = await createSchoolWithReferrer()
  await bookWith(link)
  const [{ id }] = (await sensei.get('/leads')).body
  const leo = await server.createStudent(sensei, { name: 'Leo Ruiz', monthly_payment_amount: 80 })
  await sensei.post(`/leads/${id}/join`, { visitor_name: 'Leo', student_id: leo.id })
  const runJobsOn = (day: string) => runSchedule(`${day}T18:00:00Z`, '')
  await runJobsOn('2027-03-03')
  expect(await listNotices()).toEqual([])
  const { status } = await (
    await openClient()
  ).post('/payment-records', {
    student_id: leo.id,
    payment_month: 2,
    payment_year: 2027,
    payment_status: 'paid',
    monthly_payment_amount: 80,
  })
  expect(status).toBe(200)
  await runJobsOn('2027-03-04')
  await runJobsOn('2027-03-05')
  expect(await listNotices()).toEqual([
    'Leo Ruiz came through the link of Mia Chen and has paid the first month. This is a good ' +
      'moment to say thank you.',
  ])
})
