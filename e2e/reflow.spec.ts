import type { Page } from '@playwright/test'
import { attendanceApi } from '@tatami/contract/attendance/attendance'
import { dojosApi } from '@tatami/contract/dojos/dojos'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import { textingApi } from '@tatami/contract/texting/texting'
import { call, type Person } from './api.ts'
import type { Dojo } from './dojo.ts'
import { createGrading } from './gradings.ts'
import { expect, sampleInShortRun, signIn, test } from './harness.ts'
import { createThreeStudents } from './students.ts'

const INSTRUCTOR_PATHS = [
  '/dashboard',
  '/numbers',
  '/students',
  '/families',
  '/slipping-away',
  '/belts',
  '/belts/ready',
  '/gradings',
  '/import-students',
  '/attendance',
  '/class-center',
  '/schedule',
  '/holidays',
  '/payment-center',
  '/cash-count',
  '/receipts',
  '/payment-figures',
  '/messages',
  '/message-center',
  '/message-center?tab=setup',
  '/sms-setup',
  '/simulator',
  '/automatic-reminders',
  '/school',
  '/kiosks',
]
const STUDENT_PATHS = ['/dashboard', '/attendance', '/notification-settings', '/message-center']
const VISITOR_PATHS = [
  '/',
  '/login',
  '/consent-form',
  '/privacy',
  '/reset-password',
  '/recover-account',
  '/nowhere',
  '/kiosk',
]
/** The largest layout shift score (a browser's measure) that people do not notice. */
const MAX_SHIFT = 0.02
/** The short run tests every ninth path. */
const SAMPLED_INSTRUCTOR_PATHS = sampleInShortRun(sampleInShortRun(INSTRUCTOR_PATHS))

/** Returns the elements that are cut off or need horizontal scrolling. Scrollable areas, texts for
 *  screen readers and texts that end with dots do not count. */
const listUnreadableTexts = (page: Page, maxWidth: number) =>
  page.evaluate((width) => {
    const problems: string[] = []
    // A phone's browser widens its window to the widest element.
    const { scrollWidth } = document.documentElement
    if (scrollWidth > width) problems.push(`the page is ${scrollWidth} wide`)
    const isInScrollArea = (ancestor: Element | null): boolean =>
      ancestor !== null &&
      ancestor !== document.body &&
      (/auto|scroll/.test(getComputedStyle(ancestor).overflowX) ||
        ancestor.getBoundingClientRect().width <= 2 ||
        isInScrollArea(ancestor.parentElement))
    const walker = document.createTreeWalker(
      document.querySelector('dialog[open]') ?? document.body,
      NodeFilter.SHOW_TEXT,
    )
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement!
      const text = node.textContent!.trim()
      if (
        text === '' ||
        parent.closest('script, style, template, noscript, svg, option') ||
        !parent.checkVisibility() ||
        isInScrollArea(parent)
      )
        continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const endsWithDots = getComputedStyle(parent).textOverflow === 'ellipsis'
      const { right } = (endsWithDots ? parent : range).getBoundingClientRect()
      if (right > width + 1)
        problems.push(`"${text.slice(0, 40)}" hangs over by ${Math.round(right - width)}`)
    }
    return problems
  }, maxWidth)

const SIZES = [
  { width: 390, height: 844, fontSize: '100%' },
  { width: 320, height: 640, fontSize: '200%' },
]

async function expectAllReadable(
  page: Page,
  visit: (path: string) => Promise<void>,
  paths: string[],
) {
  const problems: string[] = []
  for (const path of paths) {
    await visit(path)
    for (const { fontSize, ...size } of SIZES) {
      await page.setViewportSize(size)
      await page.addStyleTag({ content: `html { font-size: ${fontSize} !important }` })
      await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
      await expect(page.getByText(/^Loading/).filter({ visible: true })).toHaveCount(0)
      // Elements that depend on the available space are laid out again a moment later.
      const waitUntilReadable = () =>
        expect(async () => expect(await listUnreadableTexts(page, size.width)).toEqual([])).toPass({
          timeout: 10_000,
        })
      await waitUntilReadable().catch(() => {})
      problems.push(
        ...(await listUnreadableTexts(page, size.width)).map(
          (problem) => `${path}, ${size.width} pixels: ${problem}`,
        ),
      )
    }
  }
  expect(problems).toEqual([])
}

/** Checks that nothing moves while pages load. The server's responses are delayed, so placeholders
 *  are visible first. */
