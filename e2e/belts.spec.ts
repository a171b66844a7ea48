import { addDays, utcDay } from '@tatami/contract/lib/calendar-day'
import type { Locator, Page } from '@playwright/test'
import { beltsApi } from '@tatami/contract/belts/belts'
import { type Belt, RANK_COLOURS, RANK_PATTERNS } from '@tatami/contract/lib/ranks'
import { promotionsApi } from '@tatami/contract/belts/promotions'
import { readinessApi } from '@tatami/contract/belts/readiness'
import { call } from './api.ts'
import { type Dojo, uniqueEmail } from './dojo.ts'
import {
  collectChanges,
  expect,
  expectAccessible,
  expectAllAccessible,
  delayCalls,
  signIn,
  test,
} from './harness.ts'
import { createAtRiskStudents } from './slipping-away.ts'

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const ladder = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const rankIn = (element: Page | Locator, name: string) =>
  element.getByRole('listitem').filter({ hasText: name }).first()
const successMessage = (page: Page, text: string | RegExp) =>
  page.getByRole('status').filter({ hasText: text })
const selectionBar = (page: Page) => page.getByRole('region', { name: 'Selected students' })
const findRow = (page: Page, name: string) =>
  page
    .getByRole('main')
    .locator('li, tr')
    .filter({ has: page.getByRole('link', { name, exact: true }) })

/** After the first promotion, the dojo has its own copy of the ladder. */
async function promoteFirstReady({ token }: Dojo) {
  const { students } = await call(readinessApi.ready, { query: {} }, token)
  const { student_id, next } = students[0]!
  await call(
    promotionsApi.promote,
    { body: { promotions: [{ student_id, rank_id: next!.id }] } },
    token,
  )
}

const readMainStyle = async ({ token }: Dojo) => (await call(beltsApi.show, {}, token)).styles[0]!

test('opening Belts does not change the enrollment form', async ({ page, visit, dojo }) => {
  await dojo.createStudent({ name: 'Ken Adams' })
  await signIn(page, dojo)
  await visit('/belts')
  await expect(ladder(page, 'Seven belts')).toBeVisible()
  await visit('/students')
  await page.getByRole('button', { name: 'Enroll New Student' }).first().click()
  const field = page.getByRole('dialog').getByLabel('Belt level')
  await expect(field).toHaveValue('white')
  await expect(field.locator('option')).toHaveText([
    'White',
    'Yellow',
    'Orange',
    'Green',
    'Blue',
    'Brown',
    'Black',
  ])
})

test('a dojo with the seven belts still enrolls students at White after a promotion', async ({
  page,
  visit,
  dojo,
}) => {
  await dojo.createStudent({ name: 'Ken Adams' })
  await promoteFirstReady(dojo)
  await signIn(page, dojo)
  await visit('/students')
  await page.getByRole('button', { name: 'Enroll New Student' }).first().click()
  await expect(page.getByRole('dialog').getByLabel('Belt level')).toHaveValue('white')
})

const REQUIREMENTS = {
  min_months: null,
  min_classes: null,
  max_classes_a_day: null,
  min_age: null,
  max_age: null,
  min_stripes: null,
  needs_approval: false,
  needs_fee: false,
}
const RANK_DESIGN = {
  short: null,
  colours: ['white' as const],
  pattern: 'solid' as const,
  tags_count: 0,
  tags_colour: null,
  stripes: 0,
  fee: null,
}
const createRank = (name: string, belt_level: Belt, overrides: object = {}) => ({
  ...RANK_DESIGN,
  ...REQUIREMENTS,
  name,
  belt_level,
  skills: [],
  ...overrides,
})

/** Replaces the seven belts with a ladder of these ranks. */
async function replaceLadder(
  dojo: Dojo,
  ranks: ReturnType<typeof createRank>[],
): Promise<Record<string, string>> {
  const {
    ladders: [seven],
  } = await readMainStyle(dojo)
  // Existing ranks keep their names and their students.
  const idByName = new Map(seven!.ranks.map(({ name, id }) => [name, id]))
  const keptRanks = ranks.map((rank) => ({
    ...rank,
    ...(idByName.has(rank.name) && { id: idByName.get(rank.name)! }),
  }))
  const body = {
    name: 'Our belts',
    min_age: null,
    max_age: null,
    age_counts: 'birthday' as const,
    continues_as: null,
    ranks: keptRanks,
  }
  const { ranks: changedRanks } = await call(
    beltsApi.changeLadder,
    { params: { id: seven!.id }, body },
    dojo.token,
  )
  return Object.fromEntries(changedRanks.map(({ name, id }) => [name, id]))
}

