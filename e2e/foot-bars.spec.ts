import { WEEKDAYS } from '@tatami/contract/lib/calendar-day'
import type { Locator, Page } from '@playwright/test'
import { paymentsApi } from '@tatami/contract/dues/payments'
import { beltsApi } from '@tatami/contract/belts/belts'
import { call } from './api.ts'
import { type Dojo, uniqueEmail } from './dojo.ts'
import { expect, signIn, test } from './harness.ts'
import { THIS_MONTH } from './this-month.ts'

const selectionBar = (page: Page) => page.getByRole('region', { name: 'Selected students' })
const undoBar = (page: Page) => page.getByRole('region', { name: 'Just done' })
const countPaidStudents = async (dojo: Dojo) =>
  (await call(paymentsApi.list, { query: THIS_MONTH }, dojo.token)).filter(
    ({ payment_status }) => payment_status === 'paid',
  ).length

/** Lists the buttons and links at the bottom of the window whose center is covered. */
const listCoveredControls = (page: Page) =>
  page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>(
      '[data-place] button, nav[aria-label="Main"] a, nav[aria-label="Layout"] a, main button',
    )
    return [...controls]
      .filter((control) => control.checkVisibility() && !(control as HTMLButtonElement).disabled)
      .map((control) => ({ control, box: control.getBoundingClientRect() }))
      .filter(({ control, box }) => {
        const isAtFoot = box.top > window.innerHeight * 0.6 && box.bottom <= window.innerHeight
        const isFixed = control.closest('[data-place], nav') !== null
        return isAtFoot && isFixed
      })
      .filter(({ control, box }) => {
        const top = document.elementFromPoint(
          (box.left + box.right) / 2,
          (box.top + box.bottom) / 2,
        )
        return top === null || !(control.contains(top) || top.contains(control))
      })
      .map(({ control }) => control.textContent)
  })

/** Reports whether the middle of the Undo bar, and of its last button, can be pressed as soon as
 *  the bar appears. */
const testFirstPress = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<boolean[]>((resolve) => {
        const waitForBar = () => {
          const bar = document.querySelector('[aria-label="Just done"]')
          if (!bar?.lastElementChild) {
            requestAnimationFrame(waitForBar)
            return
          }
          const points = [bar, bar.lastElementChild].map((element) => {
            const { left, right, top, bottom } = element.getBoundingClientRect()
            return document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
          })
          resolve(points.map((element) => bar.contains(element)))
        }
        waitForBar()
      }),
  )

test(
  'allows pressing both Undo and the selection bar in the Payment Center',
  { tag: '@both' },
  async ({ page, dojo, visit }) => {
    for (const name of ['Ann Ash', 'Ben Bay', 'Cal Cox'])
      await dojo.createStudent({ name, email: uniqueEmail('a'), monthly_payment_amount: 85 })
    await signIn(page, dojo)
    await visit('/payment-center')
    await page.getByRole('checkbox', { name: 'Select Ann Ash' }).check()
    await selectionBar(page).getByRole('button', { name: 'Mark 1 paid' }).click()
    await expect(undoBar(page)).toBeVisible()
    await expect(selectionBar(page)).toBeHidden()
    await page.getByRole('checkbox', { name: 'Select Ben Bay' }).check()
    await expect(selectionBar(page)).toBeVisible()
    await expect(undoBar(page)).toBeVisible()
    await undoBar(page).hover()
    await expect.poll(() => listCoveredControls(page)).toEqual([])
    await selectionBar(page).getByRole('button', { name: 'Mark 1 paid' }).click()
    await expect.poll(() => countPaidStudents(dojo)).toBe(2)
    await expect(selectionBar(page)).toBeHidden()
    await page.getByRole('checkbox', { name: 'Select Cal Cox' }).check()
    await undoBar(page).getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => countPaidStudents(dojo)).toBe(1)
    await expect(selectionBar(page).getByRole('button', { name: 'Mark 1 paid' })).toBeVisible()
  },
)

test(
  'allows pressing both Undo and the selection bar in the list of ready students',
  { tag: '@both' },
  async ({ page, dojo, visit }) => {
    await dojo.createStudent({ name: 'Ken Adams', email: uniqueEmail('a') })
    await dojo.createStudent({ name: 'Mia Chen', email: uniqueEmail('a') })
    const { styles } = await call(beltsApi.show, {}, dojo.token)
    const ladder = styles[0]!.ladders[0]!
    const ranks = ladder.ranks.map(({ students: _, ...rank }) => ({ ...rank, stripes: 4 }))
    await call(
      beltsApi.changeLadder,
      { params: { id: ladder.id }, body: { ...ladder, ranks } },
      dojo.token,
    )
    await signIn(page, dojo)
    await visit('/belts/ready')
    await page.getByRole('button', { name: '+ stripe for Ken Adams' }).click()
    await expect(undoBar(page)).toBeVisible()
    await page.getByLabel('Select Mia Chen').check()
    await undoBar(page).hover()
    await expect.poll(() => listCoveredControls(page)).toEqual([])
    await undoBar(page).getByRole('button', { name: 'Undo' }).click()
    await expect(undoBar(page)).toBeHidden()
    await selectionBar(page).getByRole('button', { name: 'Promote 1' }).click()
    await expect(page.getByRole('dialog', { name: 'Promote 1 student' })).toBeVisible()
  },
)

