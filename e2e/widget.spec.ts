import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addDays } from '@tatami/contract/lib/calendar-day'
import { expect, expectAccessible, test } from './harness.ts'
import { ALL_DAY } from './kiosk.ts'
import { fillForm, listTrials, offerTrials } from './trials.ts'

type Site = { origin: string; show: (html: string) => void; stop: () => void }

/** A web site of its own origin. */
async function startSite(): Promise<Site> {
  let content = ''
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><html lang="en"><title>Our school</title><main>${content}</main>`)
  }).listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    show: (html) => {
      content = html
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const embedCode = (pageId: string, shows: 'timetable' | 'trial') =>
  `<script src="${process.env.E2E_URL}/embed.js" data-dojo="${pageId}" data-show="${shows}"></script>`

test('the form in a frame of an allowed site grows with its content, and books', async ({
  page,
  dojo,
}) => {
  const site = await startSite()
  const { pageId, dojoClass } = await offerTrials(dojo, {
    classFields: ALL_DAY,
    page: { allowed_sites: [site.origin] },
  })
  site.show(embedCode(pageId, 'trial'))
  await page.goto(site.origin)
  const frameElement = page.locator('iframe')
  const frame = page.frameLocator('iframe')
  await frame.getByRole('link', { name: new RegExp(dojoClass.class_name) }).click()
  await frame
    .getByRole('link', { name: /6:00 AM/ })
    .nth(1)
    .click()
  await expect(frame.getByLabel('Your child’s first name')).toBeVisible()
  const contentHeight = await frame
    .locator('html')
    .evaluate((html: HTMLElement) => html.offsetHeight)
  await expect
    .poll(() => frameElement.evaluate((element: HTMLElement) => element.offsetHeight))
    .toBe(contentHeight)
  await expectAccessible(page)
  await fillForm(frame)
  await expect(frame.getByRole('heading', { level: 1 })).toHaveText('You are booked')
  expect(await listTrials(dojo)).toMatchObject([{ visitor_name: 'Leo', source: 'widget' }])
  site.stop()
})

test('another site may show the timetable, but not the form', async ({
  page,
  dojo,
  allowErrors,
}) => {
  allowErrors(/frame-ancestors|Framing|ERR_BLOCKED_BY_RESPONSE/)
  const site = await startSite()
  const { pageId } = await offerTrials(dojo, {
    classFields: ALL_DAY,
    page: { allowed_sites: ['https://www.example.com'] },
  })
  site.show(embedCode(pageId, 'timetable'))
  await page.goto(site.origin)
  const frame = page.frameLocator('iframe')
  await expect(frame.getByRole('heading', { level: 3 }).first()).toBeVisible()
  site.show(embedCode(pageId, 'trial'))
  const refusal = page.waitForEvent('console', (message) => /frame/i.test(message.text()))
  await page.goto(site.origin)
  await refusal
  await expect(frame.getByRole('heading')).toHaveCount(0)
  site.stop()
})

test.describe('a reader elsewhere', () => {
  for (const [timezoneId, isTold] of [
    ['America/Chicago', false],
    ['America/Mexico_City', true],
    ['Asia/Tokyo', true],
  ] as const)
    test.describe(timezoneId, () => {
      test.use({ timezoneId })

      test(`sees the school’s times, ${isTold ? 'with' : 'without'} its zone`, async ({
        page,
        dojo,
      }) => {
        const { slug, dojoClass } = await offerTrials(dojo, { classFields: ALL_DAY })
        const day = addDays(new Date().toISOString().slice(0, 10), 2)
        for (const path of [
          `/d/${slug}`,
          `/d/${slug}/trial?class=${dojoClass.id}`,
          `/d/${slug}/trial?class=${dojoClass.id}&day=${day}`,
        ]) {
          await page.goto(path)
          await expect(page.getByText(/6:00 AM/).first()).toBeVisible()
          await expect(page.getByText(/All times are in Central/)).toBeVisible({ visible: isTold })
        }
      })
    })
})
