import type { Locator } from '@playwright/test'
import { paymentsApi } from '@tatami/contract/dues/payments'
import { studentsApi } from '@tatami/contract/students/students'
import { call } from './api.ts'
import {
  collectWarnings,
  expect,
  expectAccessible,
  horizontalOverflow,
  signIn,
  test,
} from './harness.ts'
import { chooseFilter, chooseMonth, expectFilter } from './filters.ts'
import { createPayers, expectListed, markPaid } from './payers.ts'
import { THIS_MONTH } from './this-month.ts'

/** Words that are broken across lines. */
const brokenWords = (element: Locator) =>
  element.evaluate((root) => {
    const words: string[] = []
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      for (const { index, 0: word } of text.textContent!.matchAll(/\S+/g)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
          words.push(word)
      }
    }
    return words
  })

test.beforeEach(async ({ dojo, page }) => {
  await createPayers(dojo)
  await signIn(page, dojo)
})

test(
  'a double tap marks one student, whose row stays until the filter changes',
  { tag: '@long' },
  async ({ page, visit }) => {
    await visit('/payment-center?filter=yet_to_pay')
    const kenButton = page.getByRole('button', { name: 'Mark Paid for Ken Adams' })
    await kenButton.scrollIntoViewIfNeeded()
    const { x, y, width, height } = (await kenButton.boundingBox())!
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/payment-records'))
        requests.push(request.postData() ?? '')
    })
    const tap = () => page.mouse.click(x + width / 2, y + height / 2)
    await tap()
    await tap()
    await expect(page.getByRole('list', { name: 'Statistics' })).toContainText('1 Paid This Month')
    await expect(
      page.getByRole('status').filter({ hasText: 'Ken Adams marked paid' }),
    ).toBeVisible()
    await tap()
    await expectListed(page, ['Ken Adams', 'Mia Chen'])
    await expect(kenButton).toBeDisabled()
    expect((await kenButton.boundingBox())!.y).toBe(y)
    expect(requests).toHaveLength(1)
    await chooseFilter(page, 'Payment status', 'Paid Only')
    await expectListed(page, ['Ken Adams'])
    await chooseFilter(page, 'Payment status', 'Yet To Pay')
    await expectListed(page, ['Mia Chen'])
  },
)

test(
  'Undo restores the recorded state and amount',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const ken = (await call(studentsApi.list, {}, dojo.token)).find(
      ({ name }) => name === 'Ken Adams',
    )!
    const month = { payment_month: THIS_MONTH.month, payment_year: THIS_MONTH.year }
    await call(
      paymentsApi.mark,
      {
        body: { student_id: ken.id, monthly_payment_amount: 60, ...month, payment_status: 'paid' },
      },
      dojo.token,
    )
    const records = async () =>
      (
        await call(
          paymentsApi.list,
          { query: { month: THIS_MONTH.month, year: THIS_MONTH.year } },
          dojo.token,
        )
      ).map(
        ({ payment_status, monthly_payment_amount }) =>
          `${payment_status} ${monthly_payment_amount}`,
      )
    await visit('/payment-center')
    await page.getByRole('button', { name: 'Mark Unpaid for Ken Adams' }).click()
    await expect(page.getByText('Ken Adams marked unpaid')).toBeVisible()
    await expect.poll(records).toEqual([expect.stringMatching(/^unpaid/)])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(records).toEqual(['paid 60'])
    await expect(page.getByRole('button', { name: 'Mark Paid for Ken Adams' })).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Undo' })).toBeHidden()
    await page.getByRole('button', { name: 'Mark Paid for Mia Chen' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('button', { name: 'Mark Unpaid for Mia Chen' })).toBeDisabled()
  },
)

test('hides Undo after eight seconds', { tag: '@long' }, async ({ page, visit }) => {
  await page.clock.install()
  await visit('/payment-center')
  await page.getByRole('button', { name: 'Mark Paid for Ken Adams' }).press('Enter')
  const undo = page.getByRole('button', { name: 'Undo' })
  await expect(undo).toBeVisible()
  await page.mouse.move(0, 0)
  await page.clock.fastForward(8100)
  await expect(undo).toBeHidden()
})

