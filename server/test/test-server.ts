import { randomUUID } from 'node:crypto'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { mustExist } from '@tatami/contract/lib/must-exist'
import type { InjectOptions } from 'fastify'
import { afterAll, inject } from 'vitest'
import { findAccountByEmail } from '../accounts/accounts.ts'
import { buildApp, type AppOptions } from '../app.ts'
import { connect, type Database } from '../db/database.ts'
import { connectPubSub } from '../db/pubsub.ts'
import * as fixtures from './fixtures.ts'
import {
  ADMIN,
  type ClassFields,
  dojoIdOf,
  type GuardianFields,
  PASSWORD,
  type SenseiFields,
  signInAs,
  type StaffFields,
  type StudentFields,
} from './fixtures.ts'
import { dropDatabase, runQueries } from './temporary-cluster.ts'

const NO_DOJO = '00000000-0000-0000-0000-000000000000'
/** Has limits that no test reaches. Tests of a limit set a lower one. */
export const TEST_SETTINGS = {
  logLevel: 'silent',
  logDays: 92,
  activationTime: 'one business day',
  trustProxy: false,
  signInsPerMinute: 10_000,
  registrationsPerHour: 10_000,
  consentsPerHour: 10_000,
  exportsPerHour: 10_000,
  failedSignIns: 10,
  publicUrl: 'https://tatami.test',
  smtpUrl: undefined,
  mailFrom: undefined,
  smsProvider: 'simulator',
  smsPerSecond: 1000,
} as const

/** Starts a server with a copy of the template database. Removes both after the test file. */
export async function startTestServer(envChanges: Partial<AppOptions['env']> = {}) {
  const cluster = inject('cluster')
  const name = `t_${randomUUID().replaceAll('-', '')}`
  await runQueries(cluster.adminUrl, `create database ${name} template ${cluster.templateName}`)
  const url = new URL(cluster.appUrl)
  url.pathname = `/${name}`
  const closeFunctions: (() => Promise<unknown>)[] = []

  async function openServer(settings: Partial<AppOptions['env']> = {}) {
    const pubsub = await connectPubSub(url.href)
    const db = connect(url.href, {
      maxConnections: 5,
      onPublish: pubsub.deliver,
      ping: pubsub.ping,
    })
    const http = await buildApp({
      db,
      pubsub,
      env: { ...TEST_SETTINGS, ...envChanges, ...settings },
    })
    closeFunctions.unshift(
      () => http.close(),
      () => pubsub.close(),
      () => db.close(),
    )
    return { http, db, pubsub }
  }
  const server = await openServer()
  afterAll(async () => {
    for (const close of closeFunctions) await close()
    await dropDatabase(cluster.adminUrl, name)
  })
  return {
    ...server,
    openServer,
    databaseUrl: url.href,
    adminUrl: overseerUrl(cluster.adminUrl, `/${name}`),
    ...createFixtures(server),
  }
}

/** Returns a URL for connections that read all dojos. The login is not a superuser, so row-level
 *  security needs a dojo, which does not have to exist. */
export function overseerUrl(adminUrl: string, pathname: string): string {
  const url = Object.assign(new URL(adminUrl), { pathname })
  url.searchParams.set('options', `-c app.dojo_id=${NO_DOJO}`)
  return url.href
}

export type HttpTarget = {
  inject: (options: InjectOptions) => Promise<{
    statusCode: number
    headers: Record<string, unknown>
    json: () => unknown
    rawPayload: Buffer
  }>
}
export type ApiResponse = { status: number; body: any; headers: Record<string, unknown> }

const isFile = ({ headers }: { headers: Record<string, unknown> }) =>
  headers['content-disposition'] !== undefined

export function createClients(http: HttpTarget) {
  async function send(options: InjectOptions): Promise<ApiResponse> {
    const response = await http.inject(options)
    return {
      status: response.statusCode,
      body: isFile(response) ? response.rawPayload : response.json(),
      headers: response.headers,
    }
  }
  const clientFor = (token?: string) => {
    const headers = token ? { authorization: `Bearer ${token}` } : {}
    const createCall = (method: Endpoint['method']) => (path: string, payload?: object) =>
      send({ method, url: `/api${path}`, headers, ...(payload && { payload }) })
    return {
      token,
      get: createCall('GET'),
      post: createCall('POST'),
      put: createCall('PUT'),
      delete: createCall('DELETE'),
    }
  }
  const anonymous = clientFor()
  const signIn = async (email: string, password = PASSWORD) => {
    const { body } = await anonymous.post('/login', { email, password })
    return {
      ...clientFor(body.token),
      token: body.token as string,
      ...(body.user as { id: string; name: string; email: string }),
    }
  }
  return { anonymous, clientFor, signIn }
}
export type ApiClient = ReturnType<ReturnType<typeof createClients>['clientFor']>

export function createFixtures({ http, db }: { http: HttpTarget; db: Database }) {
  const clients = createClients(http)
  /** Adds functions that make calls with the person's session. */
  const withClient = <Person extends object>(person: Person, token: string) => ({
    ...person,
    ...clients.clientFor(token),
    token,
  })

  async function createSensei(changes: SenseiFields = {}) {
    const sensei = await fixtures.createSensei(db, changes)
    return withClient(sensei, sensei.token)
  }
  async function createStudent(sensei: { id: string }, changes: StudentFields = {}) {
    const student = await fixtures.createStudent(db, await dojoIdOf(db, sensei.id), changes)
    return withClient(student, await signInAs(db, student.id))
  }
  async function createStaff(sensei: { id: string }, fields: StaffFields = {}) {
    const member = await fixtures.createStaff(db, await dojoIdOf(db, sensei.id), fields)
    return withClient(member, await signInAs(db, member.id))
  }
  async function createGuardian(
    sensei: { id: string },
    students: { id: string }[],
    changes: GuardianFields = {},
  ) {
    const guardian = await fixtures.createGuardian(
      db,
      await dojoIdOf(db, sensei.id),
      students,
      changes,
    )
    const email = mustExist(guardian.email, 'The email')
    return withClient({ ...guardian, email }, await signInAs(db, guardian.id))
  }
  const createClass = async (sensei: { id: string }, changes: ClassFields = {}) =>
    fixtures.createClass(db, await dojoIdOf(db, sensei.id), changes)
  async function signInSuperAdmin() {
    const account = await db.withoutDojo((tx) => findAccountByEmail(tx, ADMIN.email))
    const { id } = mustExist(account, 'The super admin')
    return withClient({ id, name: 'Super Admin', email: ADMIN.email }, await signInAs(db, id))
  }
  return {
    ...clients,
    createSensei,
    createStaff,
    createStudent,
    createGuardian,
    createClass,
    signInSuperAdmin,
  }
}