test('starts a ladder from a template, changes it, and moves students to it and back', async ({
  page,
  dojo,
  visit,
}) => {
  await createAtRiskStudents(dojo, [
    { name: 'Ann White' },
    { name: 'Ben White' },
    { name: 'Cleo White' },
    { name: 'Dan Yellow', belt_level: 'yellow' },
    { name: 'Eva Yellow', belt_level: 'yellow' },
  ])
  await signIn(page, dojo)
  await visit('/belts')
  const seven = ladder(page, 'Seven belts')
  await expect(
    seven.getByRole('list', { name: 'Ranks of Seven belts' }).getByRole('listitem'),
  ).toHaveCount(7)
  await expect(rankIn(seven, 'Yellow')).toContainText('2 students')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Seven belts'])
  await expectAllAccessible(page)

  await page.getByRole('button', { name: 'Start from a template' }).click()
  const templates = dialogOf(page, 'Start from a template')
  await expect(templates.getByRole('button', { name: /^Use / })).toHaveCount(13)
  await templates.getByLabel('Find a style').fill('shotokan')
  await expect(templates.getByText('1 template', { exact: true })).toBeVisible()
  await templates.getByText('Show the ranks').click()
  await expect(
    rankIn(templates.getByRole('list', { name: /^Ranks of Karate/ }), '8th kyu'),
  ).toContainText('2 months')
  await expectAccessible(page)
  await templates.getByRole('button', { name: 'Use Karate, Shotokan (JKA style)' }).click()
  const karate = ladder(page, 'Karate, Shotokan (JKA style)')
  await expect(karate).toContainText('No students on this ladder yet.')

  await karate.getByRole('button', { name: /^Edit / }).click()
  const editor = dialogOf(page, /^Edit Karate/)
  await editor.getByRole('button', { name: /^8th kyu/, expanded: false }).click()
  await editor.getByLabel('Months').fill('3')
  await editor.getByLabel('Classes', { exact: true }).fill('24')
  await editor.getByRole('textbox', { name: 'Name', exact: true }).fill('')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
  await expect(editor.getByText('Rank is required')).toBeVisible()
  await expectAccessible(page)
  await editor.getByRole('textbox', { name: 'Name', exact: true }).fill('Yellow tiger')
  await editor.getByRole('button', { name: 'Add a skill' }).click()
  await editor.getByLabel('Skill 1', { exact: true }).fill('Heian shodan')
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click()
  await expect(editor.getByLabel('Skill 1', { exact: true })).toHaveValue('Heian shodan')
  await editor.getByLabel('Name of the ladder').fill('Karate')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor).toHaveCount(0)
  const ownLadder = ladder(page, 'Karate')
  await expect(rankIn(ownLadder, 'Yellow tiger')).toContainText('3 months, 24 classes, 1 skill')

  await ownLadder.getByRole('button', { name: 'Move students to Karate' }).click()
  const moveDialog = dialogOf(page, 'Move students to Karate')
  await expect(moveDialog.getByLabel('Yellow becomes')).toHaveValue(/./)
  await moveDialog.getByLabel('White becomes').selectOption('9th kyu')
  await expect(
    successMessage(page, 'Moves 5 students: 3 White → 9th kyu, 2 Yellow → Yellow tiger.'),
  ).toBeVisible()
  await expectAccessible(page)
  await moveDialog.getByRole('button', { name: 'Move 5 students' }).click()
  await expect(successMessage(page, '5 students moved to Karate')).toBeVisible()
  await expect(rankIn(ownLadder, '9th kyu')).toContainText('3 students')
  await expect(ladder(page, 'Seven belts')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(rankIn(ladder(page, 'Seven belts'), 'White')).toContainText('3 students')
  await expect(ownLadder).toContainText('No students on this ladder yet.')
})

