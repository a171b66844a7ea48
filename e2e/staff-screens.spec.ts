import { PRESETS, type Preset, rightsOfPreset } from '@tatami/contract/rights'
import { ledgerApi } from '@tatami/contract/ledger/ledger'
import { staffApi } from '@tatami/contract/staff/staff'
import { staffInvitationsApi } from '@tatami/contract/staff/staff-invitations'
import type { Page } from '@playwright/test'
import { listActions } from '../web/app/find-actions.ts'
import { PATHS } from '../web/lib/paths.ts'
import { call } from './api.ts'
import { createDailyClass } from './daily-class.ts'
import type { Dojo } from './dojo.ts'
import { createGuardian } from './families.ts'
import { expect, expectAccessible, sampleInShortRun, signIn, test } from './harness.ts'

const presets = Object.keys(PRESETS) as Preset[]

/** Leaves out screens for visitors and other roles, and screens of one person, class or payment. */
const isStaffScreen = (path: string) =>
  !path.includes(':') &&
  ![
    PATHS.superAdmin,
    PATHS.kiosk,
    PATHS.consentForm,
    PATHS.privacy,
    PATHS.resetPassword,
    PATHS.recoverAccount,
    PATHS.acceptInvitation,
    PATHS.joinStaff,
    PATHS.notificationSettings,
  ].some((visitorPath) => visitorPath === path)
const STAFF_PATHS = Object.values(PATHS).filter(isStaffScreen)

/** Creates Ken, who pays $85.50 a month and has a class every day, and Mia, who has none. */
async function createSchool(dojo: Dojo) {
  const dojoClass = await createDailyClass(dojo)
  const ken = await dojo.createStudent({
    name: 'Ken Adams',
    enrolled_classes: [dojoClass.id],
    monthly_payment_amount: 85.5,
  })
  await dojo.createStudent({ name: 'Mia Lund', monthly_payment_amount: 70 })
  return { dojoClass, ken }
}

/** Opens a screen without reloading the page. */
const openScreen = (page: Page, path: string) =>
  page.evaluate((newPath) => {
    history.pushState(null, '', newPath)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, path)

for (const preset of sampleInShortRun(presets))
  test(`no screen of ${PRESETS[preset].name} requests data that the rights do not allow`, async ({
    page,
    dojo,
    visit,
    layoutPath,
  }) => {
    test.slow()
    const { ken } = await createSchool(dojo)
    const refusedRequests: string[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (response.status() === 403)
        refusedRequests.push(`${response.request().method()} ${pathname} on ${page.url()}`)
    })
    await signIn(page, await dojo.createStaff({ rights: rightsOfPreset(preset) }))
    await visit(PATHS.dashboard)
    await expect(page.getByRole('heading', { name: 'Welcome back, Kim Park!' })).toBeVisible()
    for (const path of [...STAFF_PATHS, `/students/${ken.id}`]) {
      await openScreen(page, `${layoutPath}${path}`)
      await expect(page.getByRole('heading', { level: 1 })).not.toHaveCount(0)
      await page.waitForLoadState('networkidle')
    }
    expect(refusedRequests).toEqual([])
  })

/** Reads which screens the links lead to. */
const readLinks = (page: Page, layoutPath: string): Promise<string[]> =>
  page.evaluate(
    (layout) =>
      [...document.querySelectorAll('a[href^="/"]')]
        .map((link) => link.getAttribute('href') ?? '')
        .filter((href) => href.startsWith('/desktop/') === (layout === '/desktop'))
        .map((href) => href.slice(layout.length)),
    layoutPath,
  )

