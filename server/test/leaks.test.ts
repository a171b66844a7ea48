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
import { digestRows, OVERSEEN_TABLES, plantCanaries, canariesIn } from './canaries.ts'
import { sampleKioskToken } from './sample-kiosk-rows.ts'
import type { Ids } from './sample-ids.ts'
import { createSampleDojo, SAMPLE_ROWS } from './sample-rows.ts'

const server = await startTestServer()
const overseer = new pg.Client({ connectionString: server.adminUrl })
await overseer.connect()
afterAll(() => overseer.end())

/** The dojo that outsiders attack, and one whose instructor and student lose their accounts. */
const theirIds = await createSampleDojo(server.db),
  formerIds = await createSampleDojo(server.db)
await grantEverything(server)
await plantCanaries(server.db, theirIds)
/** A classmate in the other dojo, who is not related to its other student. */
const classmate = await addClassmate()
/** The guardian of only the classmate. */
const CLASSMATE_GUARDIAN_PHONE = '+15125550143'
const guardianOfClassmate = (
  await createGuardian(server.db, theirIds.dojo_id, [{ id: classmate }], {
    phone: CLASSMATE_GUARDIAN_PHONE,
  })
).id

async function addClassmate(): Promise<string> {
  const id = newId(),
    email = `${newId()}@home.org`
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

/** `id` returns the id of the outsider's account, and `tokenOf` the token of an outsider without an
 *  account. Both depend on our own dojo. */
type Outsider = {
  role: CallerRole | 'nobody'
  mayRead: string[]
  id?: (ourIds: Ids) => string
  token?: string
  tokenOf?: (ourIds: Ids) => string
}
const superAdmin = await server.signInSuperAdmin()
/** Outsiders, and the tables of the dojo that they may read anyway. */
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
    token: await sessionOf(formerIds.instructor_id),
  },
  'a student who was deleted': {
    role: 'nobody',
    mayRead: [],
    token: await sessionOf(formerIds.student_id),
  },
}
function sessionOf(id: string) {
  return server.db.withoutDojo((tx) => openSession(tx, id))
}
await server
  .clientFor(await sessionOf(formerIds.instructor_id))
  .delete(`/students/${formerIds.student_id}`)
await superAdmin.put(`/super-admin/sensei/${formerIds.instructor_id}/toggle-active`)

const nameOf = (outsider: Outsider) =>
  Object.keys(OUTSIDERS).find((name) => OUTSIDERS[name] === outsider)!