test('promotes twelve students after a preview, and undoes it for all, even later', async ({
  page,
  dojo,
  visit,
}) => {
  const names = [...'ABCDEFGHIJKL'].map((letter) => `Aaa ${letter}`)
  await createAtRiskStudents(dojo, [
    ...names.map((name) => ({ name, classes: [2, 0] as [number, number] })),
    { name: 'Nora Near', classes: [1, 0] },
    { name: 'Tom Trial', is_trial: true, classes: [2, 0] },
  ])
  const ranks = await replaceLadder(dojo, [
    createRank('White', 'white'),
    createRank('Yellow', 'yellow', { colours: ['yellow'], min_classes: 2 }),
    createRank('Black', 'black', { colours: ['black'], min_classes: 50, needs_approval: true }),
  ])
  await signIn(page, dojo)
  await visit('/belts/ready')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Ready 12', 'Not yet 1'])
  await expect(findRow(page, 'Nora Near')).toContainText('1 class')
  await expect(findRow(page, 'Tom Trial')).toBeHidden()
  await expectAllAccessible(page)
  const changes = collectChanges(page)
  await page.getByLabel('Select all: Ready').check()
  await expect(selectionBar(page)).toContainText('12 students selected')
  await selectionBar(page).getByRole('button', { name: 'Promote 12' }).click()
  const sheet = dialogOf(page, 'Promote 12 students')
  await expect(sheet.getByRole('listitem')).toHaveCount(12)
  await expect(sheet.getByRole('listitem').first()).toContainText('White belt to Yellow belt')
  await expect(sheet).toContainText('No one will be notified.')
  await expect(sheet).toContainText('You can print certificates afterward')
  await expect(sheet.getByLabel(/^Date/)).toHaveValue(/^\d{4}-\d\d-\d\d$/)
  await expectAccessible(page)
  expect(changes).toEqual(['POST /api/promotions/preview'])
  await sheet.getByRole('button', { name: 'Promote 12' }).dblclick()
  await expect(successMessage(page, '12 students promoted')).toBeVisible()
  // Promoted students leave the list.
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Not yet 1'])
  // After the promotion, there is no new preview.
  expect(changes).toEqual(['POST /api/promotions/preview', 'POST /api/promotions'])
  await expect(page.getByText('Promoted today (12)')).toBeVisible()
  await page.reload()
  await page.getByText('Recently promoted (1)').click()
  await page.getByRole('button', { name: /^Undo 12 promotions from / }).click()
  await page
    .getByRole('alertdialog', { name: 'Undo 12 promotions?' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Ready 12', 'Not yet 1'])
  await expect(page.getByText('(undone)')).toBeVisible()
  const { students } = await call(readinessApi.ready, { query: {} }, dojo.token)
  expect(students.filter(({ rank }) => rank.id === ranks.Yellow)).toEqual([])
})

test('warns before an early promotion, and gives stripes and approvals with a tap', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/422/)
  await createAtRiskStudents(dojo, [{ name: 'Nora Near', classes: [1, 0] }])
  await replaceLadder(dojo, [
    createRank('White', 'white', { stripes: 2 }),
    createRank('Yellow', 'yellow', { colours: ['yellow'], min_classes: 3, needs_approval: true }),
  ])
  await signIn(page, dojo)
  await visit('/belts/ready')
  await expect(page.getByText('No one is ready yet.')).toBeVisible()
  await expect(findRow(page, 'Nora Near')).toContainText('2 classes, approval')
  await findRow(page, 'Nora Near')
    .getByRole('button', { name: '+ Stripe for Nora Near' })
    .dblclick()
  await expect(findRow(page, 'Nora Near')).toContainText('White belt, 1 stripe')
  await findRow(page, 'Nora Near').getByRole('button', { name: 'Approve Nora Near' }).click()
  await expect(
    findRow(page, 'Nora Near').getByRole('button', { name: 'Approved Nora Near' }),
  ).toHaveAttribute('aria-pressed', 'true')
  await page.getByLabel('Select Nora Near').check()
  await selectionBar(page).getByRole('button', { name: 'Promote 1' }).click()
  const sheet = dialogOf(page, 'Promote 1 student')
  const date = sheet.getByLabel('Date')
  const today = await date.inputValue()
  const refusal = sheet.getByText('The date must not be in the future.')
  await date.fill('2199-12-31')
  await expect(refusal).toBeVisible()
  await date.fill(today)
  await expect(refusal).toBeHidden()
  await expect(sheet.getByRole('listitem')).toContainText('Early, missing 2 classes')
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Promote 1' }).click()
  await expect(successMessage(page, 'Nora Near: Yellow belt')).toBeVisible()
  await expect(findRow(page, 'Nora Near')).toBeHidden()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(findRow(page, 'Nora Near')).toContainText('2 classes')
})

test('shows who will be ready on a future day', async ({ page, dojo, visit }) => {
  await createAtRiskStudents(dojo, [
    { name: 'Ann Soon', classes: [8, 8] },
    { name: 'Ben Late', classes: [1, 0] },
  ])
  await replaceLadder(dojo, [
    createRank('White', 'white'),
    createRank('Yellow', 'yellow', { colours: ['yellow'], min_classes: 18 }),
  ])
  await signIn(page, dojo)
  await visit('/belts/ready')
  await expect(page.getByText('No one is ready yet.')).toBeVisible()
  const day = addDays(utcDay(new Date()), 28)
  await page.getByLabel('Ready on').fill(day)
  await expect(
    successMessage(page, /Ready by .*: 1\. Only missing classes: 1 \(\d+\)\./),
  ).toBeVisible()
  await page.getByLabel('Select Ann Soon').check()
  await expect(selectionBar(page).getByRole('button')).toHaveText(['', 'Plan a belt test'])
  await selectionBar(page).getByRole('button', { name: 'Plan a belt test' }).click()
  const plan = dialogOf(page, 'Plan a belt test')
  await expect(plan.getByLabel(/^Date/)).toHaveValue(day)
  await expect(plan.getByRole('list', { name: 'Candidates' })).toHaveText('Ann SoonYellow belt')
  await expectAccessible(page)
  await plan.getByRole('button', { name: 'Plan with 1 student' }).click()
  await expect(page).toHaveURL(/\/gradings\/[0-9a-f-]{36}$/)
})

