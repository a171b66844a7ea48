import { endpoints } from '@tatami/contract/api'
import { type CallerRole, ROLES_BY_ACCESS, type Endpoint } from '@tatami/contract/lib/endpoint'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSession } from '../accounts/sessions.ts'
import { newId } from '../db/columns.ts'
import {
  type RequestParts,
  validRequestParts,
  ID_KINDS,
  idFields,
  type IdField,
  idKind,
  injectOptions,
} from './valid-requests.ts'
import { createGuardian } from './fixtures.ts'
import { startTestServer } from './test-server.ts'
import { grantEverything } from './grant-everything.ts'
import { exportedText } from './files.ts'
import { digestRows, OVERSEEN_TABLES, plantCanaries, findCanaryTables } from './canaries.ts'
import { sampleKioskToken } from './sample-kiosk-rows.ts'
import type { Ids } from './sample-ids.ts'
import { createSampleDojo, SAMPLE_ROWS } from './sample-rows.ts'

const server = await startTestServer()
const overseer = new pg.Client({ connectionString: server.adminUrl })
await overseer.connect()
afterAll(() => overseer.end())

/** `theirIds` is the dojo that outsiders attack. In the dojo of `formerIds`, the instructor and the
 *  student lose their accounts. */
const theirIds = await createSampleDojo(server.db)
const formerIds = await createSampleDojo(server.db)
await grantEverything(server)
await plantCanaries(server.db, theirIds)
/** Another student in the dojo that is attacked, who is not related to the sample student. */
const classmate = await addClassmate()
/** A guardian who has no child except the classmate. */
const CLASSMATE_GUARDIAN_PHONE = '+15125550143'
const guardianOfClassmate = (
  await createGuardian(server.db, theirIds.dojo_id, [{ id: classmate }], {
    phone: CLASSMATE_GUARDIAN_PHONE,
  })
).id

async function addClassmate(): Promise<string> {
  const id = newId()
  const email = `${newId()}@home.org`
  await server.db.inDojo(theirIds.dojo_id, async (tx) => {
    await tx.execute(sql`insert into accounts (id, email, password_hash, role, dojo_id, is_active,
        created_at)
      values (${id}, ${email}, 'none', 'student', ${theirIds.dojo_id}, true, now())`)
    await tx.execute(
      sql`insert into students (id, email, name, created_at) values (${id}, ${email}, 'Mia Ortiz',
          now())`,
    )
  })
  return id
}

/** `id` returns the id of the outsider's account. An outsider without an account has a `token`, or
 *  `tokenOf` returns it. */
type Outsider = {
  role: CallerRole | 'nobody'
  mayRead: string[]
  id?: (ourIds: Ids) => string
  token?: string
  tokenOf?: (ourIds: Ids) => string
}
const superAdmin = await server.signInSuperAdmin()
/** `mayRead` lists the tables of the attacked dojo that an outsider may read. */
const OUTSIDERS: Record<string, Outsider> = {
  nobody: { role: 'nobody', mayRead: [] },
  'the student of another dojo': {
    id: ({ student_id }) => student_id,
    role: 'student',
    mayRead: [],
  },
  'the guardian of another dojo': {
    id: ({ guardian_id }) => guardian_id,
    role: 'guardian',
    mayRead: [],
  },
  'the instructor of another dojo': {
    id: ({ instructor_id }) => instructor_id,
    role: 'instructor',
    mayRead: [],
  },
  'the kiosk of another dojo': { tokenOf: sampleKioskToken, role: 'kiosk', mayRead: [] },
  'a classmate': {
    id: () => classmate,
    role: 'student',
    mayRead: ['dojos', 'classes', 'styles', 'ranks', 'class_dates', 'holidays'],
  },
  'the guardian of a classmate': {
    id: () => guardianOfClassmate,
    role: 'guardian',
    mayRead: ['dojos', 'classes', 'styles', 'ranks', 'class_dates', 'holidays'],
  },
  'the super admin': { id: () => superAdmin.id, role: 'super-admin', mayRead: OVERSEEN_TABLES },
  'an instructor who was deactivated': {
    role: 'nobody',
    mayRead: [],
    token: await signIn(formerIds.instructor_id),
  },
  'a student who was deleted': {
    role: 'nobody',
    mayRead: [],
    token: await signIn(formerIds.student_id),
  },
}
function signIn(id: string) {
  return server.db.withoutDojo((tx) => openSession(tx, id))
}
await server
  .clientFor(await signIn(formerIds.instructor_id))
  .delete(`/students/${formerIds.student_id}`)