type CallResponse = { status: number; text: string; headers: string }
/** A new session for each call, because a call may log the caller out. */
async function call(
  endpoint: Endpoint,
  parts: RequestParts,
  requester: { id?: string | undefined; token?: string | undefined },
): Promise<CallResponse> {
  const token = requester.id ? await sessionOf(requester.id) : requester.token
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

const objectsIn = (parts: RequestParts, part: IdField['part'], list: string) =>
  parts[part][list] as Record<string, string | string[]>[]

function withId(
  parts: RequestParts,
  { part, field, isList, list, isListInList }: IdField,
  ids: string[],
): RequestParts {
  const changedPart = list
    ? {
        [list]: ids.map((id) => ({
          ...objectsIn(parts, part, list)[0],
          [field]: isListInList ? [id] : id,
        })),
      }
    : { [field]: isList ? ids : ids[0] }
  return { ...parts, [part]: { ...parts[part], ...changedPart } }
}
/** A new email, so a taken one is not the reason for a refusal. */
const withNewEmail = (parts: RequestParts): RequestParts =>
  'email' in parts.body
    ? { ...parts, body: { ...parts.body, email: `${newId()}@dojo.com` } }
    : parts
const unusedId = (id: string) => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`
const admits = ({ access }: Endpoint, role: Outsider['role']) =>
  access === 'public' ||
  (role !== 'nobody' && (ROLES_BY_ACCESS[access] as readonly string[]).includes(role))

const KINDS = [...new Set(ID_KINDS)]
const THEIR_IDS = KINDS.map((kind) => theirIds[kind])
/** `npm test` tries the matching kind of id in each field, and one in 32 of the other kinds. The
 *  long run tries all. */
const SAMPLE_EVERY = process.env.LONG ? 1 : 32
/** The long run makes a call that hashes a password a hundred times. */
const TIMEOUT_MS = process.env.LONG ? 600_000 : 60_000
const sampleIds = (targetField: IdField, endpoint: Endpoint) =>
  KINDS.filter(
    (kind, index) =>
      kind === idKind(targetField.field, endpoint) ||
      (index + endpoints.indexOf(endpoint)) % SAMPLE_EVERY === 0,
  ).map((kind) => theirIds[kind])
const isTheirs = (id: string) => THEIR_IDS.includes(id.toLowerCase())
/** The other dojo's ids for one field: alone, in capitals, or in a list after our own id. */
function attacks(
  targetField: IdField,
  endpoint: Endpoint,
  parts: RequestParts,
  isAdmitted: boolean,
): [IdField, string[]][] {
  const { part, field, list } = targetField
  const ownIds = list
    ? [objectsIn(parts, part, list)[0]![field] ?? []].flat().slice(0, 1)
    : ((parts[part][field] as string[] | undefined)?.slice(0, 1) ?? [])
  const ids = isAdmitted ? sampleIds(targetField, endpoint) : THEIR_IDS.slice(0, 1)
  const isSentInBothWays = (id: string) =>
    process.env.LONG || (isAdmitted && id === theirIds[idKind(field, endpoint)])
  return ids
    .flatMap((id) =>
      isSentInBothWays(id)
        ? [[id], targetField.isList ? [...ownIds, id] : [id.toUpperCase()]]
        : [targetField.isList ? [...ownIds, id] : [id]],
    )
    .map((sentIds) => [targetField, sentIds])
}
/** The super admin's calls may name any sensei. */
const isOversight = ({ access }: Endpoint, ids: string[]) =>
  access === 'super-admin' && ids.some((id) => id.toLowerCase() === theirIds.instructor_id)

/** Ids and emails of the other dojo, except the ids that members or the super admin may know. */
const {
  dojo_id: _dojo,
  instructor_id: _instructor,
  class_id: _class,
  style_id: _style,
  rank_id: _rank,
  holiday_id: _holiday,
  ...otherFields
} = theirIds
const SECRETS = Object.values(otherFields)
const tables = ['dojos', ...Object.keys(SAMPLE_ROWS)]
const rowsOfClassmate = [classmate, guardianOfClassmate, CLASSMATE_GUARDIAN_PHONE]
const digest = () => digestRows(overseer, tables, theirIds, rowsOfClassmate)
let lastDigest: string | undefined

test('finds the canaries in responses to their own dojo', async () => {
  const leaks: string[] = []
  for (const id of [theirIds.instructor_id, theirIds.student_id, theirIds.guardian_id]) {
    for (const endpoint of endpoints.filter(({ method }) => method === 'GET')) {
      const [parts] = fc.sample(validRequestParts(endpoint, theirIds), { seed: 1, numRuns: 1 })
      leaks.push((await call(endpoint, withoutFilters(endpoint, parts!), { id })).text)
    }
  }
  expect(canariesIn(leaks.join(' '))).toEqual(
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
  'PUT /sms/conversations/:phone/read up_to': 'the id only says up to when texts are marked',
  'PUT /notifications/mark-all-read up_to': 'the id only says up to when they are marked',
  'POST /sms/batches/:id/send-again message_ids': 'a deleted text is not sent again',
  'DELETE /attendance': 'a missing mark needs no deletion',
  'POST /register': 'an invalid invitation is refused first',
  'POST /register/guardian': 'an invalid invitation is refused first',
  'DELETE /class-dates/places': 'a missing place needs no deletion',
  'DELETE /excuses': 'a missing excuse needs no deletion',
  'POST /export/students': 'deleted students are left out',
  'POST /export/payments': 'deleted students are left out',
  'POST /export/attendance': 'the id is a filter',
}
const statusesOf = ({ method, path }: Endpoint, { field }: IdField) =>
  method === 'GET' ||
  [`${method} ${path}`, `${method} ${path} ${field}`].some(
    (name) => name in CALLS_THAT_IGNORE_UNKNOWN_IDS,
  )
    ? [200, 400, 404, 422]
    : [404, 422]

const SAMPLES = 50
/** Whether a request has all lists whose elements contain ids. They may be optional. */
const hasEveryList =
  (endpoint: Endpoint) =>
  (parts: RequestParts): boolean =>
    idFields(endpoint).every(
      ({ part, list }) => list === undefined || (objectsIn(parts, part, list) ?? []).length > 0,
    )

const calls = endpoints.map(
  (endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const,
)

describe.each(calls)('%s', (_, endpoint) => {
  let ourIds: Ids, parts: RequestParts
  beforeAll(async () => {
    ourIds = await createSampleDojo(server.db)
    const samples = fc.sample(validRequestParts(endpoint, ourIds), {
      seed: 20_260_101,
      numRuns: SAMPLES,
    })
    parts = withoutFilters(endpoint, samples.find(hasEveryList(endpoint)) ?? samples[0]!)
  })

  /** Makes the call with the outsider's own ids, and with the other dojo's ids in each field. */
  async function attack(outsider: Outsider) {
    const { id, role, token, tokenOf, mayRead } = outsider
    const isAdmitted = admits(endpoint, role)
    async function callWithoutLeaks(sentParts: RequestParts): Promise<CallResponse> {
      const response = await call(endpoint, withNewEmail(sentParts), {
        id: id?.(ourIds),
        token: tokenOf?.(ourIds) ?? token,
      })
      expect(
        canariesIn(response.text + response.headers).filter((table) => !mayRead.includes(table)),
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
      attacks(idField, endpoint, parts, isAdmitted),
    )) {
      if (isOversight(endpoint, ids)) continue
      const response = await callWithoutLeaks(withId(parts, targetField, ids))
      expect(
        isAdmitted ? statusesOf(endpoint, targetField) : [role === 'nobody' ? 401 : 403],
      ).toContain(response.status)
      // A classmate belongs to the dojo, so some of it exists.
      if (
        outsider === OUTSIDERS['a classmate'] ||
        outsider === OUTSIDERS['the guardian of a classmate']
      )
        continue
      const responseForUnusedIds = await callWithoutLeaks(
        withId(
          parts,
          targetField,
          ids.map((givenId) => (isTheirs(givenId) ? unusedId(givenId) : givenId)),
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
    const digestBefore = (lastDigest ??= await digest())
    for (const outsider of outsiders)
      await attack(outsider).catch((error: unknown) => {
        throw new Error(
          `As ${nameOf(outsider)}: ${error instanceof Error ? error.message : String(error)}`,
          { cause: error },
        )
      })
    lastDigest = await digest()
    return { before: digestBefore, after: lastDigest }
  }

  // `npm test` tries a third of these outsiders, a different one for each endpoint.
  const refusedOutsiders = Object.values(OUTSIDERS)
    .filter(({ role }) => !admits(endpoint, role))
    .filter((_, index) => process.env.LONG || (index + endpoints.indexOf(endpoint)) % 3 === 0)
  test.runIf(refusedOutsiders.length > 0)(
    'refuses all other callers, reveals nothing and changes nothing',
    async () => {
      const { before, after } = await attackAndDigest(refusedOutsiders)
      expect(after).toEqual(before)
    },
  )

  // `npm test` tries the first of these outsiders, and half of the remaining ones.
  const admittedOutsiders = Object.values(OUTSIDERS)
    .filter(({ role }) => admits(endpoint, role))
    .filter(
      (_, index) =>
        process.env.LONG || index === 0 || (index + endpoints.indexOf(endpoint)) % 2 === 0,
    )
  test.runIf(admittedOutsiders.length > 0)(
    'reveals nothing to other dojos and families, and changes nothing',
    { timeout: TIMEOUT_MS },
    async () => {
      const { before, after } = await attackAndDigest(admittedOutsiders)
      expect(after).toEqual(before)
    },
  )
})
