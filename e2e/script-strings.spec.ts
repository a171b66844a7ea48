import type { BrowserContext, Page } from '@playwright/test'
import { sql } from 'drizzle-orm'
import { connectForFixtures, signInAs } from '../server/test/fixtures.ts'
import type { Ids } from '../server/test/sample-ids.ts'
import { createSampleDojo } from '../server/test/sample-rows.ts'
import { expect, isShortRun, sampleInShortRun, signIn, test } from './harness.ts'
import { SCRIPT_STRINGS, stringNumbersIn } from './script-strings.ts'

const db = connectForFixtures(process.env.E2E_DATABASE_URL ?? '')
test.afterAll(() => db.close())
test.setTimeout(600_000)

/** Columns that cannot hold any text: fixed values, and days, times and phone numbers that a page
 *  calculates with. */
const FIXED_COLUMNS =
  `email role relation password_hash kind event command source state payment_status belt_level
  gender job time_zone key asked method token_hash session_id address phone phone_number
  contact_number class_time class_start_time class_end_time time start_time end_time invite_code
  public_key private_key order by ordered_by location class_location`.split(/\s+/)

const TEXT_COLUMNS = sql`
  select table_name as table, column_name as column from information_schema.columns c
  where table_schema = 'public' and data_type = 'text'
    and table_name not in ('provider_messages', 'simulated_texts', 'audit_log', 'accounts')
    and (table_name = 'dojos' or exists (
      select from information_schema.columns d
      where d.table_schema = 'public' and d.table_name = c.table_name
        and d.column_name = 'dojo_id'))
  order by 1, 2`

type Column = { table: string; column: string }

/** Writes a string into each text of the dojo's rows, beginning with string number `first`. The
 *  names of 200 students have one string each. */
async function plantStrings({ dojo_id }: Ids, first: number): Promise<void> {
  await db.inDojo(dojo_id, async (tx) => {
    // Only the owner's role may change all of these columns.
    await tx.execute(sql`reset role`)
    const { rows } = await tx.execute<Column>(TEXT_COLUMNS)
    const freeColumns = rows.filter(({ column }) => !FIXED_COLUMNS.includes(column))
    for (const [index, { table, column }] of freeColumns.entries()) {
      const key = table === 'dojos' ? 'id' : 'dojo_id'
      const text = SCRIPT_STRINGS[(first + index) % SCRIPT_STRINGS.length]
      await tx.execute(sql`
        update ${sql.identifier(table)} set ${sql.identifier(column)} = ${text}
        where ${sql.identifier(key)} = ${dojo_id}`)
    }
    if (first > 0) return
    await tx.execute(sql`
      insert into students (dojo_id, id, name, created_at)
      select ${dojo_id}, gen_random_uuid(), name, now()
      from unnest(${sql.param(SCRIPT_STRINGS)}::text[]) name`)
  })
}

/** Records what a script has managed to do in any page: open a browser dialog, call another host,
 *  or violate the content policy. */
async function watchScripts(context: BrowserContext, origin: string) {
  const scriptEffects: string[] = []
  context.on('dialog', (dialog) => {
    if (/^\d+$/.test(dialog.message())) scriptEffects.push(`alert(${dialog.message()})`)
    void dialog.dismiss().catch(() => {})
  })
  context.on('request', (request) => {
    if (!request.url().startsWith(origin) && !/^(data|blob|about):/.test(request.url()))
      scriptEffects.push(request.url())
  })
  await context.exposeFunction(
    'reportViolation',
    (violation: string) => void scriptEffects.push(violation),
  )
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      const { reportViolation } = globalThis as unknown as {
        reportViolation: (violation: string) => void
      }
      reportViolation(`${violatedDirective} ${blockedURI} ${sample}`)
    })
  })
  return scriptEffects
}