async function expectNothingMoves(
  page: Page,
  visit: (path: string) => Promise<void>,
  paths: string[],
) {
  test.slow()
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node?: Element }[]
    }
    let shift = 0
    let shifts = ''
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[])
        if (!hadRecentInput) {
          shift += value
          const elements = sources.map(({ node }) => node?.outerHTML?.slice(0, 100))
          shifts += `\n${value}: ${elements.join(' | ')}`
        }
    }).observe({ type: 'layout-shift', buffered: true })
    Object.assign(window, { readShift: () => ({ shift, shifts }) })
  })
  await page.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 250))
    await route.continue().catch(() => {})
  })
  for (const path of paths) {
    await visit(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
    await page.waitForLoadState('networkidle')
    const { shift, shifts } = await page.evaluate(() =>
      (window as unknown as { readShift: () => { shift: number; shifts: string } }).readShift(),
    )
    expect(shift, `${path}${shifts}`).toBeLessThanOrEqual(MAX_SHIFT)
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' })
}

const findInvitationPath = async (dojo: Dojo) =>
  `/join/${(await call(dojosApi.invitation, {}, dojo.token)).invite_code}`

/** Adds students, marks, texts and replies to a dojo. Returns the session of a student. */
async function createUsedDojo(dojo: Dojo): Promise<Person> {
  const { ann, dragons } = await createThreeStudents(dojo)
  await dojo.createClass({
    class_name: 'Grown Ups',
    class_start_time: '7:00 PM',
    class_end_time: '8:00 PM',
  })
  for (const day of ['01', '02', '03']) {
    await call(
      attendanceApi.mark,
      {
        body: {
          student_id: ann.id,
          class_id: dragons.id,
          class_date: `2026-06-${day}T00:00:00.000Z`,
          present: day !== '02',
        },
      },
      dojo.token,
    )
  }
  for (const reason of ['The roads are icy.', 'The power is out.', 'The mats are drying.']) {
    const body = {
      message_type: 'weather_cancel',
      custom_message: `Hi {name}, no class today. ${reason}`,
    } as const
    await call(textingApi.sendBulk, { body }, dojo.token)
  }
  const texts = () => call(textingApi.simulated, { query: {} }, dojo.token)
  // Three texts to each of two phones.
  await expect.poll(async () => (await texts()).length).toBe(6)
  const textIdByPhone = new Map((await texts()).map(({ id, phone_number }) => [phone_number, id]))
  for (const id of textIdByPhone.values())
    await call(
      conversationsApi.answerSimulated,
      { params: { id }, body: { text: 'Thank you for telling us.' } },
      dojo.token,
    )
  return dojo.createSession(ann)
}

test(
  'pages fit on a phone, and on 320 pixels at double text size: visitors',
  { tag: '@long' },
  async ({ page, dojo, allowErrors }) => {
    allowErrors(/400/)
    const paths = [...VISITOR_PATHS, await findInvitationPath(dojo), '/join/nobody']
    await expectAllReadable(page, async (path) => void (await page.goto(path)), paths)
  },
)

test('pages fit on a phone, and on 320 pixels at double text size: an instructor', async ({
  page,
  dojo,
  visit,
}) => {
  test.slow()
  const { user } = await createUsedDojo(dojo)
  const { grading } = await createGrading(dojo)
  await signIn(page, dojo)
  await expectAllReadable(page, visit, [
    ...SAMPLED_INSTRUCTOR_PATHS,
    `/students/${user.id}`,
    `/gradings/${grading.id}`,
  ])
})

test(
  'pages fit on a phone, and on 320 pixels at double text size: a student',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await signIn(page, await createUsedDojo(dojo))
    await expectAllReadable(page, visit, STUDENT_PATHS)
  },
)

test(
  'pages fit on a phone, and on 320 pixels at double text size: the super admin',
  { tag: '@long' },
  async ({ page, superAdmin, visit }) => {
    await signIn(page, superAdmin)
    await expectAllReadable(page, visit, ['/super-admin'])
  },
)

