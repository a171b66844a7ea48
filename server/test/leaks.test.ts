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

const theirs = await createSampleDojo(server.db),
  goneIds = await createSampleDojo(server.db)
await grantEverything(server)
await plantCanaries(server.db, theirs)
/** A classmate in the other dojo, who is not related to its other student. */
const classmate = await anotherStudent()
/** The guardian of only the classmate. */
const guardianOfClassmate = (await createGuardian(server.db, theirs.dojo_id, [{ id: classmate }]))
  .id

async function anotherStudent(): Promise<string> {
  const id = newId(),
    email = `${newId()}@home.org`
  await server.db.inDojo(theirs.dojo_id, async (tx) => {
    await tx.execute(sql`insert into accounts (id, email, password_hash, role, dojo_id, is_active,
        created_at)
      values (${id}, ${email}, 'none', 'student', ${theirs.dojo_id}, true, now())`)
    await tx.execute(
      sql`insert into students (id, email, name, created_at) values (${id}, ${email}, 'Mia Ortiz',
          now())`,
    )
  })
  return id
}

type Outsider = {
  role: CallerRole | 'nobody'
  mayRead: string[]
  id?: (mine: Ids) => string
  token?: string
  tokenOf?: (mine: Ids) => string
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
    token: await sessionOf(goneIds.instructor_id),
  },
  'a student who was deleted': {
    role: 'nobody',
    mayRead: [],
    token: await sessionOf(goneIds.student_id),
  },
}
function sessionOf(id: string) {
  return server.db.withoutDojo((tx) => openSession(tx, id))
}
await server
  .clientFor(await sessionOf(goneIds.instructor_id))
  .delete(`/students/${goneIds.student_id}`)
await superAdmin.put(`/super-admin/sensei/${goneIds.instructor_id}/toggle-active`)

const nameOf = (outsider: Outsider) =>
  Object.keys(OUTSIDERS).find((name) => OUTSIDERS[name] === outsider)!

type Answer = { status: number; text: string; headers: string }
/** A new session for each call, because a call may log the caller out. */
async function call(
  endpoint: Endpoint,
  forms: RequestParts,
  requester: { id?: string | undefined; token?: string | undefined },
): Promise<Answer> {
  const token = requester.id ? await sessionOf(requester.id) : requester.token
  const answer = await server.http.inject({
    ...injectOptions(endpoint, forms),
    headers: token ? { authorization: `Bearer ${token}` } : {},
  })
  return {
    status: answer.statusCode,
    text: exportedText(answer),
    headers: JSON.stringify(answer.headers),
  }
}

const objectsIn = (forms: RequestParts, part: IdField['part'], list: string) =>
  forms[part][list] as Record<string, string | string[]>[]

function withId(
  forms: RequestParts,
  { part, field, isList, list, isListInList }: IdField,
  ids: string[],
): RequestParts {
  const changedPart = list
    ? {
        [list]: ids.map((id) => ({
          ...objectsIn(forms, part, list)[0],
          [field]: isListInList ? [id] : id,
        })),
      }
    : { [field]: isList ? ids : ids[0] }
  return { ...forms, [part]: { ...forms[part], ...changedPart } }
}
/** A new email, so that a taken one is not the reason for a refusal. */
const newlyAddressed = (forms: RequestParts): RequestParts =>
  'email' in forms.body
    ? { ...forms, body: { ...forms.body, email: `${newId()}@dojo.com` } }
    : forms