await superAdmin.put(`/super-admin/sensei/${formerIds.instructor_id}/toggle-active`)

const nameOf = (outsider: Outsider) =>
  Object.keys(OUTSIDERS).find((name) => OUTSIDERS[name] === outsider)!

type CallResponse = { status: number; text: string; headers: string }
/** Makes a call with a new session, because the previous call may have logged the caller out. */
async function call(
  endpoint: Endpoint,
  parts: RequestParts,
  requester: { id?: string | undefined; token?: string | undefined },
): Promise<CallResponse> {
  const token = requester.id ? await signIn(requester.id) : requester.token
  const response = await server.http.inject({
    ...injectOptions(endpoint, parts),
    headers: token ? { authorization: `Bearer ${token}` } : {},
  })
  return {
    status: response.statusCode,
    text: exportedText(response),
    headers: JSON.stringify(response.headers),
  }
}

const listElements = (parts: RequestParts, part: IdField['part'], list: string) =>
  parts[part][list] as Record<string, string | string[]>[]

/** Returns the request with the ids in one of its fields. */
function withIds(
  parts: RequestParts,
  { part, field, isList, list, isListInList }: IdField,
  ids: string[],
): RequestParts {
  const changedPart = list
    ? {
        [list]: ids.map((id) => ({
          ...listElements(parts, part, list)[0],
          [field]: isListInList ? [id] : id,
        })),
      }
    : { [field]: isList ? ids : ids[0] }
  return { ...parts, [part]: { ...parts[part], ...changedPart } }
}
/** Uses a new email, because a request with an existing email would be refused. */
const withNewEmail = (parts: RequestParts): RequestParts =>
  'email' in parts.body
    ? { ...parts, body: { ...parts.body, email: `${newId()}@dojo.com` } }
    : parts
