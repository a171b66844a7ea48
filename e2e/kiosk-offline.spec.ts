import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { auditApi } from '@tatami/contract/audit/audit'
import { kiosksApi } from '@tatami/contract/kiosk/kiosks'
import { call } from './api.ts'
import type { Dojo } from './dojo.ts'
import { createGuardian } from './families.ts'
import { expect, expectAccessible, test as base } from './harness.ts'
import {
  createKioskClass,
  enterPin,
  readPresentNames,
  scanCode,
  setUpKiosk,
  TABLET,
  typeName,
} from './kiosk.ts'
import { readAllStorage, type Phone, startPhone } from './phone.ts'

/** A tablet that the test can restart. */
const test = base.extend<{ tablet: (options?: { offline?: boolean }) => Promise<Phone> }>({
  tablet: async ({ launchOptions, locale, timezoneId, baseURL }, runTest) => {
    const folder = mkdtempSync(join(tmpdir(), 'tatami-tablet-'))
    const phones: Phone[] = []
    await runTest(async ({ offline = false } = {}) => {
      const options = {
        ...launchOptions,
        viewport: TABLET,
        locale,
        timezoneId,
        ...(baseURL && { baseURL }),
      }
      const tablet = await startPhone(folder, options)
      phones.push(tablet)
      await tablet.context.setOffline(offline)
      return tablet
    })
    for (const { context } of phones) await context.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  },
})

const isStored = (page: Page) =>
  page.evaluate(
    async () =>
      Boolean(await caches.match('/dashboard')) && localStorage.getItem('kiosk-people') !== null,
  )

/** Creates Emma, who has a PIN, and Ken. Opens a kiosk until it stores its data, and closes it. */
async function prepareKiosk(dojo: Dojo, start: () => Promise<Phone>) {
  const { classId, students } = await createKioskClass(dojo, ['Emma Johnson', 'Ken Johnson'])
  await call(
    kiosksApi.setPin,
    { params: { id: students[0]!.id }, body: { pin: '4711' } },
    dojo.token,
  )
  const mother = await createGuardian(dojo, students)
  const { context, page } = await start()
  await setUpKiosk(page, dojo)
  const { code } = await call(kiosksApi.ownCode, {}, mother.token)
  await expect(page.getByRole('heading', { level: 1, name: 'Kids Karate' })).toBeVisible()
  await expect.poll(() => isStored(page)).toBe(true)
  await context.close()
  return { classId, code }
}

const expectWelcome = (page: Page, name: string) =>
  expect(page.getByRole('heading', { level: 1, name: `Welcome, ${name}!` })).toBeVisible()

test('a restarted tablet opens as the kiosk offline, and every check-in arrives once', async ({
  tablet,
  dojo,
}) => {
  const { classId, code } = await prepareKiosk(dojo, tablet)
  const firstStart = await tablet({ offline: true })
  await firstStart.page.goto('/kiosk')
  await expect(firstStart.page.getByText('No network: PIN and code still work')).toBeVisible()
  await typeName(firstStart.page, 'em')
  await expect(
    firstStart.page.getByText('Searching by name needs a connection. Please use your PIN.'),
  ).toBeVisible()
  await expectAccessible(firstStart.page)
  await typeName(firstStart.page, '')
  await enterPin(firstStart.page, '4711')
  await expectWelcome(firstStart.page, 'Emma')
  await firstStart.kill()
  const { context, page } = await tablet({ offline: true })
  await page.goto('/kiosk')
  await expect(page.getByText('1 waiting for network')).toBeVisible()
  await scanCode(page, code)
  await page.getByRole('checkbox', { name: 'Emma J.' }).click()
  await page.getByRole('button', { name: 'Check in 1' }).click()
  await expectWelcome(page, 'Ken')
  await page.reload()
  await expect(page.getByText('2 waiting for network')).toBeVisible()
  expect(await readPresentNames(dojo, classId)).toEqual([])
  await context.setOffline(false)
  await expect(page.getByText('Front door')).toBeVisible()
  expect((await readPresentNames(dojo, classId)).toSorted()).toEqual([
    'Emma Johnson',
    'Ken Johnson',
  ])
  const auditEntries = await call(auditApi.list, { query: {} }, dojo.token)
  expect(
    auditEntries
      .filter(({ action }) => action === 'checked in at a kiosk')
      .map(({ subject }) => subject),
  ).toEqual(['Ken Johnson', 'Emma Johnson'])
})

test('a kiosk that ended while offline deletes its data and counts its unsent check-ins', async ({
  tablet,
  dojo,
}) => {
  const { classId } = await prepareKiosk(dojo, tablet)
  const { context, page } = await tablet({ offline: true })
  await page.goto('/kiosk')
  await enterPin(page, '4711')
  await expectWelcome(page, 'Emma')
  await page.getByRole('button', { name: 'Done' }).click()
  const [kiosk] = (await call(kiosksApi.list, {}, dojo.token)).kiosks
  await call(kiosksApi.end, { params: { id: kiosk!.id } }, dojo.token)
  await context.setOffline(false)
  const endNotice = page
    .getByRole('status')
    .filter({ hasText: 'An instructor ended this kiosk. 1 check-in could not be sent.' })
  await expect(endNotice).toBeVisible()
  await expectAccessible(page)
  const [rows, , localItems] = JSON.parse(await readAllStorage(page)) as [
    unknown,
    unknown,
    Record<string, string>,
  ]
  // Brackets and commas only: each list of rows is empty.
  expect(JSON.stringify(rows)).toMatch(/^[[\],]*$/)
  expect(
    Object.keys(localItems)
      .filter((name) => name.startsWith('kiosk-'))
      .toSorted(),
  ).toEqual(['kiosk-ended', 'kiosk-unsent'])
  await context.setOffline(true)
  await page.reload()
  await expect(endNotice).toBeVisible()
  expect(await readPresentNames(dojo, classId)).toEqual([])
})
