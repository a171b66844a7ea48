import { readFile } from 'node:fs/promises'
import { beltsApi, type Rank } from '@tatami/contract/belts/belts'
import { promotionsApi } from '@tatami/contract/belts/promotions'
import { call } from './api.ts'
import type { Dojo } from './dojo.ts'
import { expect, expectAccessible, expectAllAccessible, signIn, test } from './harness.ts'
import { button, panel } from './student-page.ts'

/** Creates a student with a white belt, which may have two stripes. The next belt, renamed
 *  "9th kyu", requires a skill and an instructor's approval. */
async function createStudentWithRequirements(dojo: Dojo) {
  const ken = await dojo.createStudent({ name: 'Ken Adams', belt_level: 'white' })
  const { styles } = await call(beltsApi.show, {}, dojo.token)
  const [ladder] = styles[0]!.ladders
  const [white, yellow] = ladder!.ranks
  const changeRank = (rank: Rank) => {
    if (rank.id === white!.id) return { ...rank, stripes: 2 }
    if (rank.id !== yellow!.id) return rank
    return {
      ...rank,
      name: '9th kyu',
      tags_count: 1,
      tags_colour: 'black' as const,
      needs_approval: true,
      skills: [{ name: 'Ukemi', required: true }],
    }
  }
  const body = { ...ladder!, ranks: ladder!.ranks.map(changeRank) }
  await call(beltsApi.changeLadder, { params: { id: ladder!.id }, body }, dojo.token)
  return ken
}

test('an instructor checks a skill, approves, gives a stripe, promotes, and undoes each', async ({
  page,
  dojo,
  visit,
}) => {
  const ken = await createStudentWithRequirements(dojo)
  await signIn(page, dojo)
  await visit(`/students/${ken.id}`)
  const belts = panel(page, 'Belts')
  const history = belts.getByRole('list', { name: 'History' }).getByRole('listitem')
  await expect(belts).toContainText(/Next: 9th kyu · 0%Missing: 1 skill, approval/)
  await expectAccessible(page)
  await belts.getByLabel('Ukemi').check()
  await expect(belts).toContainText('Missing: approval')
  await belts.getByLabel('Instructor approval').check()
  await expect(belts).toContainText('All requirements met')
  await belts.getByLabel('Ukemi').uncheck()
  await expect(belts).toContainText('Missing: 1 skill')
  await button(page, '+ Stripe').click()
  await expect(
    page.getByRole('status').filter({ hasText: 'Ken Adams: White belt, 1 stripe' }),
  ).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText(
    'White belt, 1 stripe',
  )
  await button(page, 'Undo').click()
  await expect(history.filter({ hasText: 'corrected' })).toHaveCount(1)
  await belts.getByRole('button', { name: 'Promote' }).click()
  const sheet = page.getByRole('dialog', { name: 'Promote Ken Adams' })
  await expect(sheet.getByLabel('Rank').locator('option:checked')).toHaveText('9th kyu')
  await expect(sheet).toContainText('Missing: 1 skill. The history will show that you waived it.')
  await sheet.getByLabel('Examiner').fill('Hiro Sato')
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Promote' }).click()
  await expect(history.first()).toContainText(/9th kyu.*examiner Hiro Sato, without skills/)
  await belts.getByRole('button', { name: 'Undo 9th kyu' }).click()
  await page
    .getByRole('alertdialog', { name: 'Undo 9th kyu?' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(history.first()).toContainText('corrected')
  await expect(belts.getByText('White belt', { exact: true }).first()).toBeVisible()
  await expectAllAccessible(page)
})

test('an instructor downloads the certificate of a rank from the student’s page', async ({
  page,
  dojo,
  visit,
}) => {
  const ken = await createStudentWithRequirements(dojo)
  const { styles } = await call(beltsApi.show, {}, dojo.token)
  const rank_id = styles[0]!.ladders[0]!.ranks.find(({ name }) => name === '9th kyu')!.id
  await call(
    promotionsApi.promote,
    { body: { promotions: [{ student_id: ken.id, rank_id, waived: ['skills', 'approval'] }] } },
    dojo.token,
  )
  await signIn(page, dojo)
  await visit(`/students/${ken.id}`)
  const downloadPromise = page.waitForEvent('download')
  await panel(page, 'Belts').getByRole('button', { name: 'Certificate' }).click()
  const download = await downloadPromise
  expect(download.suggestedFilename()).toMatch(/\.pdf$/)
  expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-')
})

test('a student sees their belts, and an undone promotion as corrected', async ({
  page,
  dojo,
  visit,
}) => {
  const ken = await createStudentWithRequirements(dojo)
  const { styles } = await call(beltsApi.show, {}, dojo.token)
  const rank = styles[0]!.ladders[0]!.ranks.find(({ name }) => name === '9th kyu')!
  const { act_id } = await call(
    promotionsApi.promote,
    {
      body: {
        promotions: [{ student_id: ken.id, rank_id: rank.id, waived: ['skills', 'approval'] }],
        note: 'Too early',
      },
    },
    dojo.token,
  )
  await call(promotionsApi.undoBatch, { params: { id: act_id } }, dojo.token)
  await signIn(page, await dojo.createSession(ken))
  await visit('/dashboard')
  await expect(page.getByText('White Belt • Regular Student')).toBeVisible()
  // The second level of the navigation is for instructors.
  await expect(page.getByRole('navigation', { name: 'Dashboard' })).toHaveCount(0)
  const belts = panel(page, 'My Belts')
  await expect(belts).toContainText(/Next: 9th kyu · 0%Missing: 1 skill, approval/)
  await belts.getByText('Skills: 0 of 1').click()
  await expect(belts.getByText('Ukemi, not done yet')).toBeVisible()
  await belts.getByText('All belts so far').click()
  await expect(
    belts.getByRole('list', { name: 'History' }).getByRole('listitem').first(),
  ).toContainText(/9th kyu.*, corrected$/)
  await expect(belts).not.toContainText('Too early')
  await expectAccessible(page)
})