/** Returns the text of the page and its fields, and any elements that a string has become. */
const readContent = (page: Page) =>
  page.evaluate(() => {
    const allElements = [...document.querySelectorAll('*')]
    const handlers = allElements.flatMap(({ tagName, attributes }) =>
      [...attributes]
        .filter(
          ({ name, value }) =>
            /^on/i.test(name) ||
            (/^(href|src|action|formaction)$/i.test(name) &&
              /^\s*(javascript|vbscript|data:text)/i.test(value)),
        )
        .map(({ name, value }) => `${tagName} ${name}=${value}`),
    )
    const elements = document.querySelectorAll(
      'body :is(script:not([src^="/assets/"]), iframe, object, embed, base, frameset, marquee, math)',
    )
    const values = [...document.querySelectorAll<HTMLInputElement>('input, textarea')].map(
      ({ value }) => value,
    )
    return {
      text: [document.body.textContent, ...values].join('\n'),
      markup: [...handlers, ...[...elements].map(({ outerHTML }) => outerHTML)],
    }
  })

const waitUntilSettled = async (page: Page) => {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.getByText(/^Loading/).filter({ visible: true })).toHaveCount(0)
}

/** How many buttons of a screen are pressed, to open its dialogs, tabs and sheets. */
const MAX_BUTTONS = isShortRun ? 0 : 12

async function collectMarkup(page: Page, paths: string[], shownStrings: Set<number>) {
  const markup: string[] = []
  const recordContent = async () => {
    const content = await readContent(page)
    for (const number of stringNumbersIn(content.text)) shownStrings.add(number)
    markup.push(...content.markup)
  }
  for (const path of paths) {
    await page.goto(path)
    await waitUntilSettled(page)
    await recordContent()
    const buttons = page.getByRole('main').getByRole('button')
    for (let index = 0; index < Math.min(MAX_BUTTONS, await buttons.count()); index += 1) {
      await buttons
        .nth(index)
        .click({ timeout: 1000 })
        .catch(() => {})
      await waitUntilSettled(page).catch(() => {})
      await recordContent()
      await page.goto(path)
      await waitUntilSettled(page)
    }
  }
  return markup
}

const instructorPaths = (ids: Ids) => [
  '/dashboard',
  '/students',
  `/students/${ids.student_id}`,
  '/attendance',
  '/class-center',
  '/payment-center',
  '/cash-count?date=2026-01-01',
  '/receipts?year=2026',
  `/receipts/${ids.receipt_id}`,
  `/statements/student/${ids.student_id}`,
  '/payment-figures',
  '/message-center',
  '/messages',
  '/families',
  '/holidays',
  '/numbers',
  '/school',
  '/simulator',
  '/automatic-reminders',
  '/sms-setup',
]
const MEMBER_PATHS = ['/dashboard', '/attendance', '/message-center', '/notification-settings']
/** In the long run, each column holds three strings, one after the other. */
const ROUNDS = isShortRun ? 1 : 3

test(
  '200 stored script strings are shown as text, and none runs',
  { tag: '@long' },
  async ({ page, superAdmin, layoutPath, isDesktop, allowErrors }) => {
    // The sample dojo has a class that takes place on no day, so the server refuses some calls.
    allowErrors(/the server responded with a status of 4\d\d/)
    const scriptEffects = await watchScripts(page.context(), process.env.E2E_URL ?? '')
    const ids = await createSampleDojo(db)
    const shownStrings = new Set<number>()
    const inLayout = (path: string) =>
      `${layoutPath}${isDesktop ? path.replace(/^\/dashboard/, '') : path}`
    for (let round = 0; round < ROUNDS; round += 1) {
      // Each round begins with the next third of the 200 strings.
      await plantStrings(ids, round * 67)
      const visits: [id: string, paths: string[]][] = [
        [ids.instructor_id, instructorPaths(ids)],
        [ids.student_id, MEMBER_PATHS],
        [ids.guardian_id, MEMBER_PATHS],
      ]
      const sampledVisits = isShortRun ? visits.slice(0, 2) : visits
      for (const [id, paths] of sampledVisits) {
        await signIn(page, { token: await signInAs(db, id) })
        expect(
          await collectMarkup(page, sampleInShortRun(paths).map(inLayout), shownStrings),
        ).toEqual([])
      }
      await signIn(page, superAdmin)
      expect(await collectMarkup(page, ['/super-admin'], shownStrings)).toEqual([])
    }
    expect(scriptEffects).toEqual([])
    if (isShortRun) expect(shownStrings.size).toBeGreaterThan(0)
    else expect(SCRIPT_STRINGS.filter((_, number) => !shownStrings.has(number))).toEqual([])
  },
)
