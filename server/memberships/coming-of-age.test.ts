import { expect, test } from 'vitest'
import type { Email } from '../lib/mail.ts'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { signInAs } from '../test/fixtures.ts'
import { createPlan } from '../test/plan-members.ts'
import { requireOk } from '../test/sheets.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

/** Runs the jobs of a morning. Returns who got mail about the plan. */
async function runMorning(day: string): Promise<string[]> {
  setClock(`${day}T18:00:00Z`)
  const emails: Email[] = []
  const throwError = (error: unknown) => {
    throw error
  }
  await runDueJobs(server.db, throwError, (email) => void emails.push(email))
  return emails.filter(({ text }) => text.includes('renews on')).map(({ to }) => to)
}

/** Ann pays for Ken, who turns 18 on May 10, for a plan since March 1 that renews. */
async function createFamily({ minimum_months }: { minimum_months: number }) {
  setClock('2026-03-01T18:00:00Z')
  const sensei = await server.createSensei()
  const plan = await createPlan(sensei, {
    ...{ name: 'Teens', price: 96, kind: 'renewing', minimum_months, renews_for_months: 6 },
  })
  const ken = await server.createStudent(sensei, {
    ...{ name: 'Ken Adams', date_of_birth: '2008-05-10', monthly_payment_amount: 0 },
  })
  const ann = await server.createGuardian(sensei, [ken], {
    students: [{ student_id: ken.id, pays: true }],
  })
  const form = { plan_id: plan.id, starts_on: '2026-03-01' }
  requireOk(await sensei.post(`/students/${ken.id}/subscriptions`, form))
  const clientOf = async ({ id }: { id: string }) => server.clientFor(await signInAs(server.db, id))
  const readPlan = async (reader: { id: string }) => {
    const client = await clientOf(reader)
    return requireOk(await client.get('/my/memberships'))[0].subscriptions[0]
  }
  const readMembership = async () => {
    const client = await clientOf(sensei)
    return requireOk(await client.get(`/students/${ken.id}/membership`))
  }
  const readersOn = async (day: string) => {
    const addresses = await runMorning(day)
    return { payer: addresses.includes(ann.email), student: addresses.includes(ken.email) }
  }
  return { ken, ann, readPlan, readMembership, readersOn }
}

test('on the 18th birthday a plan and its payer stay, and the renewal asks the student, too', async () => {
  const { ken, ann, readPlan, readMembership, readersOn } = await createFamily({
    minimum_months: 6,
  })
  await runMorning('2026-05-09')
  const [planBefore] = (await readMembership()).subscriptions
  expect(await readPlan(ann)).toMatchObject({ may_end: true, price: '$96 a month' })
  expect(await readPlan(ken)).toMatchObject({ may_end: false, price: null })
  await runMorning('2026-05-11')
  const [planAfter] = (await readMembership()).subscriptions
  expect(planAfter).toEqual(planBefore)
  expect(planAfter).toMatchObject({ state: 'running', minimum_until: '2026-08-31' })
  expect(await readPlan(ken)).toMatchObject({ may_end: false, price: null })
  expect(await readersOn('2026-08-02')).toEqual({ payer: true, student: true })
})

test('before the 18th birthday the renewal asks only the payer', async () => {
  const { readersOn } = await createFamily({ minimum_months: 2 })
  expect(await readersOn('2026-04-01')).toEqual({ payer: true, student: false })
})
