import { addDays } from '@tatami/contract/lib/calendar-day'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { DEFAULT_TIME_ZONE } from '@tatami/contract/dojos/dojos'
import fc from 'fast-check'
import { todayIn } from '../dojos/calendar.ts'
import { now } from '../lib/clock.ts'
import type { Ids } from './sample-ids.ts'
import { idFields, idKind, type RequestParts, validRequestParts } from './valid-requests.ts'

/** The sample's ids, all ids of large lists, and the guardian's check-in code. */
export type LargeDojo = {
  ids: Ids
  all: { student_id: string[]; class_id: string[] }
  code: string
}

const TRIES = 6
const LENGTHS = [2000, 1000, 500, 300, 200, 100, 50, 20, 10]

const today = () => todayIn(DEFAULT_TIME_ZONE)
const thisYear = () => now().getUTCFullYear()

/** Parts that generated values lack: the longest list, the longest period, a valid code. */
const BROAD_PARTS: Record<string, (large: LargeDojo) => Partial<RequestParts>> = {
  'GET /class-dates': () => ({
    query: { from: today(), until: addDays(today(), 91), with_places: 'true' },
  }),
  'GET /payment-figures': () => ({ query: { from: `${thisYear()}-01`, to: `${thisYear()}-12` } }),
  'POST /export/bookkeeping': () => ({
    body: { format: 'quickbooks', from: `${thisYear()}-01-01`, to: today() },
  }),
  'GET /statements': ({ ids }) => ({ query: { year: thisYear(), payer_id: ids.guardian_id } }),
  'PUT /gradings/:id/candidates': ({ all }) => ({ body: { add: all.student_id.slice(0, 1) } }),
  'POST /gradings/:id/certificates': ({ ids }) => ({ params: { id: ids.session_id } }),
  'POST /kiosk/code': ({ ids, code }) => ({ body: { code, class_id: ids.class_id } }),
  'POST /sms/preview': ({ all }) => ({ body: messageToAll(all.class_id) }),
  'POST /sms/send-bulk-message': ({ all }) => ({ body: messageToAll(all.class_id) }),
  'POST /student-imports/preview': () => ({ body: importOfOneFamily() }),
  'POST /student-imports': () => ({ body: importOfOneFamily() }),
}

const messageToAll = (selected_classes: string[]) => ({
  message_type: 'special_announcement',
  custom_message: 'Hi {name}, bring water.',
  selected_classes,
})

const IMPORTED_ROWS = 2000

/** Rows that an import has to compare: one surname, one email, one guardian. */
const importOfOneFamily = () => ({
  columns: ['name', 'email', 'guardian_name', 'guardian_email'],
  rows: Array.from({ length: IMPORTED_ROWS }, (_, index) => [
    `Kid ${letters(index)} Miller`,
    'miller@home.org',
    'Ann Miller',
    'miller@home.org',
  ]),
})
const letters = (index: number) =>
  String(index).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')

/** Words, days and months of which a large dojo has rows. */
const broadValue = (name: string, value: unknown): unknown => {
  if (/^(search|text)$/.test(name) && value !== null) return 'kim'
  if (/^(month|payment_month)$/.test(name)) return now().getUTCMonth()
  if (/^(year|payment_year)$/.test(name)) return now().getUTCFullYear()
  if (/^(class_date|day|from|on|date|received_on)$/.test(name)) return today()
  return value
}

const isValid = (endpoint: Endpoint, part: keyof RequestParts, form: Record<string, unknown>) =>
  endpoint[part]?.safeParse(form).success === true

function broaden(endpoint: Endpoint, parts: RequestParts): RequestParts {
  const broad = structuredClone(parts)
  for (const part of ['query', 'body'] as const)
    for (const [name, value] of Object.entries(parts[part])) {
      const form = { ...broad[part], [name]: broadValue(name, value) }
      if (isValid(endpoint, part, form)) broad[part] = form
    }
  return broad
}

/** The request with id lists as long as the call accepts; null if it has none. */
function lengthen(
  endpoint: Endpoint,
  parts: RequestParts,
  allIds: LargeDojo['all'],
): RequestParts | null {
  let isLonger = false
  const long = structuredClone(parts)
  for (const { part, field, isList, list, isListInList } of idFields(endpoint)) {
    const kind = idKind(field, endpoint)
    if (!isList || isListInList || !(kind in allIds)) continue
    const values = allIds[kind as keyof LargeDojo['all']]
    const name = list ?? field
    const [element] = list ? ((parts[part][list] as object[] | undefined) ?? []) : []
    if (list && !element) continue
    const items = values.map((id) => (list ? { ...element, [field]: id } : id))
    const length = LENGTHS.find((count) =>
      isValid(endpoint, part, { ...long[part], [name]: items.slice(0, count) }),
    )
    if (!length) continue
    long[part] = { ...long[part], [name]: items.slice(0, length) }
    isLonger = true
  }
  return isLonger ? long : null
}

/** The largest requests first. */
export function createLargeRequests(endpoint: Endpoint, large: LargeDojo): RequestParts[] {
  const samples = fc
    .sample(validRequestParts(endpoint, large.ids), { seed: 7, numRuns: TRIES })
    .map((parts) => broaden(endpoint, parts))
  const broadParts = BROAD_PARTS[`${endpoint.method} ${endpoint.path}`]
  if (broadParts) return samples.slice(0, 1).map((parts) => ({ ...parts, ...broadParts(large) }))
  return [...samples.flatMap((parts) => lengthen(endpoint, parts, large.all) ?? []), ...samples]
}