for (const preset of sampleInShortRun(presets))
  test(`no link or action in Find leads ${PRESETS[preset].name} to a closed screen`, async ({
    page,
    dojo,
    visit,
    layoutPath,
  }) => {
    test.slow()
    const { ken } = await createSchool(dojo)
    await signIn(page, await dojo.createStaff({ rights: rightsOfPreset(preset) }))
    await visit(PATHS.dashboard)
    await expect(page.getByRole('heading', { name: 'Welcome back, Kim Park!' })).toBeVisible()
    const closedHeading = page.getByRole('heading', { name: 'You don’t have access' })
    const targets = new Set<string>()
    const collectLinks = async () => {
      await page.waitForLoadState('networkidle')
      if ((await closedHeading.count()) > 0) return
      for (const target of await readLinks(page, layoutPath)) targets.add(target)
    }
    for (const path of [...STAFF_PATHS, `/students/${ken.id}`]) {
      await openScreen(page, `${layoutPath}${path}`)
      await expect(page.getByRole('heading', { level: 1 })).not.toHaveCount(0)
      await collectLinks()
    }
    const closedTargets: string[] = []
    const checkTarget = async (name: string) => {
      await expect(page.getByRole('heading', { level: 1 })).not.toHaveCount(0)
      if ((await closedHeading.count()) > 0) closedTargets.push(name)
    }
    for (const target of targets) {
      await openScreen(page, `${layoutPath}${target}`)
      await checkTarget(target)
    }
    const findDialog = page.getByRole('dialog', { name: 'Find' })
    const findAction = async (title: string) => {
      if (!(await findDialog.isVisible())) await page.getByRole('button', { name: /^Find/ }).click()
      await findDialog.getByRole('combobox').fill(title)
      return findDialog.getByRole('group', { name: 'Actions' }).getByRole('option', { name: title })
    }
    for (const { title } of listActions()) {
      await openScreen(page, `${layoutPath}${PATHS.dashboard}`)
      const action = await findAction(title)
      if ((await action.count()) === 0) continue
      await action.first().click()
      await checkTarget(title)
    }
    expect(closedTargets).toEqual([])
  })

test('leads the front desk from Find to the screen for taking payments', async ({
  page,
  dojo,
  visit,
}) => {
  await createSchool(dojo)
  await signIn(page, await dojo.createStaff({ rights: rightsOfPreset('desk') }))
  await visit(PATHS.dashboard)
  await page.getByRole('button', { name: /^Find/ }).click()
  const findDialog = page.getByRole('dialog', { name: 'Find' })
  await findDialog.getByRole('combobox').fill('take a pay')
  await findDialog.getByRole('option', { name: 'Take a payment' }).click()
  await expect(page.getByRole('button', { name: 'Mark Paid for Ken Adams' })).toBeEnabled()
})

test('shows a helper first names on the roll of their class, but nothing else about students', async ({
  page,
  dojo,
  visit,
}) => {
  const { dojoClass } = await createSchool(dojo)
  await signIn(
    page,
    await dojo.createStaff({ rights: rightsOfPreset('helper'), class_ids: [dojoClass.id] }),
  )
  await visit(PATHS.dashboard)
  await expect(page.getByText('Little Dragons').first()).toBeVisible()
  await expect(page.getByText('$')).toHaveCount(0)
  await expectAccessible(page)
  await visit(`${PATHS.attendance}?class=${dojoClass.id}`)
  const roll = page.getByRole('dialog', { name: 'Mark Attendance' })
  await expect(roll.getByRole('group', { name: 'Ken', exact: true })).toBeVisible()
  await expect(roll.getByRole('link')).toHaveCount(0)
  await expect(page.getByText(/Adams|Lund/)).toHaveCount(0)
  await expectAccessible(page)
  await roll
    .getByRole('group', { name: 'Ken', exact: true })
    .getByRole('button', { name: 'Present' })
    .click()
  await expect(roll.getByText('1 of 1 marked, 1 present')).toBeVisible()
  await visit(PATHS.students)
  await expect(page.getByRole('heading', { name: 'You don’t have access' })).toBeVisible()
  await expectAccessible(page)
})

