import { WEEKDAYS } from '@tatami/contract/lib/calendar-day'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Dojo } from './dojo.ts'
import { test as base } from './harness.ts'
import { startNetwork, type Network } from './network.ts'
import { startPhone, waitUntilStored, type Phone } from './phone.ts'

/** An instructor's phone, whose browser a test can start again and again with the same storage. */
export type Device = {
  start: (options?: { offline?: boolean }) => Promise<Phone>
  open: (page: Page, path: string) => Promise<unknown>
}

export const test = base.extend<{ device: Device }>({
  device: async (
    { viewport, isMobile, hasTouch, launchOptions, locale, timezoneId, baseURL, layoutPath },
    runTest,
  ) => {
    const folder = mkdtempSync(join(tmpdir(), 'tatami-phone-'))
    const phones: Phone[] = []
    const start = async ({ offline = false } = {}) => {
      const options = {
        ...launchOptions,
        viewport,
        isMobile,
        hasTouch,
        locale,
        timezoneId,
        ...(baseURL && { baseURL }),
      }
      const phone = await startPhone(folder, options)
      await phone.context.setOffline(offline)
      phones.push(phone)
      return phone
    }
    await runTest({ start, open: (page, path) => page.goto(`${layoutPath}${path}`) })
    for (const { context } of phones) await context.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  },
})

/** Like `test`, but the device reaches the server through a network that the test controls. */
export const testOnNetwork = test.extend<{ network: Network }>({
  network: async ({}, runTest) => {
    const network = await startNetwork()
    await runTest(network)
    await network.stop()
  },
  baseURL: ({ network }, runTest) => runTest(network.url),
})

/** Creates a class that meets every day, with these students. */
export async function createDailyClassWith(
  dojo: Dojo,
  names = ['Aiko Tanaka', 'Ken Adams', 'Mia Chen', 'Noah Silva'],
) {
  const { id } = await dojo.createClass({ class_days: [...WEEKDAYS] })
  const students: { id: string; name: string }[] = []
  for (const name of names)
    students.push(
      await dojo.createStudent({ name, class_preferences: [id], enrolled_classes: [id] }),
    )
  return { id, students }
}

/** Starts the device, logs in, and waits until everything is stored for offline use. */
export async function prepareDevice(
  device: Device,
  { token }: Pick<Dojo, 'token'>,
  path: string,
): Promise<Phone> {
  const phone = await device.start()
  await phone.page.goto('/login')
  await phone.page.evaluate((value) => localStorage.setItem('token', value), token)
  await device.open(phone.page, path)
  await waitUntilStored(phone.page)
  return phone
}

/** Reads today's date in the dojo's time zone. */
export const readToday = (page: Page) =>
  page.evaluate(() =>
    new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Chicago' }).format(new Date()),
  )
