import { promotionsApi } from '@tatami/contract/belts/promotions'
import { gradingsApi } from '@tatami/contract/gradings/gradings'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { call } from './api.ts'
import { dayAhead } from './days.ts'
import { createGuardian } from './families.ts'
import { createGrading } from './gradings.ts'
import { expect, expectAllAccessible, signIn, test } from './harness.ts'
import { panel } from './student-page.ts'

test('the dashboard shows today’s belt test and opens its results', async ({
  page,
  dojo,
  visit,
}) => {
  const { grading, ken, leo } = await createGrading(dojo)
  const answer = (studentId: string, value: 'yes' | 'no') =>
    call(
      gradingsApi.answer,
      { params: { id: grading.id, studentId }, body: { answer: value } },
      dojo.token,
    )
  await answer(ken.id, 'yes')
  await answer(leo.id, 'no')
  await call(
    gradingsApi.create,
    { body: { name: 'Next week', held_on: dayAhead(7), held_at: '10:00', fee: null } },
    dojo.token,
  )
  await call(
    gradingsApi.create,
    { body: { name: 'Next month', held_on: dayAhead(30), held_at: null, fee: null } },
    dojo.token,
  )
  await signIn(page, dojo)
  await visit('/dashboard')
  const row = panel(page, 'Today').getByRole('list', { name: 'Belt test today' })
  await expect(row).toContainText('Winter grading')
  await expect(row).toContainText('6:00 PM')
  await expect(row).toContainText('1 coming, 1 hasn’t answered')
  await expect(panel(page, 'Today').getByRole('link', { name: 'Next week' })).toBeVisible()
  await expect(panel(page, 'Today')).not.toContainText('Next month')
  await expectAllAccessible(page)
  await row.getByRole('link', { name: 'Test day of Winter grading' }).click()
  await expect(page.getByText('0 of 2 recorded')).toBeVisible()
})

test('warns before promoting a candidate, and then skips the candidate in the belt test', async ({
  page,
  dojo,
  visit,
}) => {
  const { grading, ken } = await createGrading(dojo)
  const rank_id = mustExist(grading.candidates[0], 'A candidate').to_rank.id
  await signIn(page, dojo)
  await visit(`/students/${ken.id}`)
  await panel(page, 'Belts').getByRole('button', { name: 'Promote' }).click()
  await expect(page.getByRole('dialog', { name: 'Promote Ken Adams' })).toContainText(
    'Ken is in the belt test today.',
  )
  const body = { promotions: [{ student_id: ken.id, rank_id }] }
  await call(promotionsApi.promote, { body }, dojo.token)
  await visit(`/gradings/${grading.id}`)
  await expect(page.getByText('0 of 2 recorded')).toBeVisible()
  await expect(page.getByText('Already has it')).toBeVisible()
  await expect(page.getByRole('group', { name: 'Ken Adams' })).toHaveCount(0)
  await expectAllAccessible(page)
})

test('shows a parent the new belt of a child instead of the invitation', async ({
  page,
  dojo,
  visit,
}) => {
  const { grading, ken, mia } = await createGrading(dojo)
  const rank_id = mustExist(grading.candidates[0], 'A candidate').to_rank.id
  const student_ids = [ken.id, mia.id]
  await call(
    gradingsApi.invite,
    { params: { id: grading.id }, body: { student_ids, text: null } },
    dojo.token,
  )
  const body = { promotions: [{ student_id: ken.id, rank_id }] }
  await call(promotionsApi.promote, { body }, dojo.token)
  await signIn(page, await createGuardian(dojo, [ken, mia]))
  await visit('/dashboard')
  const card = page.getByRole('region', { name: 'Ken now wears the yellow belt' })
  await expect(card.getByRole('button', { name: 'Share the new belt' })).toBeVisible()
  await expect(page.getByText('Mia is invited to the belt test for Yellow')).toBeVisible()
  await expect(page.getByRole('region', { name: /Winter grading/ })).toHaveCount(1)
  await expect(page.getByRole('region').first()).toContainText('Ken now wears the yellow belt')
  await expectAllAccessible(page)
})
