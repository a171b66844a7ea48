/** Tests how much of a list is visible without scrolling. */
import type { Locator, Page } from '@playwright/test'
import type { Dojo } from './dojo.ts'
import { expect, signIn, test } from './harness.ts'

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1440, height: 900 }
const MAX_CONTROLS_ABOVE = 10

const CLASSES = ['Little Dragons', 'Teens', 'Adults']
const STUDENTS_PER_CLASS = 14

/** Creates 42 students in three classes, with names and email addresses of usual length. */
async function createStudents(dojo: Dojo): Promise<void> {
  const [uniqueName = ''] = dojo.email.split('@')
  const domain = `${uniqueName.slice(-6)}.com`
  for (const class_name of CLASSES) {
    const { id } = await dojo.createClass({ class_name })
    for (let index = 0; index < STUDENTS_PER_CLASS; index += 1) {
      const letter = String.fromCharCode('A'.charCodeAt(0) + index)
      await dojo.createStudent({
        name: `${class_name} ${letter}`,
        email: `${letter}.${class_name.replace(' ', '')}@${domain}`.toLowerCase(),
        enrolled_classes: [id],
        is_trial: index === 1,
        monthly_payment_amount: 85,
      })
    }
  }
}

/** Returns the names that are fully on the screen and not behind a bar. */
const namesInView = (names: Locator) =>
  names.evaluateAll((elements) =>
    elements
      .filter((element) => {
        const { left, top, bottom } = element.getBoundingClientRect()
        const isReachable = [top + 2, bottom - 2].every((y) =>
          element.contains(document.elementFromPoint(left + 2, y)),
        )
        return top >= 0 && bottom <= innerHeight && isReachable
      })
      .map((element) => element.textContent),
  )

/** Returns the controls above the first name, without the tabs of the navigation. */
const controlsAbove = (names: Locator) =>
  names.first().evaluate((element) => {
    const { top } = element.getBoundingClientRect()
    return [...document.querySelectorAll<HTMLElement>('a, button, input, select')]
      .filter((control) => {
        const box = control.getBoundingClientRect()
        const isOnScreen = box.width > 1 && box.left < innerWidth && box.top >= 0
        return isOnScreen && box.bottom <= top && !control.closest('nav')
      })
      .map((control) => control.ariaLabel ?? control.textContent)
  })

const studentNames = (page: Page) =>
  page.getByRole('link', { name: /^(Little Dragons|Teens|Adults) [A-N]$/ })

test('a phone shows six of 42 students at first, each in three lines', async ({
  page,
  dojo,
  visit,
  isDesktop,
}) => {
  test.skip(isDesktop, 'for the phone')
  await createStudents(dojo)
  await signIn(page, dojo)
  await page.setViewportSize(PHONE)
  await visit('/students')
  await expect(studentNames(page)).toHaveCount(42)
  expect((await namesInView(studentNames(page))).length).toBeGreaterThanOrEqual(6)
  expect((await controlsAbove(studentNames(page))).length).toBeLessThanOrEqual(MAX_CONTROLS_ABOVE)
  const cards = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: /^Edit / }) })
  const heights = await cards.evaluateAll((elements) =>
    elements.map((element) => {
      element.style.contentVisibility = 'visible'
      return element.getBoundingClientRect().height
    }),
  )
  expect(heights).toHaveLength(42)
  expect(Math.max(...heights)).toBeLessThanOrEqual(92)
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(4800)
})

test('a desktop shows twelve students at first', async ({ page, dojo, visit, isDesktop }) => {
  test.skip(!isDesktop, 'for the desktop')
  await createStudents(dojo)
  await signIn(page, dojo)
  await page.setViewportSize(DESKTOP)
  await visit('/students')
  await expect(studentNames(page)).toHaveCount(42)
  expect((await namesInView(studentNames(page))).length).toBeGreaterThanOrEqual(12)
})

test('a phone shows six payments at first', async ({ page, dojo, visit, isDesktop }) => {
  test.skip(isDesktop, 'for the phone')
  await createStudents(dojo)
  await signIn(page, dojo)
  await page.setViewportSize(PHONE)
  await visit('/payment-center')
  await expect(studentNames(page)).toHaveCount(42)
  expect((await namesInView(studentNames(page))).length).toBeGreaterThanOrEqual(6)
  expect((await controlsAbove(studentNames(page))).length).toBeLessThanOrEqual(MAX_CONTROLS_ABOVE)
})
