import { mustExist } from '@tatami/contract/lib/must-exist'
import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { expect, test, vi } from 'vitest'
import { LIFE_TIMEOUT_MS, startServerWithAutopay } from '../../test/autopay-payers.ts'

const { createPayer, readHome } = await startServerWithAutopay()
vi.setConfig({ testTimeout: LIFE_TIMEOUT_MS })

test('the agreement says what a weekly plan costs in the coming month', async () => {
  const { sensei, students, ana } = await createPayer('2026-11-27', { Emma: 120 })
  const weeklyPlan = {
    ...mustExist(PLAN_TEMPLATES[0], 'The first template'),
    name: 'Weekly',
    cycle_unit: 'week',
    price: 25,
  }
  const { body } = await sensei.post('/plans', weeklyPlan)
  const subscription = { plan_id: body.plan.id, starts_on: '2026-11-27' }
  const { status } = await sensei.post(`/students/${students[0]?.id}/subscriptions`, subscription)
  expect(status).toBe(200)
  // December has four Fridays.
  expect((await readHome(ana)).terms.usual_amount).toBe(100)
})