test('lets the front desk take payments, but shows no totals or balances', async ({
  page,
  dojo,
  visit,
}) => {
  await createSchool(dojo)
  await signIn(page, await dojo.createStaff({ rights: rightsOfPreset('desk') }))
  await visit(PATHS.dashboard)
  await expect(page.getByText('Little Dragons').first()).toBeVisible()
  await expect(page.getByText('$')).toHaveCount(0)
  await visit(PATHS.paymentCenter)
  await expect(page.getByRole('button', { name: 'Mark Paid for Ken Adams' })).toBeEnabled()
  await expect(page.getByText('$85.50')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Statistics' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /Late Fee|Reset/ })).toHaveCount(0)
  await expectAccessible(page)
})

test('names who took and who undid a payment in a student’s account', async ({
  page,
  dojo,
  visit,
}) => {
  const { ken } = await createSchool(dojo)
  const desk = await dojo.createStaff({ rights: rightsOfPreset('desk') })
  const payment = { student_id: ken.id, amount: 40 }
  const { act_id } = await call(ledgerApi.pay, { body: payment }, desk.token)
  await call(ledgerApi.undo, { params: { id: act_id } }, dojo.token)
  await signIn(page, dojo)
  await visit(`/students/${ken.id}`)
  const entry = page.getByRole('list', { name: 'Entries' }).getByRole('listitem').first()
  await expect(entry).toContainText('entered by Kim Park')
  await expect(entry).toContainText(/undone .* by Aiko Tanaka/)
})

test('shows an assistant no phone numbers, emails or fees of students', async ({
  page,
  dojo,
  visit,
}) => {
  const { ken } = await createSchool(dojo)
  await signIn(page, await dojo.createStaff({ rights: rightsOfPreset('assistant') }))
  await visit(PATHS.students)
  await expect(page.getByRole('link', { name: 'Ken Adams' })).toBeVisible()
  await expect(page.getByText(/512|@|\$/)).toHaveCount(0)
  await expect(page.getByRole('button', { name: /Enroll|Edit|More/ })).toHaveCount(0)
  await expectAccessible(page)
  await visit(`/students/${ken.id}`)
  await expect(page.getByRole('heading', { name: 'Ken Adams' })).toBeVisible()
  await expect(page.getByText(/512|@|\$/)).toHaveCount(0)
})

test('shows a bookkeeper who owes, but no buttons to take payments or send texts', async ({
  page,
  dojo,
  visit,
}) => {
  await createSchool(dojo)
  await signIn(page, await dojo.createStaff({ rights: rightsOfPreset('bookkeeper') }))
  await visit(PATHS.owing)
  await expect(page.getByRole('heading', { name: 'Past Due' })).toBeVisible()
  await expect(page.getByRole('button', { name: /Take payment|Text/ })).toHaveCount(0)
  await expectAccessible(page)
})

test('lets staff with a child here switch views with one tap', async ({
  page,
  dojo,
  visit,
  isDesktop,
}) => {
  const { ken } = await createSchool(dojo)
  const mother = await createGuardian(dojo, [ken], {}, 'Rosa Adams')
  const { link } = await call(
    staffInvitationsApi.invite,
    { body: { name: 'Rosa Adams', email: mother.email, rights: ['roll', 'students.read'] } },
    dojo.token,
  )
  const [, invitation = ''] = link.split('#', 2)
  await call(staffInvitationsApi.join, { body: { invitation } }, mother.token)
  await signIn(page, mother)
  await visit(PATHS.dashboard)
  const switchToView = async (view: string) => {
    if (!isDesktop) await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('radiogroup', { name: 'View' }).getByText(view).click()
  }
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await expect(navigation.getByRole('link', { name: /Student/ })).toBeVisible()
  await switchToView('Family')
  await expect(navigation.getByRole('link', { name: /Student/ })).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Ken Adams' })).toBeVisible()
  if (!isDesktop) await page.getByRole('button', { name: 'Account' }).click()
  await expectAccessible(page)
  if (!isDesktop) await page.keyboard.press('Escape')
  await switchToView('Staff')
  await expect(navigation.getByRole('link', { name: /Student/ })).toBeVisible()
})

test('shows an owner who views the school as the front desk a banner that leads back', async ({
  page,
  dojo,
  visit,
}) => {
  await createSchool(dojo)
  await call(staffApi.view, { body: { preset: 'desk' } }, dojo.token)
  await signIn(page, dojo)
  await visit(PATHS.paymentCenter)
  const banner = page.getByRole('complementary', { name: 'Preview' })
  await expect(banner).toContainText('You’re viewing the school as Front desk')
  await expect(page.getByRole('list', { name: 'Statistics' })).toHaveCount(0)
  await expectAccessible(page)
  await banner.getByRole('button', { name: 'Back to your view' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome back, Aiko Tanaka!' })).toBeVisible()
  await expect(banner).toHaveCount(0)
  await visit(PATHS.paymentCenter)
  await expect(page.getByRole('list', { name: 'Statistics' })).toBeVisible()
})

test('lets an owner who views the school as the front desk preview a text, but not send it', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  await createSchool(dojo)
  await call(staffApi.view, { body: { preset: 'desk' } }, dojo.token)
  await signIn(page, dojo)
  await visit(`${PATHS.messageCenter}?open=weather_cancel`)
  const messageDialog = page.getByRole('dialog', { name: 'Weather Cancellation' })
  await messageDialog.getByLabel('Message').fill('No class today.')
  await expect(messageDialog.getByRole('figure', { name: 'Preview' })).toContainText(
    'No class today.',
  )
  await expect(messageDialog).toContainText('2 students get this')
  allowErrors(/403/)
  await messageDialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(messageDialog).toContainText('You’re looking as somebody else.')
})