test(
  'without records, all students show as unpaid and cannot be marked',
  { tag: '@long' },
  async ({ page, visit, allowErrors }) => {
    allowErrors(/Failed to load resource/)
    await visit('/payment-center')
    await markPaid(page, 'Ken Adams')
    await expect(page.getByText('1 Paid This Month')).toBeVisible()
    const warnings = collectWarnings(page)
    await page.route('**/api/payment-records?*', (route) =>
      route.fulfill({ status: 403, json: { detail: 'Not now' } }),
    )
    await visit('/payment-center?filter=unpaid')
    const notice = page.getByRole('status').filter({
      hasText: 'Payments could not be loaded. Until they are, everyone shows as unpaid.',
    })
    await expect(notice).toBeVisible()
    await expectListed(page, ['Ken Adams', 'Mia Chen', 'Omar Haddad'])
    await expect(page.getByText('Unpaid not confirmed')).toHaveCount(3)
    for (const name of ['Ken Adams', 'Mia Chen', 'Omar Haddad'])
      for (const status of ['Paid', 'Unpaid'])
        await expect(
          page.getByRole('button', { name: `Mark ${status} for ${name}` }),
        ).toBeDisabled()
    expect(warnings).toEqual(['GET /payment-records failed: status 403'])
    await expectAccessible(page)
    await chooseFilter(page, 'Payment status', 'Paid Only')
    await expect(page.getByText('No students in this list')).toBeVisible()
    await expect(notice).toBeVisible()
    await chooseFilter(page, 'Payment status', 'Unpaid Only')
    await page.unroute('**/api/payment-records?*')
    await notice.getByRole('button', { name: 'Try again' }).click()
    await expectListed(page, ['Mia Chen'])
    await expect(page.getByText('not confirmed')).toHaveCount(0)
  },
)

test(
  'finds a student by name or phone; Back restores search, filter, month and scroll position',
  { tag: '@long' },
  async ({ page, visit, isDesktop }) => {
    await visit('/payment-center?filter=unpaid')
    await chooseMonth(page, 'December')
    await page.getByPlaceholder('Find a student').fill('chen mia')
    await expectListed(page, ['Mia Chen'])
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: isDesktop ? 'Class Center' : /^Classes/ })
      .click()
    await expect(page.getByRole('heading', { name: 'Class Management' })).toBeVisible()
    await page.goBack()
    await expectListed(page, ['Mia Chen'])
    await expect(page.getByPlaceholder('Find a student')).toHaveValue('chen mia')
    await expectFilter(page, 'Payment status', 'Unpaid Only')
    await expect(page.getByText(/^December \d{4}$/).first()).toBeVisible()
    await page.getByPlaceholder('Find a student').fill('(512) 555')
    await expectListed(page, ['Ken Adams', 'Mia Chen'])
  },
)

test(
  'does not break amounts, badges or buttons inside a word on a small desktop window',
  { tag: '@long' },
  async ({ page, visit, isDesktop }) => {
    test.skip(!isDesktop, 'the phone has cards at every width')
    await visit('/payment-center')
    await page.getByRole('button', { name: 'Mark Paid for Ken Adams' }).click()
    for (const width of [768, 820, 992, 1024]) {
      await page.setViewportSize({ width, height: 1024 })
      await expectListed(page, ['Ken Adams', 'Mia Chen', 'Omar Haddad'])
      expect(
        await brokenWords(page.getByRole('region', { name: 'Students' })),
        `at ${width}`,
      ).toEqual([])
      expect(await horizontalOverflow(page)).toBe(0)
    }
  },
)

test(
  'a desktop window too narrow for the table has cards from the start',
  { tag: '@long' },
  async ({ page, visit, isDesktop }) => {
    test.skip(!isDesktop, 'the phone has cards at every width')
    const tableRequests: string[] = []
    page.on('request', (request) => {
      if (/payment-table.*\.js/.test(request.url())) tableRequests.push(request.url())
    })
    await page.setViewportSize({ width: 900, height: 800 })
    await visit('/payment-center')
    await expectListed(page, ['Ken Adams', 'Mia Chen', 'Omar Haddad'])
    expect(tableRequests).toEqual([])
    await page.setViewportSize({ width: 1300, height: 800 })
    await expect(page.getByRole('table')).toBeVisible()
    expect(tableRequests).toHaveLength(1)
  },
)

test(
  'shows the search and the first names of a long list on a phone without scrolling',
  { tag: '@both' },
  async ({ page, dojo, visit, isDesktop }) => {
    test.skip(isDesktop, 'for the phone')
    for (const letter of 'ABCDEFGHIJKL') await dojo.createStudent({ name: `Aaa ${letter}` })
    await visit('/payment-center')
    await expect(page.getByPlaceholder('Find a student')).toBeInViewport()
    for (const name of ['Aaa A', 'Aaa B'])
      await expect(page.getByText(name, { exact: true })).toBeInViewport()
  },
)
