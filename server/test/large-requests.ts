import { addDays } from '@tatami/contract/lib/calendar-day'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { DEFAULT_TIME_ZONE } from '@tatami/contract/dojos/dojos'
import fc from 'fast-check'
import { todayIn } from '../dojos/calendar.ts'
import { now } from '../lib/clock.ts'
import type { Ids } from './sample-ids.ts'
import { idFields, idKind, type RequestParts, validRequestParts } from './valid-requests.ts'

export type LargeDojo = {
  /** The ids of the sample dojo. */
  ids: Ids
  /** The ids of all students and classes. */
  allIds: { student_id: string[]; class_id: string[] }
  /** The guardian's check-in code. */
  code: string
}

const REQUESTS_PER_ENDPOINT = 6
/** The lengths to try when looking for the longest list that an endpoint accepts. */
const LIST_LENGTHS = [2000, 1000, 500, 300, 200, 100, 50, 20, 10]

const today = () => todayIn(DEFAULT_TIME_ZONE)
const thisYear = () => now().getUTCFullYear()

/** Parts that cannot be generated: the longest list, the longest period or a valid code. */
const BROAD_PARTS: Record<string, (dojo: LargeDojo) => Partial<RequestParts>> = {
  'GET /class-dates': () => ({
    query: { from: today(), until: addDays(today(), 91), with_places: 'true' },
  }),
  'GET /payment-figures': () => ({ query: { from: `${thisYear()}-01`, to: `${thisYear()}-12` } }),
  'POST /export/bookkeeping': () => ({
    body: { format: 'quickbooks', from: `${thisYear()}-01-01`, to: today() },
  }),
  'GET /statements': ({ ids }) => ({ query: { year: thisYear(), payer_id: ids.guardian_id } }),
  'PUT /gradings/:id/candidates': ({ allIds }) => ({
    body: { add: allIds.student_id.slice(0, 1) },
  }),
  'POST /gradings/:id/certificates': ({ ids }) => ({ params: { id: ids.session_id } }),
  'POST /kiosk/code': ({ ids, code }) => ({ body: { code, class_id: ids.class_id } }),
  'POST /sms/preview': ({ allIds }) => ({ body: messageToAll(allIds.class_id) }),
  'POST /sms/send-bulk-message': ({ allIds }) => ({ body: messageToAll(allIds.class_id) }),
  'POST /student-imports/preview': () => ({ body: importOfOneFamily() }),
  'POST /student-imports': () => ({ body: importOfOneFamily() }),
}

const messageToAll = (selected_classes: string[]) => ({
  message_type: 'special_announcement',
  custom_message: 'Hi {name}, bring water.',
  selected_classes,
})

const IMPORTED_ROWS = 2000

/** An import in which the server compares every row with all others, because the last name, the
 *  email and the guardian are always the same. */
const importOfOneFamily = () => ({
  columns: ['name', 'email', 'guardian_name', 'guardian_email'],
  rows: Array.from({ length: IMPORTED_ROWS }, (_, index) => [
    `Kid ${spellNumber(index)} Miller`,
    'miller@home.org',
    'Ann Miller',
    'miller@home.org',
  ]),
})
const spellNumber = (index: number) =>
  String(index).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')

/** Returns a value that matches many rows of a large dojo, for the fields that filter rows. */
const broadValue = (name: string, value: unknown): unknown => {
  if (/^(search|text)$/.test(name) && value !== null) return 'kim'
  if (/^(month|payment_month)$/.test(name)) return now().getUTCMonth()
  if (/^(year|payment_year)$/.test(name)) return now().getUTCFullYear()
  if (/^(class_date|day|from|on|date|received_on)$/.test(name)) return today()
  return value
}

const isValid = (endpoint: Endpoint, part: keyof RequestParts, form: Record<string, unknown>) =>
  endpoint[part]?.safeParse(form).success === true

/** Fields that say which version the user saw. With random values, a call is refused before it does
 *  any work. */
const SEEN_FIELDS = ['revision', 'quoted']

function broaden(endpoint: Endpoint, parts: RequestParts): RequestParts {
  const newParts = structuredClone(parts)
  for (const name of SEEN_FIELDS) delete newParts.body[name]
  for (const part of ['query', 'body'] as const)
    for (const [name, value] of Object.entries(newParts[part])) {
      const form = { ...newParts[part], [name]: broadValue(name, value) }
      if (isValid(endpoint, part, form)) newParts[part] = form
    }
  return newParts
}

/** Returns the request with the longest lists of ids that the endpoint accepts, or null if it has
 *  no list of ids. */
function lengthen(
  endpoint: Endpoint,
  parts: RequestParts,
  allIds: LargeDojo['allIds'],
): RequestParts | null {
  let isLonger = false
  const longParts = structuredClone(parts)
  for (const { part, field, isList, list, isListInList } of idFields(endpoint)) {
    const kind = idKind(field, endpoint)
    if (!isList || isListInList || !(kind in allIds)) continue
    const values = allIds[kind as keyof LargeDojo['allIds']]
    const name = list ?? field
    const [element] = list ? ((parts[part][list] as object[] | undefined) ?? []) : []
    if (list && !element) continue
    const items = values.map((id) => (list ? { ...element, [field]: id } : id))
    const length = LIST_LENGTHS.find((count) =>
      isValid(endpoint, part, { ...longParts[part], [name]: items.slice(0, count) }),
    )
    if (!length) continue
    longParts[part] = { ...longParts[part], [name]: items.slice(0, length) }
    isLonger = true
  }
  return isLonger ? longParts : null
}

/** Returns requests that make the server do a lot of work, the largest first. */
export function createLargeRequests(endpoint: Endpoint, dojo: LargeDojo): RequestParts[] {
  const samples = fc
    .sample(validRequestParts(endpoint, dojo.ids), { seed: 7, numRuns: REQUESTS_PER_ENDPOINT })
    .map((parts) => broaden(endpoint, parts))
  const broadParts = BROAD_PARTS[`${endpoint.method} ${endpoint.path}`]
  if (broadParts) return samples.slice(0, 1).map((parts) => ({ ...parts, ...broadParts(dojo) }))
  return [...samples.flatMap((parts) => lengthen(endpoint, parts, dojo.allIds) ?? []), ...samples]
}
