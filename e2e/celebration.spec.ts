import type { Page } from '@playwright/test'
import type { Dojo } from './dojo.ts'
import { createGrading, prepareLadder } from './gradings.ts'
import { expect, signIn, test } from './harness.ts'
import { button, panel } from './student-page.ts'

/** Call it before the promotion, because the celebration may be over within a second. */
async function waitForCelebration(page: Page) {
  const handle = await page.waitForFunction(() => {
    const belt = document.querySelector('[data-celebration]')
    if (!belt) return null
    const endTimes = belt
      .getAnimations({ subtree: true })
      .filter(({ effect }) => effect instanceof KeyframeEffect && effect.target !== belt)
      .map(({ effect }) => Number(effect?.getComputedTiming().endTime))
    return {
      text: belt.textContent,
      color: belt.getAttribute('data-celebration'),
      isVisible: belt.checkVisibility(),
      milliseconds: Math.max(0, ...endTimes),
    }
  })
  return handle.jsonValue()
}

const countCelebrations = (page: Page) =>
  page.evaluate(() => document.querySelectorAll('[data-celebration]').length)

async function openStudent(page: Page, dojo: Dojo, visit: (path: string) => Promise<unknown>) {
  await prepareLadder(dojo)
  const ken = await dojo.createStudent({ name: 'Ken Adams', belt_level: 'white' })
  await signIn(page, dojo)
  await visit(`/students/${ken.id}`)
}

async function promote(page: Page) {
  await panel(page, 'Belts').getByRole('button', { name: 'Promote' }).click()
  const sheet = page.getByRole('dialog', { name: 'Promote Ken Adams' })
  await sheet.getByRole('button', { name: 'Promote' }).click()
}

test('celebrates a promotion: the new belt ties itself in 600 ms, then disappears', async ({
  page,
  dojo,
  visit,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await openStudent(page, dojo, visit)
  const celebrationPromise = waitForCelebration(page)
  await promote(page)
  expect(await celebrationPromise).toEqual({
    text: '',
    color: 'yellow',
    isVisible: true,
    milliseconds: 600,
  })
  await expect.poll(() => countCelebrations(page)).toBe(0)
  await button(page, 'Undo').click()
  await expect(panel(page, 'Belts')).toContainText('White belt')
})

test('shows no animation to people who prefer reduced motion', async ({ page, dojo, visit }) => {
  await openStudent(page, dojo, visit)
  const celebrationPromise = waitForCelebration(page)
  await promote(page)
  expect(await celebrationPromise).toEqual({
    text: '',
    color: 'yellow',
    isVisible: false,
    milliseconds: 0,
  })
})

test('celebrates a finished belt test with the number of promoted students', async ({
  page,
  dojo,
  visit,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const { grading } = await createGrading(dojo)
  await signIn(page, dojo)
  await visit(`/gradings/${grading.id}`)
  for (const name of ['Ken Adams', 'Leo Diaz'])
    await page
      .getByRole('group', { name })
      .getByRole('button', { name: 'Pass', exact: true })
      .click()
  await page.getByRole('button', { name: 'Finish' }).click()
  const celebrationPromise = waitForCelebration(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Finish' }).click()
  expect(await celebrationPromise).toEqual({
    text: '2 students promoted',
    color: 'yellow',
    isVisible: true,
    milliseconds: 600,
  })
  await expect.poll(() => countCelebrations(page)).toBe(0)
})
