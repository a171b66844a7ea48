import { addDays, utcMidnight } from '@tatami/contract/lib/calendar-day'
import { endpoints } from '@tatami/contract/api'
import { ROLES_BY_ACCESS, type Endpoint, type Role } from '@tatami/contract/lib/endpoint'
import { familiesApi } from '@tatami/contract/families/families'
import fc from 'fast-check'
import type { Ids } from '../server/test/sample-ids.ts'
import {
  idKind,
  injectOptions,
  type RequestParts,
  validRequestParts,
} from '../server/test/valid-requests.ts'
import { firstRow } from '../server/lib/rows.ts'
import { FIRST_STUDENTS_PHONE } from './many-dojos.ts'

export type Visitor = { ids: Ids; tokens: Record<Role, string> }
export type Call = {
  name: string
  request: (
    visitor: Visitor,
    /** The number of the repetition, which makes each write different. */
    round: number,
  ) => { method: string; url: string; body?: object; token: string }
}

/** Removes the optional query fields, because a filter would make a call return fewer rows. */
function removeOptionalFilters(endpoint: Endpoint, parts: RequestParts): RequestParts {
  const query = { ...parts.query }
  for (const [field, value] of Object.entries(query)) {
    delete query[field]
    if (!endpoint.query?.safeParse(query).success) query[field] = value
  }
  return {
    ...parts,
    query,
    params: 'phone' in parts.params ? { phone: FIRST_STUDENTS_PHONE } : parts.params,
  }
}

/** The seed is always the same, so every run sends the same requests. */
const FIXED_SEED = 13

function chooseRole({ access, path }: Endpoint): Role {
  if (path === familiesApi.home.path) return 'guardian'
  const roles: readonly Role[] =
    ROLES_BY_ACCESS[access as Exclude<Endpoint['access'], 'public' | 'kiosk'>]
  return roles.includes('instructor') ? 'instructor' : roles[0]!
}
const hasSampleIds = (endpoint: Endpoint, ids: Ids) =>
  [...endpoint.path.matchAll(/:(\w*[iI]d)\b/g)].every(([, name]) =>
    Boolean(ids[idKind(name ?? '', endpoint)]),
  )

const createReadCalls = (firstVisitor: Visitor): Call[] =>
  endpoints
    .filter(({ method, access }) => method === 'GET' && access !== 'public' && access !== 'kiosk')
    .filter((endpoint) => hasSampleIds(endpoint, firstVisitor.ids))
    .map((endpoint): Call => {
      const partsByVisitor = new WeakMap<Visitor, RequestParts>()
      return {
        name: `GET ${endpoint.path}`,
        request: (visitor) => {
          const parts =
            partsByVisitor.get(visitor) ??
            removeOptionalFilters(
              endpoint,
              firstRow(
                fc.sample(validRequestParts(endpoint, visitor.ids), {
                  seed: FIXED_SEED,
                  numRuns: 1,
                }),
              ),
            )
          partsByVisitor.set(visitor, parts)
          const { method, url, query } = injectOptions(endpoint, parts)
          const search = new URLSearchParams(query).toString()
          return {
            method,
            url: search ? `${url}?${search}` : url,
            token: visitor.tokens[chooseRole(endpoint)],
          }
        },
      }
    })

const createSenseiListCall = (query: string): Call => ({
  name: `GET /super-admin/sensei?${query}`,
  request: ({ tokens }) => ({
    method: 'GET',
    url: `/api/super-admin/sensei?${query}`,
    token: tokens['super-admin'],
  }),
})
/** Each page has ten rows, so that both databases return the same number. */
const SENSEI_LIST_CALLS = [
  'limit=10',
  'limit=10&sort=name&status=active',
  'limit=10&sort=-students',
  'limit=10&search=dojo',
  'limit=10&search=aiko',
  'limit=10&search=nobody',
].map(createSenseiListCall)

const classDateInRound = (round: number) => utcMidnight(addDays('2001-01-01', round)).toISOString()
const createWriteCall = (
  method: string,
  path: string,
  createBody: (visitor: Visitor, round: number) => object,
  role: Role = 'instructor',
): Call => ({
  name: `${method} ${path}`,
  request: (visitor, round) => ({
    method,
    url: `/api${path.replace(':id', visitor.ids.notification_id)}`,
    body: createBody(visitor, round),
    token: visitor.tokens[role],
  }),
})
const WRITE_CALLS = [
  createWriteCall('POST', '/attendance', ({ ids: { student_id, class_id } }, round) => ({
    student_id,
    class_id,
    class_date: classDateInRound(round),
    present: true,
  })),
  createWriteCall('POST', '/payment-records', ({ ids: { student_id } }, round) => ({
    student_id,
    payment_month: round % 12,
    payment_year: 2020,
    payment_status: 'paid',
    monthly_payment_amount: 85,
  })),
  createWriteCall('PUT', '/notifications/:id/mark-read', () => ({}), 'student'),
  createWriteCall('POST', '/notifications/send', () => ({
    title: 'News',
    message: 'Read all about it.',
  })),
  createWriteCall('POST', '/classes', () => ({
    class_name: 'Kids Judo',
    description: 'Ages 5 to 8',
    class_days: ['monday'],
    class_start_time: '4:00 PM',
    class_end_time: '5:00 PM',
  })),
]

export const createCalls = (firstVisitor: Visitor): Call[] => [
  ...createReadCalls(firstVisitor),
  ...SENSEI_LIST_CALLS,
  ...WRITE_CALLS,
]
