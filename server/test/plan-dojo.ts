import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { createLedgerDojo } from './ledger-dojo.ts'
import type { startTestServer } from './test-server.ts'

type TestServer = Awaited<ReturnType<typeof startTestServer>>

const [, twiceAWeek] = PLAN_TEMPLATES

/** A dojo on March 10, 2027, with one student for each `studentFields`. */
export async function createPlanDojo(server: TestServer, ...studentFields: object[]) {
  const dojo = await createLedgerDojo(server, ...studentFields)
  const addPlan = async (changes: object = {}): Promise<string> =>
    (await dojo.post('/plans', { ...twiceAWeek, ...changes })).body.plan.id
  const start = (plan_id: string, starts_on: string, changes: object = {}, index = 0) =>
    dojo.post(`/students/${dojo.id(index)}/subscriptions`, { plan_id, starts_on, ...changes })
  const membership = async (index = 0) =>
    (await dojo.get(`/students/${dojo.id(index)}/membership`)).body
  const fee = async (index = 0) =>
    (await dojo.get(`/students/${dojo.id(index)}`)).body.student.monthly_payment_amount
  return { ...dojo, addPlan, start, membership, fee }
}
