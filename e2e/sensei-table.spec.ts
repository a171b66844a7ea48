import type { Locator } from '@playwright/test'
import { senseiApi } from '@tatami/contract/sensei/sensei'
import { call } from './api.ts'
import { uniqueEmail, registrationForm, createDojo } from './dojo.ts'
import { expect, expectAccessible, horizontalOverflow, signIn, test } from './harness.ts'

test(
  'shows a table without broken words in a wide window, and cards on a phone and a tablet',
  { tag: '@long' },
  async ({ page, superAdmin }) => {
    test.slow()
    const email = `maria.${Date.now().toString(36)}@cedarpark.com`
    await createDojo({
      email,
      first_name: 'Maria',
      last_name: 'Gonzalez',
      dojo_name: 'Cedar Park Judo',
    })
    await signIn(page, superAdmin)
    for (const layout of ['', '/desktop']) {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(`${layout}/super-admin`)
      await page.getByLabel('Search sensei').fill(email)
      await expect(page.getByRole('listitem').filter({ hasText: email })).toBeVisible()
      await expect(page.getByRole('table')).toHaveCount(0)
      const top = async (name: string | RegExp) =>
        (await page.getByRole('heading', { level: 2, name }).boundingBox())!.y
      expect(await top(/^All sensei/)).toBeLessThan(await top('System configuration'))
      for (const width of [768, 820, 1024, 1440]) {
        const isTable = width >= 1024
        await page.setViewportSize({ width, height: 900 })
        await expect(page.getByRole('table')).toHaveCount(isTable ? 1 : 0)
        const row = page.getByRole(isTable ? 'row' : 'listitem').filter({ hasText: email })
        await expect(row).toBeVisible()
        expect(await horizontalOverflow(page)).toBe(0)
        // A row has two lines, or one button below the other.
        if (isTable)
          expect((await row.boundingBox())!.height).toBeLessThanOrEqual(width < 1200 ? 104 : 60)
        expect(await listBrokenWords(row)).toEqual([])
        for (const name of ['Deactivate Maria Gonzalez', 'Reset password of Maria Gonzalez']) {
          const button = row.getByRole('button', { name })
          await expect(button).toHaveText(name)
          await button.click({ trial: true })
          const { width: buttonWidth, height: buttonHeight } = (await button.boundingBox())!
          // A narrower window may be a tablet, where a finger needs 44 pixels.
          expect(Math.min(buttonWidth, buttonHeight)).toBeGreaterThanOrEqual(width < 1440 ? 44 : 36)
        }
      }
      await page.setViewportSize({ width: 768, height: 900 })
      // axe reports buttons as too small if the top bar covers part of them.
      await page.evaluate(() => scrollTo(0, 0))
      await expectAccessible(page)
    }
  },
)

/** Lists the words that are broken across lines. An email may be broken at a dot, a hyphen or @. */
const listBrokenWords = (row: Locator) =>
  row.evaluate((element) => {
    const words: string[] = []
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { data } = texts.currentNode as Text
      for (const { 0: word, index } of data.matchAll(/[^\s.@-]+/g)) {
        const range = document.createRange()
        range.setStart(texts.currentNode, index)
        range.setEnd(texts.currentNode, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) words.push(word)
      }
    }
    return words
  })

test(
  'sorts each column by click and keyboard, and announces the order',
  { tag: '@long' },
  async ({ page, superAdmin }) => {
    const word = `Sorting${Date.now()}`
    const people = [
      { first_name: 'Bea', city: 'Waco', isActive: true, students: 1 },
      { first_name: 'Cal', city: 'Austin', isActive: false, students: 0 },
      { first_name: 'Abe', city: 'Dallas', isActive: true, students: 2 },
    ]
    for (const { first_name, city, isActive, students } of people) {
      const form = {
        first_name,
        last_name: 'Adams',
        city,
        dojo_name: `${word} ${city}`,
        email: uniqueEmail(first_name.toLowerCase()),
      }
      if (!isActive) await call(senseiApi.register, { body: registrationForm(form) })
      else {
        const dojo = await createDojo(form)
        for (let index = 0; index < students; index += 1) await dojo.createStudent()
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await signIn(page, superAdmin)
    await page.goto('/desktop/super-admin')
    await page.getByLabel('Search sensei').fill(word)
    const names = page.getByRole('rowheader')
    const columnHeader = (name: string) => page.getByRole('columnheader', { name, exact: true })
    const expectOrder = async (column: string, direction: string, order: string[]) => {
      await expect(columnHeader(column)).toHaveAttribute('aria-sort', direction)
      await expect(page.locator('th[aria-sort=ascending], th[aria-sort=descending]')).toHaveCount(1)
      await expect(names).toHaveText(order.map((name) => new RegExp(`^${name}`)))
    }
    await expectOrder('Created', 'descending', ['Abe', 'Cal', 'Bea'])
    for (const [column, direction, order] of [
      ['Name', 'ascending', ['Abe', 'Bea', 'Cal']],
      ['Dojo', 'ascending', ['Cal', 'Abe', 'Bea']],
      ['City and state', 'ascending', ['Cal', 'Abe', 'Bea']],
      ['Students', 'descending', ['Abe', 'Bea', 'Cal']],
      ['Status', 'ascending', ['Abe', 'Bea', 'Cal']],
      ['Created', 'descending', ['Abe', 'Cal', 'Bea']],
    ] as const) {
      await columnHeader(column).getByRole('button').click()
      await expectOrder(column, direction, [...order])
    }
    await columnHeader('Name').getByRole('button').focus()
    await page.keyboard.press('Enter')
    await expectOrder('Name', 'ascending', ['Abe', 'Bea', 'Cal'])
    await page.keyboard.press('Space')
    await expectOrder('Name', 'descending', ['Cal', 'Bea', 'Abe'])
    await expect(columnHeader('Name').getByRole('button')).toBeFocused()
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expectOrder('Name', 'descending', ['Cal', 'Bea', 'Abe'])
  },
)