const toUnusedId = (id: string) => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`
const isAllowedTo = ({ access }: Endpoint, role: Outsider['role']) =>
  access === 'public' ||
  (role !== 'nobody' && (ROLES_BY_ACCESS[access] as readonly string[]).includes(role))

const KINDS = [...new Set(ID_KINDS)]
const THEIR_IDS = KINDS.map((kind) => theirIds[kind])
/** `npm test` tries the matching kind of id in each field, and one in 32 of the other kinds. The
 *  long run tries all kinds. */
const KIND_SAMPLE_INTERVAL = process.env.LONG ? 1 : 32
/** The long run makes a hundred calls that hash a password, which is slow. */
const TIMEOUT_MS = process.env.LONG ? 600_000 : 60_000
const sampleIds = (targetField: IdField, endpoint: Endpoint) =>
  KINDS.filter(
    (kind, index) =>
      kind === idKind(targetField.field, endpoint) ||
      (index + endpoints.indexOf(endpoint)) % KIND_SAMPLE_INTERVAL === 0,
  ).map((kind) => theirIds[kind])
const isTheirs = (id: string) => THEIR_IDS.includes(id.toLowerCase())
/** Returns the other dojo's ids to send in one field: alone, in capitals, or in a list after an id
 *  of our own. */
function foreignIdsFor(
  targetField: IdField,
  endpoint: Endpoint,
  parts: RequestParts,
  isAllowed: boolean,
): [IdField, string[]][] {
  const { part, field, list } = targetField
  const ownIds = list
    ? [listElements(parts, part, list)[0]![field] ?? []].flat().slice(0, 1)
    : ((parts[part][field] as string[] | undefined)?.slice(0, 1) ?? [])
  const ids = isAllowed ? sampleIds(targetField, endpoint) : THEIR_IDS.slice(0, 1)
  const isSentInBothWays = (id: string) =>
    process.env.LONG || (isAllowed && id === theirIds[idKind(field, endpoint)])
  return ids
    .flatMap((id) =>
      isSentInBothWays(id)
        ? [[id], targetField.isList ? [...ownIds, id] : [id.toUpperCase()]]
        : [targetField.isList ? [...ownIds, id] : [id]],
    )
    .map((sentIds) => [targetField, sentIds])
}
/** The super admin may make calls with the id of any sensei. */
const isSuperAdminCall = ({ access }: Endpoint, ids: string[]) =>
  access === 'super-admin' && ids.some((id) => id.toLowerCase() === theirIds.instructor_id)

/** Ids that classmates or the super admin may know. */
const KNOWN_ID_FIELDS = [
  'dojo_id',
  'instructor_id',
  'class_id',
  'style_id',
  'rank_id',
  'holiday_id',
]
const SECRETS = Object.entries(theirIds)
  .filter(([field]) => !KNOWN_ID_FIELDS.includes(field))
  .map(([, idOrEmail]) => idOrEmail)
const tables = ['dojos', ...Object.keys(SAMPLE_ROWS)]
const classmateTexts = [classmate, guardianOfClassmate, CLASSMATE_GUARDIAN_PHONE]
const readDigest = () => digestRows(overseer, tables, theirIds, classmateTexts)
let lastDigest: string | undefined

test('members of the attacked dojo get its canaries, so the other tests would notice a leak', async () => {
  const responseTexts: string[] = []
  for (const id of [theirIds.instructor_id, theirIds.student_id, theirIds.guardian_id]) {
    for (const endpoint of endpoints.filter(({ method }) => method === 'GET')) {
      const [parts] = fc.sample(validRequestParts(endpoint, theirIds), { seed: 1, numRuns: 1 })
      responseTexts.push((await call(endpoint, withoutFilters(endpoint, parts!), { id })).text)
    }
  }
  expect(findCanaryTables(responseTexts.join(' '))).toEqual(
    expect.arrayContaining([
      'announcements',
      'attendance',
      'classes',
      'dojos',
      'guardians',
      'guardianships',
      'incoming_texts',
      'instructors',
      'message_batches',
      'messages',
      'notifications',
      'students',
    ]),
  )
})

/** Removes optional query fields, because a filter might hide what would leak. */
function withoutFilters({ query: schema }: Endpoint, parts: RequestParts): RequestParts {
  const query = { ...parts.query }
  for (const [field, value] of Object.entries(query)) {
    delete query[field]
    if (!schema?.safeParse(query).success) query[field] = value
  }
  return { ...parts, query }
}

/** Calls that ignore unknown ids instead of refusing them, with the reason. */
const CALLS_THAT_IGNORE_UNKNOWN_IDS: Record<string, string> = {
  'PUT /sms/inbox/read': 'a deleted text does not need to be marked as read',
  'PUT /sms/conversations/:phone/read up_to': 'the id only marks a point in time',
  'PUT /notifications/mark-all-read up_to': 'the id only marks a point in time',
  'POST /sms/batches/:id/send-again message_ids': 'a deleted text is not sent again',
  'DELETE /attendance': 'a missing mark needs no deletion',
  'POST /register': 'an invalid invitation is refused first',
  'POST /register/guardian': 'an invalid invitation is refused first',
  'POST /signing/sign': 'an invalid link is refused first',
  'DELETE /class-dates/places': 'a missing place needs no deletion',
  'DELETE /excuses': 'a missing excuse needs no deletion',
  'POST /export/students': 'deleted students are left out',
  'POST /export/payments': 'deleted students are left out',
  'POST /export/attendance': 'the id is a filter',
}
function allowedStatuses({ method, path }: Endpoint, { field }: IdField): number[] {
  const ignoresUnknownIds = [`${method} ${path}`, `${method} ${path} ${field}`].some(
    (name) => name in CALLS_THAT_IGNORE_UNKNOWN_IDS,
  )
  return method === 'GET' || ignoresUnknownIds ? [200, 400, 404, 422] : [404, 422]
}

const SAMPLE_COUNT = 50
/** Checks that a request has every list whose elements contain ids, including optional lists. */
const hasEveryList =
  (endpoint: Endpoint) =>
  (parts: RequestParts): boolean =>
    idFields(endpoint).every(
      ({ part, list }) => list === undefined || (listElements(parts, part, list) ?? []).length > 0,
    )

const calls = endpoints.map(
  (endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const,
)

describe.each(calls)('%s', (_, endpoint) => {
  let ourIds: Ids
  let parts: RequestParts
  beforeAll(async () => {
    ourIds = await createSampleDojo(server.db)
    const samples = fc.sample(validRequestParts(endpoint, ourIds), {
      seed: 20_260_101,
      numRuns: SAMPLE_COUNT,
    })
    parts = withoutFilters(endpoint, samples.find(hasEveryList(endpoint)) ?? samples[0]!)
  })

  /** Makes the call with the outsider's own ids, and with the other dojo's ids in each field. */
  async function attack(outsider: Outsider) {
    const { id, role, token, tokenOf, mayRead } = outsider
    const isAllowed = isAllowedTo(endpoint, role)
    async function callWithoutLeaks(sentParts: RequestParts): Promise<CallResponse> {
      const response = await call(endpoint, withNewEmail(sentParts), {
        id: id?.(ourIds),
        token: tokenOf?.(ourIds) ?? token,
      })
      expect(
        findCanaryTables(response.text + response.headers).filter(
          (table) => !mayRead.includes(table),
        ),
      ).toEqual([])
      const leakedSecrets = SECRETS.filter((secret) => response.text.includes(secret))
      expect(
        leakedSecrets.filter(
          (secret) => role !== 'super-admin' || secret !== theirIds.instructor_email,
        ),
      ).toEqual([])
      return response
    }
    await callWithoutLeaks(parts)
    for (const [targetField, ids] of idFields(endpoint).flatMap((idField) =>
      foreignIdsFor(idField, endpoint, parts, isAllowed),
    )) {
      if (isSuperAdminCall(endpoint, ids)) continue
      const response = await callWithoutLeaks(withIds(parts, targetField, ids))
      expect(
        isAllowed ? allowedStatuses(endpoint, targetField) : [role === 'nobody' ? 401 : 403],
      ).toContain(response.status)
      // For a classmate some of the ids exist, so the next check does not apply.
      if (
        outsider === OUTSIDERS['a classmate'] ||
        outsider === OUTSIDERS['the guardian of a classmate']
      )
        continue
      const responseForUnusedIds = await callWithoutLeaks(
        withIds(
          parts,
          targetField,
          ids.map((sentId) => (isTheirs(sentId) ? toUnusedId(sentId) : sentId)),
        ),
      )
      expect([response.status, response.text, targetField, ids]).toEqual([
        responseForUnusedIds.status,
        responseForUnusedIds.text,
        targetField,
        ids,
      ])
    }
  }
  async function attackAndDigest(outsiders: Outsider[]) {
    const digestBefore = (lastDigest ??= await readDigest())
    for (const outsider of outsiders)
      await attack(outsider).catch((error: unknown) => {
        throw new Error(
          `As ${nameOf(outsider)}: ${error instanceof Error ? error.message : String(error)}`,
          { cause: error },
        )
      })
    lastDigest = await readDigest()
    return { before: digestBefore, after: lastDigest }
  }

  // `npm test` tries a third of these outsiders, which are different for each endpoint.
  const refusedOutsiders = Object.values(OUTSIDERS)
    .filter(({ role }) => !isAllowedTo(endpoint, role))
    .filter((_, index) => process.env.LONG || (index + endpoints.indexOf(endpoint)) % 3 === 0)
  test.runIf(refusedOutsiders.length > 0)(
    'refuses callers without access, reveals nothing and changes nothing',
    async () => {
      const { before, after } = await attackAndDigest(refusedOutsiders)
      expect(after).toEqual(before)
    },
  )

  // `npm test` tries the first of these outsiders, and half of the remaining ones.
  const allowedOutsiders = Object.values(OUTSIDERS)
    .filter(({ role }) => isAllowedTo(endpoint, role))
    .filter(
      (_, index) =>
        process.env.LONG || index === 0 || (index + endpoints.indexOf(endpoint)) % 2 === 0,
    )
  test.runIf(allowedOutsiders.length > 0)(
    'reveals nothing to other dojos and families, and changes nothing',
    { timeout: TIMEOUT_MS },
    async () => {
      const { before, after } = await attackAndDigest(allowedOutsiders)
      expect(after).toEqual(before)
    },
  )
})
