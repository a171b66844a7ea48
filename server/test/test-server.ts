import { randomUUID } from 'node:crypto'
import type { Endpoint } from '@tatami/contract/endpoint'
import type { InjectOptions } from 'fastify'
import { afterAll, inject } from 'vitest'
import { createFirstSuperAdmin } from '../accounts/first-super-admin.ts'
import { buildApp, type Parts } from '../app.ts'
import { connect } from '../db/database.ts'
import { connectPubSub } from '../db/pubsub.ts'
import { makePushKeys } from '../notifications/push-keys.ts'
import { dropDatabase } from './drop-database.ts'
import { runQueries } from './temporary-cluster.ts'

export const PASSWORD = 'Kiai2026!'
export const ADMIN = { email: 'admin@tatami.test', password: PASSWORD }
const NO_DOJO = '00000000-0000-0000-0000-000000000000'
/** High enough for a test file of its own; the tests of the limits set theirs. */
export const TEST_SETTINGS = {
  logLevel: 'silent',
  trustProxy: false,
  signInsPerMinute: 10_000,
  registrationsPerHour: 10_000,
  consentsPerHour: 10_000,
  failedSignIns: 10,
  publicUrl: 'https://tatami.test',
  smtpUrl: undefined,
  mailFrom: undefined,
  smsProvider: 'simulator',
  smsPerSecond: 1000,
} as const

/** Starts a server on a copy of the migrated template database of its own. Both are gone when the test file is done. */
export async function startTestServer(over: Partial<Parts['env']> = {}) {
  const cluster = inject('cluster')
  const name = `t_${randomUUID().replaceAll('-', '')}`
  await runQueries(cluster.adminUrl, `create database ${name} template ${cluster.templateName}`)
  const url = new URL(cluster.appUrl)
  url.pathname = `/${name}`
  const closing: (() => Promise<unknown>)[] = []

  /** Starts one more server on the same database. */
  async function openServer(settings: Partial<Parts['env']> = {}) {
    const pubsub = await connectPubSub(url.href)
    const db = connect(url.href, { maxConnections: 5, onPublish: pubsub.deliver, ping: pubsub.ping })
    const http = await buildApp({ db, pubsub, env: { ...TEST_SETTINGS, ...over, ...settings } })
    closing.unshift(
      () => http.close(),
      () => pubsub.close(),
      () => db.close(),
    )
    return { http, db, pubsub }
  }
  const server = await openServer()
  await createFirstSuperAdmin(server.db, ADMIN)
  await makePushKeys(server.db)
  afterAll(async () => {
    for (const close of closing) await close()
    await dropDatabase(cluster.adminUrl, name)
  })
  return { ...server, openServer, databaseUrl: url.href, adminUrl: overseeing(cluster.adminUrl, name), ...clientsOf(server.http) }
}

/** A login that is no superuser, but in every role, sees all dojos as the overseer does, once some dojo is named. */
function overseeing(adminUrl: string, name: string) {
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` })
  url.searchParams.set('options', `-c app.dojo_id=${NO_DOJO}`)
  return url.href
}

/** What takes a request: an app in this process, or `httpTarget` for a server elsewhere. */
export type HttpTarget = {
  inject: (options: InjectOptions) => Promise<{ statusCode: number; headers: Record<string, unknown>; json: () => unknown }>
}
export type ApiResponse = { status: number; body: any; headers: Record<string, unknown> }
let made = 0

/** Clients of the API at `http`, and the people and classes that tests create through it. */
export function clientsOf(http: HttpTarget) {
  async function send(options: InjectOptions): Promise<ApiResponse> {
    const answer = await http.inject(options)
    return { status: answer.statusCode, body: answer.json(), headers: answer.headers }
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
    return { ...clientFor(body.token), ...(body.user as { id: string; name: string; email: string }) }
  }
  const signInSuperAdmin = () => signIn(ADMIN.email)

  /** A registered, activated sensei, signed in. */
  async function createSensei(over: object = {}) {
    const form = exampleSensei(over)
    await anonymous.post('/sensei/register', form)
    const boss = await signInSuperAdmin()
    const { sensei_list } = (await boss.get('/super-admin/sensei')).body
    await boss.put(`/super-admin/sensei/${sensei_list.find((s: { email: string }) => s.email === form.email).sensei_id}/toggle-active`)
    return signIn(form.email)
  }
  type Sensei = Pick<ReturnType<typeof clientFor>, 'post'>
  const createClass = async (of: Sensei, over: object = {}) =>
    (await of.post('/classes', exampleClass(over))).body as { id: string; class_name: string }
  /** A student of the sensei's dojo, in the given class or a new one, signed in. */
  async function createStudent(of: Sensei, over: object = {}) {
    const form = exampleStudent({ class_preferences: ['cedar_park'], ...over })
    await of.post('/students', form)
    return signIn(form.email)
  }
  return { anonymous, clientFor, signIn, signInSuperAdmin, createSensei, createClass, createStudent }
}

export const exampleSensei = (over: object = {}) => ({
  first_name: 'Aiko',
  last_name: 'Tanaka',
  email: `sensei${(made += 1)}@dojo.com`,
  contact_area_code: '512',
  contact_number: '5550100',
  password: PASSWORD,
  retype_password: PASSWORD,
  city: 'Austin',
  state: 'Texas',
  dojo_name: 'Cedar Park Judo',
  ...over,
})
export const exampleClass = (over: object = {}) => ({
  class_name: 'Kids Judo',
  description: 'For the small ones',
  class_days: ['monday', 'wednesday'],
  class_start_time: '4:00 PM',
  class_end_time: '5:00 PM',
  ...over,
})
export const exampleStudent = (over: object = {}) => ({
  name: 'Ken Adams',
  email: `student${(made += 1)}@home.org`,
  password: PASSWORD,
  belt_level: 'white',
  date_of_birth: '2015-03-01',
  gender: 'male',
  phone_number: '(512) 555-0142',
  emergency_contact_name: 'Ann Adams',
  emergency_contact_phone: '512 555 0143',
  class_preferences: [] as string[],
  enrolled_classes: [] as string[],
  is_trial: false,
  monthly_payment_amount: 85.5,
  ...over,
})