test(
  'replaces the previous Undo with a new one, above the main action of the screen',
  { tag: '@both' },
  async ({ page, dojo, visit }) => {
    const { id: classId } = await dojo.createClass({
      class_days: [...WEEKDAYS],
    })
    const ken = await dojo.createStudent({
      name: 'Ken Adams',
      enrolled_classes: [classId],
      monthly_payment_amount: 85,
    })
    await signIn(page, dojo)
    await visit(`/students/${ken.id}`)
    await page.getByRole('button', { name: 'Mark present' }).click()
    await expect(undoBar(page)).toContainText('Marked present')
    await page.getByRole('button', { name: 'Mark Paid' }).first().click()
    await expect(undoBar(page)).toHaveCount(1)
    await expect(undoBar(page)).toContainText(/paid/i)
    await undoBar(page).hover()
    await expect.poll(() => listCoveredControls(page)).toEqual([])
    await undoBar(page).getByRole('button', { name: 'Undo' }).click()
    await expect(undoBar(page)).toHaveCount(0)
  },
)

test(
  'allows pressing Undo as soon as it appears',
  { tag: '@both' },
  async ({ page, dojo, visit }) => {
    const names = ['Alma One', 'Bert One', 'Cora One', 'Dora One', 'Emil One', 'Finn One']
    for (const name of names) await dojo.createStudent({ name, monthly_payment_amount: 100 })
    await signIn(page, dojo)
    await visit('/payment-center')
    const undoButton = undoBar(page).getByRole('button', { name: 'Undo' })
    for (const name of ['Alma One', 'Bert One', 'Cora One']) {
      const firstPress = testFirstPress(page)
      await page.getByRole('button', { name: `Mark Paid for ${name}` }).click()
      expect(await firstPress).toEqual([true, true])
      await undoButton.click({ force: true })
      await expect(undoBar(page)).toHaveCount(0)
      await expect.poll(() => countPaidStudents(dojo)).toBe(0)
    }
  },
)

/** Lists the texts in the bar that are cut off with an ellipsis. */
const listCutTexts = (bar: Locator) =>
  bar.evaluate((element) =>
    [...element.querySelectorAll('*')]
      .filter((part) => part.scrollWidth > part.clientWidth)
      .filter((part) => getComputedStyle(part).textOverflow === 'ellipsis')
      .map(({ textContent }) => textContent),
  )

/** The positions of the bars at the bottom, from top to bottom: the copyright, the Undo bar, the
 *  screen's main action and the tabs. */
const measureFootBars = (page: Page) =>
  page.evaluate(() => {
    const bar = document.querySelector('[aria-label="Just done"]')
    const mainButton = [...document.querySelectorAll('main button')].find(({ textContent }) =>
      textContent.startsWith('Text families'),
    )
    const mainAction = mainButton?.parentElement
    const tabs = document.querySelector('nav[aria-label="Main"]')
    const copyright = [...document.querySelectorAll('footer p')].at(-1)
    const boxes = [copyright, bar, mainAction, tabs].map((element) =>
      element?.getBoundingClientRect(),
    )
    return {
      tops: boxes.map((box) => Math.round(box?.top ?? NaN)),
      bottoms: boxes.map((box) => Math.round(box?.bottom ?? NaN)),
    }
  })

test(
  'shows Undo in one row above the main action, which stays at the bottom of the screen',
  { tag: '@both' },
  async ({ page, dojo, isDesktop, visit }) => {
    const longName = 'Alexandria Montgomery-Featherstonehaugh'
    for (const name of [longName, 'Bert One', 'Cora One', 'Dora One', 'Emil One', 'Finn One'])
      await dojo.createStudent({ name, monthly_payment_amount: 100 })
    await signIn(page, dojo)
    await visit('/owing')
    await page.getByRole('button', { name: `Take payment from ${longName}` }).click()
    await page.getByRole('button', { name: 'Take $100.00' }).click()
    await expect(undoBar(page)).toContainText(`${longName} paid $100.00`)
    await expect(undoBar(page).getByRole('button', { name: 'Receipt' })).toBeVisible()
    const undoButton = undoBar(page).getByRole('button', { name: 'Undo' })
    const bar = await undoBar(page).boundingBox()
    const button = await undoButton.boundingBox()
    // The buttons are beside the text, which has three lines at most, and Undo is at the right edge.
    expect(bar!.height).toBeLessThanOrEqual(66)
    expect(await listCutTexts(undoBar(page))).toEqual([])
    expect(bar!.x + bar!.width - (button!.x + button!.width)).toBeLessThanOrEqual(8)
    if (isDesktop) return
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect.poll(() => listCoveredControls(page)).toEqual([])
    // The bars do not overlap after the row of the student has gone.
    await expect(async () => {
      const { tops, bottoms } = await measureFootBars(page)
      for (const [index, top] of tops.slice(1).entries())
        expect(top).toBeGreaterThanOrEqual(bottoms[index]! - 1)
    }).toPass()
  },
)
