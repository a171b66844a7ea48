import { mustExist } from '@tatami/contract/lib/must-exist'
import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { createLedgerDojo } from './ledger-dojo.ts'
import type { startTestServer } from './test-server.ts'

type TestServer = Awaited<ReturnType<typeof startTestServer>>

const twiceAWeek = mustExist(PLAN_TEMPLATES[1], 'The second template')

/** A dojo on March 10, 2027, with one student for each `studentFields`. */
export async function createPlanDojo(server: TestServer, ...studentFields: object[]) {
  const dojo = await createLedgerDojo(server, ...studentFields)
  let planCount = 0
  /** The first plan is named "Twice a week", the others get a number. */
  const addPlan = async (changes: object = {}): Promise<string> => {
    planCount += 1
    const name = planCount === 1 ? twiceAWeek.name : `${twiceAWeek.name} ${planCount}`
    return (await dojo.post('/plans', { ...twiceAWeek, name, ...changes })).body.plan.id
  }
  const start = (plan_id: string, starts_on: string, changes: object = {}, index = 0) =>
    dojo.post(`/students/${dojo.id(index)}/subscriptions`, { plan_id, starts_on, ...changes })
  const membership = async (index = 0) =>
    (await dojo.get(`/students/${dojo.id(index)}/membership`)).body
  const fee = async (index = 0) =>
    (await dojo.get(`/students/${dojo.id(index)}`)).body.student.monthly_payment_amount
  return { ...dojo, addPlan, start, membership, fee }
}
