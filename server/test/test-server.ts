import { randomUUID } from 'node:crypto'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import type { InjectOptions } from 'fastify'
import { afterAll, inject } from 'vitest'
import { accountByEmail } from '../accounts/accounts.ts'
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
  type StudentFields,
} from './fixtures.ts'
import { dropDatabase, runQueries } from './temporary-cluster.ts'

const NO_DOJO = '00000000-0000-0000-0000-000000000000'
/** Enough for a test file; tests of the limits set their own. */
export const TEST_SETTINGS = {
  logLevel: 'silent',
  logDays: 92,
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

/** Starts a server on a copy of the template database. Both are removed after the test file. */
export async function startTestServer(envChanges: Partial<AppOptions['env']> = {}) {
  const cluster = inject('cluster')
  const name = `t_${randomUUID().replaceAll('-', '')}`
  await runQueries(cluster.adminUrl, `create database ${name} template ${cluster.templateName}`)
  const url = new URL(cluster.appUrl)
  url.pathname = `/${name}`
  const closing: (() => Promise<unknown>)[] = []

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
    closing.unshift(
      () => http.close(),
      () => pubsub.close(),
      () => db.close(),
    )
    return { http, db, pubsub }
  }
  const server = await openServer()
  afterAll(async () => {
    for (const close of closing) await close()
    await dropDatabase(cluster.adminUrl, name)
  })
  return {
    ...server,
    openServer,
    databaseUrl: url.href,
    adminUrl: overseeing(cluster.adminUrl, `/${name}`),
    ...fixturesOf(server),
  }
}

/** A login in every role, but no superuser, sees all dojos once a dojo is set. */
export function overseeing(adminUrl: string, pathname: string): string {
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

export function clientsOf(http: HttpTarget) {
  async function send(options: InjectOptions): Promise<ApiResponse> {
    const answer = await http.inject(options)
    return {
      status: answer.statusCode,
      body: isFile(answer) ? answer.rawPayload : answer.json(),
      headers: answer.headers,
    }
  }
  const clientFor = (token?: string) => {
    const headers = token ? { authorization: `Bearer ${token}` } : {}
    const call = (method: Endpoint['method']) => (path: string, payload?: object) =>
      send({ method, url: `/api${path}`, headers, ...(payload && { payload }) })
    return { token, get: call('GET'), post: call('POST'), put: call('PUT'), delete: call('DELETE') }
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
export type ApiClient = ReturnType<ReturnType<typeof clientsOf>['clientFor']>

export function fixturesOf({ http, db }: { http: HttpTarget; db: Database }) {
  const clients = clientsOf(http)
  const withToken = <P extends object>(person: P, token: string) => ({
    ...person,
    ...clients.clientFor(token),
    token,
  })

  async function createSensei(changes: SenseiFields = {}) {
    const sensei = await fixtures.createSensei(db, changes)
    return withToken(sensei, sensei.token)
  }
  async function createStudent(sensei: { id: string }, changes: StudentFields = {}) {
    const student = await fixtures.createStudent(db, await dojoIdOf(db, sensei.id), changes)
    return withToken(student, await signInAs(db, student.id))
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
    return withToken({ ...guardian, email: guardian.email! }, await signInAs(db, guardian.id))
  }
  const createClass = async (sensei: { id: string }, changes: ClassFields = {}) =>
    fixtures.createClass(db, await dojoIdOf(db, sensei.id), changes)
  async function signInSuperAdmin() {
    const account = await db.withoutDojo((tx) => accountByEmail(tx, ADMIN.email))
    return withToken(
      { id: account!.id, name: 'Super Admin', email: ADMIN.email },
      await signInAs(db, account!.id),
    )
  }
  return { ...clients, createSensei, createStudent, createGuardian, createClass, signInSuperAdmin }
}
