import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createFollowingSchool, FIRST_DAY } from '../test/new-students.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const FAMILY_PHONE = '(512) 555-7700'
const TEXT_DAY = '2027-03-03'
const STEPS = [
  { day: 3, kind: 'text', words: 'Hi {name}, how was it?', condition: 'always' },
  { day: 10, kind: 'call', words: 'Ask how they like it', condition: 'always' },
]
const TEXT_TO_SIBLINGS = '7700 Hi Mia and Leo, how was it?'

/** Two siblings with one phone, who came to their first class together. */
async function createSiblings() {
  const school = await createFollowingSchool(server, STEPS)
  const mia = await school.createStudent({ name: 'Mia Chen', phone_number: FAMILY_PHONE })
  const leo = await school.createStudent({ name: 'Leo Chen', phone_number: FAMILY_PHONE })
  for (const { id } of [mia, leo]) await school.mark(id, FIRST_DAY)
  const firstSteps = async () => {
    const plans = await Promise.all([mia, leo].map(({ id }) => school.readFollowups(id)))
    return plans.map(({ steps }) => `${steps[0].state} ${steps[0].skipped_why}`)
  }
  return { ...school, mia, leo, firstSteps }
}

describe('a text of the plan', () => {
  test('goes once to siblings who started together, in the morning of its day', async () => {
    const school = await createSiblings()
    await school.goTo('2027-03-02')
    await school.runJobs()
    await school.goTo(TEXT_DAY, 15)
    await school.runJobs()
    expect(await school.readTexts()).toEqual([])
    await school.goTo(TEXT_DAY, 16)
    await Promise.all([school.runJobs(), school.runJobs()])
    expect(await school.readTexts()).toEqual([TEXT_TO_SIBLINGS])
    await school.goTo('2027-03-04')
    await school.runJobs()
    expect(await school.readTexts()).toEqual([TEXT_TO_SIBLINGS])
    expect(await school.firstSteps()).toEqual(['done null', 'done null'])
    expect((await school.client().get('/sms/batches')).body).toMatchObject([
      { message_type: 'first_days', counts: { total: 2 } },
    ])
  })

  test('that was sent cannot be opened again', async () => {
    const school = await createSiblings()
    await school.goTo(TEXT_DAY)
    await school.runJobs()
    const { steps } = await school.readFollowups(school.mia.id)
    const path = `/followups/steps/${steps[0].id}`
    expect((await school.client().put(path, { state: 'open' })).status).toBe(409)
  })

  test('waits for the next day in the evening, and if the daily limit is reached', async () => {
    const school = await createSiblings()
    // 9 PM in Austin.
    await school.goTo('2027-03-04', 3)
    await school.runJobs()
    expect(await school.readTexts()).toEqual([])
    const superAdmin = await server.signInSuperAdmin()
    const setLimit = (daily_limit: number) =>
      superAdmin.put('/super-admin/daily-message-limit', { daily_limit })
    const bo = await school.createStudent({ name: 'Bo Diaz', phone_number: '(512) 555-7701' })
    await school.mark(bo.id, FIRST_DAY)
    // Two texts are due.
    await setLimit(1)
    await school.goTo('2027-03-04')
    await school.runJobs()
    expect(await school.readTexts()).toEqual([])
    await setLimit(10_000)
    await school.goTo('2027-03-05')
    await school.runJobs()
    const texts = await school.readTexts()
    expect(texts.toSorted()).toEqual([TEXT_TO_SIBLINGS, '7701 Hi Bo, how was it?'])
  })

  test('is skipped after the server was off for days', async () => {
    const school = await createSiblings()
    await school.goTo('2027-03-07')
    await school.runJobs()
    expect(await school.readTexts()).toEqual([])
    expect(await school.firstSteps()).toEqual(Array(2).fill('skipped Too late for a text'))
  })

  test('is skipped without a phone that gets texts', async () => {
    const school = await createSiblings()
    await school.runSql(sql`update students set phone_number = null where name = 'Leo Chen'`)
    await school.goTo(TEXT_DAY)
    await school.runJobs()
    expect(await school.readTexts()).toEqual(['7700 Hi Mia, how was it?'])
    expect(await school.firstSteps()).toEqual(['done null', 'skipped No phone that gets texts'])
  })

  test('and all other steps stop after an opt-out', async () => {
    const school = await createSiblings()
    const phone = '+15125557700'
    await school.runSql(
      sql`insert into phone_opt_outs (phone, created_at) values (${phone}, now())`,
    )
    await school.goTo(TEXT_DAY)
    await school.runJobs()
    await school.runSql(sql`delete from phone_opt_outs where phone = ${phone}`)
    expect(await school.readTexts()).toEqual([])
    const { plan_day, steps } = await school.readFollowups(school.mia.id)
    expect(plan_day).toBeNull()
    expect(steps.map(({ skipped_why }: { skipped_why: string }) => skipped_why)).toEqual(
      Array(2).fill('Opted out of texts'),
    )
  })

  test('is not sent while the student is on hold', async () => {
    const school = await createSiblings()
    await school.runSql(sql`update students set on_vacation = true, vacation_from = '2027-03-02',
      vacation_until = '2027-03-20'`)
    await school.goTo(TEXT_DAY)
    await school.runJobs()
    expect(await school.readTexts()).toEqual([])
    expect(await school.firstSteps()).toEqual(Array(2).fill('open null'))
  })
})