const nobodys = (id: string) => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`
const admits = ({ access }: Endpoint, role: Outsider['role']) =>
  access === 'public' ||
  (role !== 'nobody' && (ROLES_BY_ACCESS[access] as readonly string[]).includes(role))

const KINDS = [...new Set(ID_KINDS)]
const THEIRS = KINDS.map((kind) => theirs[kind])
/** `npm test` tries the matching kind of id in each place, and a thirty-second of the others; the
 *  long run all. */
const SAMPLE_EVERY = process.env.LONG ? 1 : 32
/** In the long run a call that hashes a password does so a hundred times. */
const TIMEOUT_MS = process.env.LONG ? 600_000 : 60_000
const sampleOfKinds = (place: IdField, endpoint: Endpoint) =>
  KINDS.filter(
    (kind, number) =>
      kind === idKind(place.field, endpoint) ||
      (number + endpoints.indexOf(endpoint)) % SAMPLE_EVERY === 0,
  ).map((kind) => theirs[kind])
const isTheirs = (id: string) => THEIRS.includes(id.toLowerCase())
/** The dojo's ids in that place: alone, in capitals, in a list after one's own. */
function attacks(
  place: IdField,
  endpoint: Endpoint,
  forms: RequestParts,
  isLetIn: boolean,
): [IdField, string[]][] {
  const { part, field, list } = place
  const ownIds = list
    ? [objectsIn(forms, part, list)[0]![field] ?? []].flat().slice(0, 1)
    : ((forms[part][field] as string[] | undefined)?.slice(0, 1) ?? [])
  const ids = isLetIn ? sampleOfKinds(place, endpoint) : THEIRS.slice(0, 1)
  const isInBothWays = (id: string) =>
    process.env.LONG || (isLetIn && id === theirs[idKind(field, endpoint)])
  return ids
    .flatMap((id) =>
      isInBothWays(id)
        ? [[id], place.isList ? [...ownIds, id] : [id.toUpperCase()]]
        : [place.isList ? [...ownIds, id] : [id]],
    )
    .map((sentIds) => [place, sentIds])
}
/** The super admin may do this to a sensei. */
const isOversight = ({ access }: Endpoint, ids: string[]) =>
  access === 'super-admin' && ids.some((id) => id.toLowerCase() === theirs.instructor_id)

/** The dojo's secrets beside its texts, without ids that members and the super admin may know. */
const {
  dojo_id: _dojo,
  instructor_id: _instructor,
  class_id: _class,
  style_id: _style,
  rank_id: _rank,
  holiday_id: _holiday,
  ...otherFields
} = theirs
const SECRETS = Object.values(otherFields)
const tables = ['dojos', ...Object.keys(SAMPLE_ROWS)]
const digest = () => digestRows(overseer, tables, theirs, [classmate, guardianOfClassmate])
let rowsNow: string | undefined

test('the dojo itself reads its canaries, so the search for them works', async () => {
  const leaks: string[] = []
  for (const id of [theirs.instructor_id, theirs.student_id, theirs.guardian_id]) {
    for (const endpoint of endpoints.filter(({ method }) => method === 'GET')) {
      const [forms] = fc.sample(validRequestParts(endpoint, theirs), { seed: 1, numRuns: 1 })
      leaks.push((await call(endpoint, withoutFilters(endpoint, forms!), { id })).text)
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
  // The calls above have created sessions of the outsiders.
})

/** Drops other filters, which would find nothing anyway. */
function withoutFilters({ query: schema }: Endpoint, forms: RequestParts): RequestParts {
  const query = { ...forms.query }
  for (const [field, value] of Object.entries(query)) {
    delete query[field]
    if (!schema?.safeParse(query).success) query[field] = value
  }
  return { ...forms, query }
}

/** Where unknown ids are ignored instead of refused. */
const PASSES_OVER: Record<string, string> = {
  'PUT /sms/inbox/read': 'what is gone meanwhile is as good as read',
  'PUT /sms/conversations/:phone/read up_to': 'a bound in time: nothing is read by it',
  'POST /sms/batches/:id/send-again message_ids': 'what is gone meanwhile cannot fail again',
  'DELETE /attendance': 'a mark that is not there is taken back already',
  'POST /register': 'an invitation that is none is refused before anything else',
  'POST /register/guardian': 'an invitation that is none is refused before anything else',
  'DELETE /class-dates/places': 'a place that is not there is given back already',
  'DELETE /excuses': 'an excuse that is not there is taken back already',
  'POST /export/students': 'who is gone meanwhile is left out of the list',
  'POST /export/payments': 'who is gone meanwhile is left out of the list',
  'POST /export/attendance': 'a filter, by which nothing is found',
}
const statusesOf = ({ method, path }: Endpoint, { field }: IdField) =>
  method === 'GET' ||
  [`${method} ${path}`, `${method} ${path} ${field}`].some((name) => name in PASSES_OVER)
    ? [200, 400, 404, 422]
    : [404, 422]

const calls = endpoints.map(
  (endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const,
)

describe.each(calls)('%s', (_, endpoint) => {
  let ourIds: Ids, forms: RequestParts
  beforeAll(async () => {
    ourIds = await createSampleDojo(server.db)
    forms = withoutFilters(
      endpoint,
      fc.sample(validRequestParts(endpoint, ourIds), { seed: 20_260_101, numRuns: 1 })[0]!,
    )
  })

  /** Everything an outsider may try: with ids of their own, and with the dojo's in each place. */
  async function attack(outsider: Outsider) {
    const { id, role, token, tokenOf, mayRead } = outsider
    const isLetIn = admits(endpoint, role)
    async function heard(parts: RequestParts): Promise<Answer> {
      const answer = await call(endpoint, newlyAddressed(parts), {
        id: id?.(ourIds),
        token: tokenOf?.(ourIds) ?? token,
      })
      expect(
        canariesIn(answer.text + answer.headers).filter((table) => !mayRead.includes(table)),
      ).toEqual([])
      const leakedSecrets = SECRETS.filter((secret) => answer.text.includes(secret))
      expect(
        leakedSecrets.filter(
          (secret) => role !== 'super-admin' || secret !== theirs.instructor_email,
        ),
      ).toEqual([])
      return answer
    }
    await heard(forms)
    for (const [place, ids] of idFields(endpoint).flatMap((idField) =>
      attacks(idField, endpoint, forms, isLetIn),
    )) {
      if (isOversight(endpoint, ids)) continue
      const answer = await heard(withId(forms, place, ids))
      expect(isLetIn ? statusesOf(endpoint, place) : [role === 'nobody' ? 401 : 403]).toContain(
        answer.status,
      )
      // A classmate belongs to the dojo, so some of it exists.
      if (
        outsider === OUTSIDERS['a classmate'] ||
        outsider === OUTSIDERS['the guardian of a classmate']
      )
        continue
      const ofNothing = await heard(
        withId(
          forms,
          place,
          ids.map((givenId) => (isTheirs(givenId) ? nobodys(givenId) : givenId)),
        ),
      )
      expect([answer.status, answer.text, place, ids]).toEqual([
        ofNothing.status,
        ofNothing.text,
        place,
        ids,
      ])
    }
  }
  async function rowsAround(outsiders: Outsider[]) {
    const digestBefore = (rowsNow ??= await digest())
    for (const outsider of outsiders)
      await attack(outsider).catch((error: unknown) => {
        throw new Error(
          `As ${nameOf(outsider)}: ${error instanceof Error ? error.message : String(error)}`,
          { cause: error },
        )
      })
    rowsNow = await digest()
    return { before: digestBefore, after: rowsNow }
  }

  // In parallel, before those who are admitted change rows. `npm test` takes every third, in turn.
  const refusedOutsiders = Object.values(OUTSIDERS)
    .filter(({ role }) => !admits(endpoint, role))
    .filter((_, number) => process.env.LONG || (number + endpoints.indexOf(endpoint)) % 3 === 0)
  test.runIf(refusedOutsiders.length > 0)(
    'refuses everybody else, reveals nothing and changes nothing',
    async () => {
      const { before, after } = await rowsAround(refusedOutsiders)
      expect(after).toEqual(before)
    },
  )

  // In sequence between two digests of the dojo's rows, which take longer. `npm test` takes the
  // first and every second, in turn.
  const letIn = Object.values(OUTSIDERS)
    .filter(({ role }) => admits(endpoint, role))
    .filter(
      (_, number) =>
        process.env.LONG || number === 0 || (number + endpoints.indexOf(endpoint)) % 2 === 0,
    )
  test.runIf(letIn.length > 0)(
    'reveals nothing to other dojos and families, and changes nothing',
    { timeout: TIMEOUT_MS },
    async () => {
      const { before, after } = await rowsAround(letIn)
      expect(after).toEqual(before)
    },
  )
})