test(
  'at double text size, bars cover at most a quarter of a phone’s screen',
  { tag: '@long' },
  async ({ page, dojo, isDesktop }) => {
    test.skip(isDesktop, 'the phone has the bars')
    test.slow()
    await createThreeStudents(dojo)
    await signIn(page, dojo)
    await page.route('**/api/notifications/unread-count', (route) =>
      route.fulfill({ json: { unread_count: 12 } }),
    )
    for (const path of INSTRUCTOR_PATHS) {
      await page.goto(path)
      await page.addStyleTag({ content: 'html { font-size: 200% !important }' })
      for (const size of [
        { width: 390, height: 844 },
        { width: 320, height: 640 },
      ]) {
        await page.setViewportSize(size)
        const bell = page.getByRole('button', { name: 'Notifications, 9+ unread' })
        await expect(bell).toBeVisible()
        const measure = () =>
          page.evaluate(() => {
            const box = (selector: string) =>
              document.querySelector(selector)!.getBoundingClientRect()
            /** The height of stuck elements, which cover what isInScrollArea below them. */
            const stickyHeight = () => {
              window.scrollTo(0, document.documentElement.scrollHeight / 3)
              const stickyElements = [...document.querySelectorAll<HTMLElement>('main *')].filter(
                (element) => getComputedStyle(element).position === 'sticky',
              )
              const stuckElements = stickyElements.filter((element) => {
                const { top } = element.getBoundingClientRect()
                element.style.position = 'static'
                const naturalTop = element.getBoundingClientRect().top
                element.style.position = ''
                return Math.abs(naturalTop - top) > 1
              })
              return stuckElements.reduce(
                (sum, element) => sum + element.getBoundingClientRect().height,
                0,
              )
            }
            return {
              bars: box('header').height + box('nav[aria-label=Main]').height + stickyHeight(),
              badge: box('[aria-label^=Notifications] span[aria-hidden]').toJSON() as DOMRect,
              icon: box('[aria-label^=Notifications] svg').toJSON() as DOMRect,
            }
          })
        // Elements that depend on the available space are laid out again a moment later.
        await expect
          .poll(async () => (await measure()).bars, `${path} at ${size.width}`)
          .toBeLessThanOrEqual(size.height / 4)
        const { badge, icon } = await measure()
        expect(badge.left, 'the badge overlaps its bell').toBeLessThan(icon.right)
        expect(badge.bottom, 'the badge overlaps its bell').toBeGreaterThan(icon.top)
        expect(badge.top, 'the badge is at the upper half of its bell').toBeLessThan(
          icon.top + icon.height / 2,
        )
        expect(badge.right, 'the badge is not cut off').toBeLessThanOrEqual(size.width)
      }
    }
  },
)

test(
  'keeps the submit button of a dialog within reach at double text size on 320 pixels',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await signIn(page, dojo)
    await page.setViewportSize({ width: 320, height: 640 })
    await visit('/message-center')
    await page.addStyleTag({ content: 'html { font-size: 200% !important }' })
    for (const name of ['Special Message', 'Late Fee Reminder']) {
      await page.getByRole('button', { name: 'Compose' }).click()
      await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
      const dialog = page.getByRole('dialog', { name })
      const sendButton = dialog.getByRole('button', { name: 'Send', exact: true })
      // The data that the dialog loads moves the button.
      await expect(async () => {
        await sendButton.scrollIntoViewIfNeeded()
        await expect(sendButton).toBeInViewport({ ratio: 1, timeout: 500 })
      }).toPass()
      expect(await listUnreadableTexts(page, 320), name).toEqual([])
      await dialog.getByRole('button', { name: 'Cancel' }).click()
    }
  },
)

test('nothing moves while a screen loads: an instructor', async ({ page, dojo, visit }) => {
  const { user } = await createUsedDojo(dojo)
  const { grading } = await createGrading(dojo)
  await signIn(page, dojo)
  await expectNothingMoves(page, visit, [
    ...SAMPLED_INSTRUCTOR_PATHS,
    `/students/${user.id}`,
    `/gradings/${grading.id}`,
  ])
})

test(
  'nothing moves while a screen loads: a new dojo',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await signIn(page, dojo)
    await expectNothingMoves(page, visit, sampleInShortRun(INSTRUCTOR_PATHS))
  },
)

test(
  'nothing moves while a screen loads: a student',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await signIn(page, await createUsedDojo(dojo))
    await expectNothingMoves(page, visit, STUDENT_PATHS)
  },
)

test('nothing moves while a page loads: visitors', { tag: '@long' }, async ({ page, dojo }) =>
  expectNothingMoves(page, async (path) => void (await page.goto(path)), [
    ...VISITOR_PATHS,
    await findInvitationPath(dojo),
  ]),
)
