import { WEEKDAYS } from '@tatami/contract/lib/calendar-day'
import { membershipsApi } from '@tatami/contract/memberships/memberships'
import { type PlanForm, plansApi } from '@tatami/contract/plans/plans'
import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { call } from './api.ts'
import type { Dojo } from './dojo.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const today = () =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Chicago' }).format(new Date())

const createPlan = (dojo: Dojo, changes: Partial<PlanForm>) =>
  call(
    plansApi.create,
    { body: { ...mustExist(PLAN_TEMPLATES[0], 'The first template'), ...changes } },
    dojo.token,
  )

test('the roll sells a single class to a student whose visits are used up', async ({
  page,
  dojo,
  visit,
}) => {
  await createPlan(dojo, { name: 'One class', kind: 'drop_in', price: 20 })
  const otherClass = await dojo.createClass()
  const { plan } = await createPlan(dojo, {
    ...{ name: 'Kids only', price: 96, class_ids: [otherClass.id] },
  })
  const { id } = await dojo.createClass({ class_name: 'Sparring', class_days: [...WEEKDAYS] })
  const mia = await dojo.createStudent({
    ...{ name: 'Mia Diaz', enrolled_classes: [id], monthly_payment_amount: 0 },
  })
  const body = { plan_id: plan.id, starts_on: today() }
  await call(membershipsApi.start, { params: { id: mia.id }, body }, dojo.token)
  await signIn(page, dojo)
  await visit(`/attendance?class=${id}&date=${today()}`)
  await expect(page.getByText('Not in their plan')).toBeVisible()
  await page.getByRole('button', { name: 'Sell classes to Mia Diaz' }).click()
  const sale = page.getByRole('dialog', { name: 'Classes for Mia Diaz' })
  await expect(sale).toContainText('$20')
  await expectAccessible(page)
  await sale.getByRole('button', { name: 'Sell', exact: true }).click()
  await expect(sale).toBeHidden()
  await expect(page.getByText('1 visit left')).toBeVisible()
})
