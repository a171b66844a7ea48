import type { Page } from '@playwright/test'
import { textingApi } from '@tatami/contract/texting/texting'
import { call, createSession, SUPER_ADMIN_EMAIL } from './api.ts'
import { type Dojo, createDojo } from './dojo.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'
import { startServer } from './server.ts'

/** The limit applies to all dojos, so this test starts its own server. */
let sharedEnv: Record<string, string | undefined>
let stop: () => Promise<void>
test.beforeAll(async () => {
  test.setTimeout(120_000)
  const { E2E_URL, E2E_DATABASE_URL, E2E_SUPER_ADMIN_PASSWORD, E2E_MAILBOX } = process.env
  sharedEnv = { E2E_URL, E2E_DATABASE_URL, E2E_SUPER_ADMIN_PASSWORD, E2E_MAILBOX }
  const ownServer = await startServer('daily-limit')
  Object.assign(process.env, ownServer.env)
  stop = ownServer.stop
})
test.afterAll(async () => {
  Object.assign(process.env, sharedEnv)
  await stop()
})

const LIMIT_REACHED = 'Daily limit reached. Resets at midnight UTC.'

const textStudents = (dojo: Dojo) =>
  call(
    textingApi.sendBulk,
    { body: { message_type: 'weather_cancel', custom_message: 'No class today.' } },
    dojo.token,
  )

async function setLimit(page: Page, limit: number) {
  await page.getByLabel('Daily message limit').fill(String(limit))
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`Each dojo may now send ${limit} texts a day.`)).toBeVisible()
}

test(
  'applies a lowered or raised limit to two dojos at the same time',
  { tag: '@long' },
  async ({ browser, layoutPath }) => {
    const superAdmin = await createSession(
      SUPER_ADMIN_EMAIL,
      process.env.E2E_SUPER_ADMIN_PASSWORD ?? '',
    )
    const dojos = [await createDojo(), await createDojo()]
    for (const dojo of dojos) {
      await dojo.createStudent()
      await dojo.createStudent({ name: 'Mia Brown' })
      await textStudents(dojo)
    }
    const openPage = async (person: { token: string }) => {
      const page = await (await browser.newContext({ baseURL: process.env.E2E_URL })).newPage()
      await signIn(page, person)
      return page
    }
    const adminPage = await openPage(superAdmin)
    const pages = await Promise.all(dojos.map(openPage))
    await adminPage.goto(`${layoutPath}/super-admin`)
    const expectOnScreens = async (text: string, { isReached }: { isReached: boolean }) => {
      for (const page of pages) {
        await page.goto(`${layoutPath}/message-center`)
        await expect(page.getByText(text)).toBeVisible()
        await expect(page.getByText(LIMIT_REACHED)).toHaveCount(isReached ? 1 : 0)
        await page
          .getByRole('region', { name: 'Custom Announcements' })
          .getByRole('button', { name: 'Weather Cancellation' })
          .click()
        await page.getByRole('dialog').getByRole('textbox').fill('No class today.')
        const send = page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true })
        if (isReached) await expect(send).toBeDisabled()
        else await expect(send).toBeEnabled()
      }
    }
    await setLimit(adminPage, 2)
    await expectOnScreens('2 of 2 used', { isReached: true })
    await expectAccessible(pages[0]!)
    for (const dojo of dojos)
      await expect(textStudents(dojo)).rejects.toThrow(`429: {"detail":"${LIMIT_REACHED}"`)
    await setLimit(adminPage, 4)
    await expectOnScreens('2 of 4 used', { isReached: false })
    for (const dojo of dojos)
      expect(await textStudents(dojo)).toMatchObject({ successful_sends: 2 })
    await expectOnScreens('4 of 4 used', { isReached: true })
    for (const page of [adminPage, ...pages]) await page.context().close()
  },
)
