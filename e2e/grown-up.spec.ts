import type { Page } from '@playwright/test'
import { familiesApi } from '@tatami/contract/families/families'
import { sql } from 'drizzle-orm'
import { handleAdulthood } from '../server/families/adulthood.ts'
import { call } from './api.ts'
import { dayAhead } from './days.ts'
import { type Dojo, uniqueEmail } from './dojo.ts'
import { createGuardian } from './families.ts'
import { expect, expectAccessible, expectAllAccessible, signIn, test } from './harness.ts'

const bornEighteenYearsBefore = (day: string) =>
  `${Number(day.slice(0, 4)) - 18}${day.slice(4)}`.replace('-02-29', '-02-28')

const settings = (page: Page) => page.getByRole('region', { name: 'Who sees my page' })
const guardianRegion = (page: Page, name: string) => settings(page).getByRole('region', { name })
const rightSwitch = (page: Page, guardian: string, name: string) =>
  guardianRegion(page, guardian).getByRole('switch', { name })
const childCards = (page: Page) =>
  page.getByRole('region', { name: 'Your children' }).getByRole('article')

/** Creates Leo, who turns 18 in ten days. His mother pays. His mother and his father see
 *  everything. */
async function createFamily(dojo: Dojo) {
  const leo = await dojo.createStudent({
    name: 'Leo Diaz',
    email: uniqueEmail('leo'),
    date_of_birth: bornEighteenYearsBefore(dayAhead(10)),
  })
  const rights = { sees_fees: true, may_edit: true }
  const rosa = await createGuardian(dojo, [leo], { ...rights, pays: true })
  const ben = await createGuardian(dojo, [leo], { ...rights, relation: 'father' }, 'Ben Diaz')
  return { leo, rosa, ben }
}

/** Runs the daily job for students who turn 18. */
const runDailyJob = (dojo: Dojo) =>
  dojo.inDatabase((tx, dojoId) => handleAdulthood(tx, dojoId, dayAhead(0)))

/** Makes today Leo’s birthday by moving all dates back ten days. */
const letTenDaysPass = (dojo: Dojo) =>
  dojo.inDatabase(async (tx) => {
    await tx.execute(
      sql`update students set date_of_birth = ${bornEighteenYearsBefore(dayAhead(0))}`,
    )
    await tx.execute(sql`update guardianships set since = since - interval '10 days'`)
  })

test(
  'lets a student who turns 18 keep one guardian, while the other loses access',
  { tag: '@long' },
  async ({ page, dojo, visit, layoutPath }) => {
    const { leo, rosa, ben } = await createFamily(dojo)
    await runDailyJob(dojo)
    const student = await dojo.createSession(leo)
    await signIn(page, student)
    await visit('/dashboard')
    await page.getByRole('button', { name: /^Notifications/ }).click()
    await page.getByRole('link', { name: /You turn 18 soon/ }).click()
    await expect(page).toHaveURL(`${layoutPath}/notification-settings`)
    await expect(settings(page)).toContainText(
      'After that, your guardians see your page only if you allow it here.',
    )
    await expect(guardianRegion(page, 'Rosa Diaz')).toContainText(
      'Rosa pays your fees. To change that, talk to your instructor.',
    )
    const canStillSee = 'Can still see my page'
    for (const name of ['Rosa Diaz', 'Ben Diaz'])
      await expect(rightSwitch(page, name, canStillSee)).not.toBeChecked()
    await rightSwitch(page, 'Rosa Diaz', canStillSee).press('Space')
    await rightSwitch(page, 'Rosa Diaz', 'Can still see what is paid and owed').press('Space')
    await expect(
      rightSwitch(page, 'Rosa Diaz', 'Can still see what is paid and owed'),
    ).toBeChecked()
    await expect(rightSwitch(page, 'Rosa Diaz', 'Can still change my contacts')).not.toBeChecked()
    await expectAllAccessible(page)

    // The sensei sees which rights end, and when.
    await signIn(page, dojo)
    await visit('/families')
    await expect(
      page.getByText(
        'Then changing contacts ends, unless Leo agrees. ' +
          'Leo has agreed to seeing the page and seeing fees.',
      ),
    ).toBeVisible()
    await expect(
      page.getByText(
        /Then seeing the page, seeing fees, and changing contacts end, unless Leo agrees./,
      ),
    ).toBeVisible()
    // Until the birthday, nothing changes.
    await signIn(page, ben)
    await visit('/dashboard')
    await expect(childCards(page)).toHaveCount(1)

    await letTenDaysPass(dojo)
    await runDailyJob(dojo)
    await visit('/dashboard')
    await expect(page.getByRole('heading', { name: 'Welcome back, Ben Diaz!' })).toBeVisible()
    await expect(childCards(page)).toHaveCount(0)
    await signIn(page, rosa)
    await visit('/dashboard')
    await expect(childCards(page)).toHaveCount(1)
    await expect(childCards(page)).toContainText('$85.50 due')

    await signIn(page, student)
    await visit('/notification-settings')
    await expect(settings(page)).toContainText('so your page is yours')
    await expect(guardianRegion(page, 'Ben Diaz')).toContainText(
      'Ben does not see your page. Your instructor can change that.',
    )
    await expect(rightSwitch(page, 'Rosa Diaz', 'Sees my page')).toBeChecked()
    await expect(rightSwitch(page, 'Rosa Diaz', 'Changes my contacts')).toHaveCount(0)
    await rightSwitch(page, 'Rosa Diaz', 'Sees my page').press('Space')
    const confirmation = page.getByRole('alertdialog', { name: 'Hide your page from Rosa?' })
    await expect(confirmation).toContainText('Only your instructor can undo this.')
    await expectAccessible(page)
    await confirmation.getByRole('button', { name: 'Hide' }).click()
    await expect(guardianRegion(page, 'Rosa Diaz')).toContainText('Rosa does not see your page.')
    await expect(guardianRegion(page, 'Rosa Diaz')).toContainText('Rosa pays your fees')
    await signIn(page, rosa)
    await visit('/dashboard')
    await expect(page.getByRole('heading', { name: 'Welcome back, Rosa Diaz!' })).toBeVisible()
    await expect(childCards(page)).toHaveCount(0)
    const links = (await call(familiesApi.list, {}, dojo.token)).guardians.map(
      ({ name, students: [link] }) => [name, link!.pays, link!.sees],
    )
    expect(links).toEqual([
      ['Ben Diaz', false, false],
      ['Rosa Diaz', true, false],
    ])
  },
)

test(
  'does not ask younger students who sees their page, or show them their guardians',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const leo = await dojo.createStudent({ name: 'Leo Diaz', email: uniqueEmail('leo') })
    await createGuardian(dojo, [leo])
    await signIn(page, await dojo.createSession(leo))
    await visit('/notification-settings')
    await expect(page.getByRole('heading', { name: 'Password' })).toBeVisible()
    await expect(settings(page)).toHaveCount(0)
    await expect(page.getByText('Rosa Diaz')).toHaveCount(0)
  },
)

test(
  'reports an agreement that could not be saved',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    const { leo } = await createFamily(dojo)
    await signIn(page, await dojo.createSession(leo))
    await visit('/notification-settings')
    await page.route('**/api/family/guardians/*', (route) => route.abort())
    await rightSwitch(page, 'Rosa Diaz', 'Can still see my page').press('Space')
    await expect(guardianRegion(page, 'Rosa Diaz').getByRole('alert')).toHaveText(
      'This could not be saved. Please try again.',
    )
    await expect(rightSwitch(page, 'Rosa Diaz', 'Can still see my page')).not.toBeChecked()
  },
)