test(
  'draws every pattern and color, each with its name',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const patterns = RANK_PATTERNS.map((pattern) =>
      createRank(`Pattern ${pattern}`, 'white', {
        colours: ['yellow', 'red'],
        pattern,
        stripes: 4,
      }),
    )
    const colours = RANK_COLOURS.map((colour) =>
      createRank(`Color ${colour}`, 'black', {
        colours: [colour],
        tags_count: 2,
        tags_colour: 'black',
      }),
    )
    await replaceLadder(dojo, [...patterns, ...colours])
    await signIn(page, dojo)
    await visit('/belts')
    const rankItems = ladder(page, 'Our belts').getByRole('listitem')
    await expect(rankItems).toHaveCount(RANK_PATTERNS.length + RANK_COLOURS.length)
    await expectAllAccessible(page)
    await page.getByRole('button', { name: 'Edit Our belts' }).click()
    const editor = dialogOf(page, 'Edit Our belts')
    await editor.getByRole('button', { name: 'Pattern split' }).first().click()
    await expect(
      editor.getByRole('img', { name: 'Pattern split: yellow and red belt in halves' }),
    ).toBeVisible()
    await editor.getByRole('button', { name: 'Move Pattern split down' }).click()
    await expect(editor.getByRole('button', { name: 'Move Pattern split down' })).toBeFocused()
    await expect(successMessage(page, 'Pattern split is now 3 of 20')).toBeAttached()
    await expectAccessible(page)
  },
)

test(
  'manages a second style with its own belts and classes',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await dojo.createClass({ class_name: 'Ground' })
    await signIn(page, dojo)
    await visit('/belts')
    await page.getByRole('button', { name: 'What counts' }).click()
    await expect(dialogOf(page, 'What counts').getByLabel('Name')).toHaveCount(0)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add a style' }).click()
    const style = dialogOf(page, 'Add a style')
    await style.getByLabel('Name').fill('Judo')
    await style.getByLabel('Ground').check()
    await style.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByText('This style has no ladder yet.')).toBeVisible()
    await page.getByRole('button', { name: 'Create your own for Judo' }).click()
    const editor = dialogOf(page, 'Create your own')
    await editor.getByLabel('Name of the ladder').fill('Judo belts')
    await editor.getByRole('button', { name: 'Add a rank' }).click()
    await editor.getByRole('textbox', { name: 'Name', exact: true }).fill('Yellow')
    await editor.getByRole('radio', { name: 'yellow' }).first().check({ force: true })
    await editor.getByLabel('Counts as').selectOption('yellow')
    await editor.getByRole('button', { name: 'Save' }).click()
    await expect(ladder(page, 'Judo belts').getByRole('listitem')).toHaveCount(2)
    await page.getByRole('button', { name: 'Settings for Judo' }).click()
    await dialogOf(page, 'Settings for Judo').getByRole('button', { name: 'Remove' }).click()
    await page
      .getByRole('alertdialog', { name: 'Remove Judo?' })
      .getByRole('button', { name: 'Remove' })
      .click()
    await expect(page.getByRole('button', { name: 'What counts' })).toBeVisible()
  },
)

test('does not promote before the preview loads, and leaves out empty columns', async ({
  page,
  dojo,
  isDesktop,
  visit,
}) => {
  await dojo.createStudent({ name: 'Ken Adams', email: uniqueEmail('a') })
  await signIn(page, dojo)
  await visit('/belts/ready')
  await page.getByLabel('Select Ken Adams').check()
  if (isDesktop)
    await expect(page.getByRole('columnheader')).toHaveText([
      'Select',
      'Name',
      'Belt',
      'Next belt',
      'In this belt',
      'Missing',
    ])
  const release = await delayCalls(page, '**/api/promotions/preview', 'POST')
  await selectionBar(page).getByRole('button', { name: 'Promote 1' }).click()
  const sheet = dialogOf(page, 'Promote 1 student')
  const promoteButton = sheet.getByRole('button', { name: 'Promote 1' })
  await expect(promoteButton).toBeDisabled()
  release()
  await expect(promoteButton).toBeEnabled()
  await promoteButton.click()
  // The message is on one line, with Undo to its right.
  const resultBar = page.getByRole('region', { name: 'Just done' })
  await expect(resultBar.getByRole('button', { name: 'Certificates' })).toBeVisible()
  await expect(resultBar.getByRole('button', { name: 'Undo' })).toBeVisible()
  expect((await resultBar.boundingBox())!.height).toBeLessThanOrEqual(60)
})
