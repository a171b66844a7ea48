import type { OneDayClasses } from '@tatami/contract/calendar/timetable'
import type { EndReason, SignInStep } from '@tatami/contract/accounts/accounts'
import {
  ROLES_BY_ACCESS,
  type Access,
  type Api,
  type CallerRole,
  type Endpoint,
  type ParsedInput,
  type Reply,
  type Role,
  type Throttle,
} from '@tatami/contract/lib/endpoint'
import { missingRight, type NeededRight } from '@tatami/contract/needed-rights'
import { refusalWithout, type Right } from '@tatami/contract/rights'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Database, Tx } from '../db/database.ts'
import { type FairQueue, requesterByAddress } from './fair-queue.ts'
import { encode } from './compression.ts'
import { type FileReply, sendFile } from './file-reply.ts'
import { bodyLimitOf } from './body-limit.ts'
import { withIdempotencyKey } from './idempotency.ts'
import { invalid, notSignedIn, Refusal } from '../lib/refusal.ts'
import { type CallerLimits, runForRequest } from '../lib/request-context.ts'
import { SerializedReply, serializerOf } from './serialized-reply.ts'
import { compileReplyFilter } from './reply-filter.ts'
import { replyMask } from './reply-mask.ts'
import type { Replica } from '../db/replica.ts'
import { firstRow } from '../lib/rows.ts'
import type { PubSub } from '../db/pubsub.ts'

/** `step`, such as choosing a password, must be done before any other call. */
export type Caller = {
  id: string
  role: Role
  dojoId: string | null
  sessionId: string
  step: SignInStep | null
  /** Null for people who are not staff, and for staff who look at their own family. */
  staff: StaffScope | null
}
/** What a member of staff may see and do. */
export type StaffScope = {
  isOwner: boolean
  rights: ReadonlySet<Right>
  /** The only classes whose students and rolls they see. Null means all. */
  classIds: string[] | null
  /** Those of the classes that they see today only, as the substitute. */
  oneDayClasses: OneDayClasses | null
  /** As whom an owner looks at the school. Every write is then refused. */
  seenAs: string | null
}
export type DojoCaller = Caller & { dojoId: string }
export type Kiosk = {
  id: string
  role: 'kiosk'
  dojoId: string
  step: null
  /** The only classes of whoever set it up. Null means all. */
  classIds: string[] | null
}

export type App = {
  http: FastifyInstance
  db: Database
  replica: Replica
  pubsub: PubSub
  identify: (
    token: string,
    use: { address: string; isPolled: boolean },
  ) => Promise<Caller | Kiosk | null>
  /** Why the token's session was ended on another device or by an admin. Null if it was not. */
  endReasonOf: (token: string, address: string) => Promise<EndReason | null>
  /** The queue of callers who are not signed in, which alternates between IP addresses. */
  anonymousQueue: FairQueue
  throttles: Record<Throttle, { max: number; timeWindow: number }>
  /** Runs work after the response. Failures are logged, and a shutdown waits for it. */
  runInBackground: (work: () => Promise<unknown>) => void
}

type CallerOf<A extends Access> = A extends 'public'
  ? Caller | null
  : A extends 'kiosk'
    ? Kiosk
    : A extends 'member' | 'student' | 'instructor'
      ? DojoCaller
      : Caller
type HandlerInput<E extends Endpoint> = ParsedInput<E> & {
  caller: CallerOf<E['access']>
  address: string
  userAgent: string
}
type RunOnce<R> = (tx: Tx, work: () => Promise<R>) => Promise<R>
type IdempotentInput<E extends Endpoint> = E extends { idempotent: true }
  ? { idempotently: RunOnce<Reply<E>> }
  : unknown
type InTransaction<E extends Endpoint> = (input: HandlerInput<E> & { tx: Tx }) => Promise<Reply<E>>
type WithoutTransaction<E extends Endpoint> = {
  /** The reply may come from a cache, already serialized. */
  withoutTransaction: (
    input: HandlerInput<E> & IdempotentInput<E>,
  ) => Promise<Reply<E> | SerializedReply<Reply<E>>>
}
type FileHandler<E extends Endpoint> = { file: (input: HandlerInput<E>) => Promise<FileReply> }
type OnReplica<E extends Endpoint> = { onReplica: InTransaction<E> }
type JsonHandler<E extends Endpoint> = InTransaction<E> | WithoutTransaction<E> | OnReplica<E>
export type Handlers<A extends Api> = {
  [K in keyof A]: A[K] extends { file: string }
    ? FileHandler<A[K]>
    : A[K] extends { method: 'GET' }
      ? JsonHandler<A[K]>
      : Exclude<JsonHandler<A[K]>, OnReplica<A[K]>>
}
type AnyHandler = JsonHandler<Endpoint> | FileHandler<Endpoint>
type AnyInput = HandlerInput<Endpoint> & { idempotently: RunOnce<unknown> }

export const SUCCESS = { success: true } as const

export async function okReply<F extends object>(
  work: PromiseLike<unknown>,
  fields?: F,
): Promise<typeof SUCCESS & F> {
  await work
  return { ...SUCCESS, ...fields } as typeof SUCCESS & F
}

/** A plain function runs in the dojo's transaction. `onReplica` may read a standby's older data.
 *  `withoutTransaction` opens its own, usually after slow work. A missing handler is a type
 *  error. */
export function serve<const A extends Api>(app: App, api: A, handlers: Handlers<A>): void {
  for (const [name, endpoint] of Object.entries(api))
    mount(app, endpoint, handlers[name] as unknown as AnyHandler)
}

function mount(app: App, endpoint: Endpoint, handler: AnyHandler) {
  const filterReply = compileReplyFilter(endpoint.reply)
  const serialize = serializerOf(endpoint)
  const maskReply = replyMask(endpoint)
  app.http.route({
    method: endpoint.method,
    url: `/api${endpoint.path}`,
    bodyLimit: bodyLimitOf(endpoint),
    config: {
      isCall: true,
      polled: endpoint.polled === true,
      ...(endpoint.throttle && { rateLimit: app.throttles[endpoint.throttle] }),
    },
    onRequest: (request) => admitCaller(app, endpoint, request),
    handler: withContext(endpoint, async (request, reply) => {
      const parsedRequest = parseRequest(endpoint, request)
      const input = {
        ...parsedRequest,
        caller: request.caller,
        address: request.ip,
        userAgent: request.headers['user-agent'] ?? '',
        idempotently: runOncePerKey(endpoint, request, parsedRequest, filterReply),
      }
      if ('file' in handler) return sendFile(reply, endpoint, await handler.file(input))
      const result = await runHandler(app, handler, request, input)
      const serializedReply = maskReply(
        result instanceof SerializedReply ? result : serialize(result),
        staffScopeOf(request.caller),
      )
      return sendJson(endpoint, request, reply, serializedReply)
    }),
  })
}

async function admitCaller(app: App, endpoint: Endpoint, request: FastifyRequest): Promise<void> {
  const caller = await callerOf(app, request, endpoint.polled === true)
  // Public calls treat a kiosk as anonymous.
  request.caller = endpoint.access === 'public' && caller?.role === 'kiosk' ? null : caller
  if (endpoint.access !== 'public' && !request.caller)
    throw notSignedIn(await endReasonOf(app, request))
  authorize(endpoint, request.caller)
}

function runOncePerKey(
  endpoint: Endpoint,
  request: FastifyRequest,
  parsedRequest: object,
  filterReply: (reply: unknown) => unknown,
): RunOnce<unknown> {
  const key = idempotencyKeyOf(endpoint, request)
  if (key === undefined) return (_, work) => work()
  const call = `${endpoint.method} ${endpoint.path}`
  return (tx, work) =>
    withIdempotencyKey(tx, key, { call, ...parsedRequest }, async () => filterReply(await work()))
}

function runHandler(
  app: App,
  handler: JsonHandler<Endpoint>,
  request: FastifyRequest,
  input: AnyInput,
): Promise<unknown> {
  if ('withoutTransaction' in handler) return handler.withoutTransaction(input)
  if ('onReplica' in handler)
    return inCallersDojo(app, app.replica, request, (tx) => handler.onReplica({ ...input, tx }))
  return inCallersDojo(app, app.db, request, (tx) =>
    input.idempotently(tx, () => handler({ ...input, tx })),
  )
}

async function sendJson(
  { polled }: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  serializedReply: SerializedReply,
) {
  // Replies are about children, so shared machines must not keep copies.
  void reply.header('cache-control', 'no-store')
  if (polled) {
    void reply.header('etag', serializedReply.etag)
    if (request.headers['if-none-match'] === serializedReply.etag) return reply.status(304).send()
  }
  void reply.header('content-type', 'application/json; charset=utf-8')
  return reply.send(await encode(serializedReply, request, reply))
}

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Adds the request's id to log records, and limits transactions to the caller's own classes.
 *  GETs, which are most requests, write no records. */
const withContext =
  ({ method }: Endpoint, handler: RouteHandler): RouteHandler =>
  (request, reply) => {
    const { caller } = request
    const limits = caller ? limitsOf(caller) : undefined
    if (method === 'GET' && !limits) return handler(request, reply)
    return runForRequest({ requestId: request.id, limits }, () => handler(request, reply))
  }

type Limitable = Pick<Caller, 'id' | 'staff'> | Pick<Kiosk, 'id' | 'classIds'>

/** The limits of staff who see only their own classes, and of kiosks that they set up. */
export function limitsOf(caller: Limitable): CallerLimits | undefined {
  const { classIds = null, oneDayClasses = null } =
    'classIds' in caller ? { classIds: caller.classIds } : (caller.staff ?? {})
  return classIds ? { accountId: caller.id, classIds, oneDayClasses } : undefined
}

const staffScopeOf = (caller: Caller | Kiosk | null): StaffScope | null =>
  caller && 'staff' in caller ? caller.staff : null

/** Up to 255 visible ASCII characters. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

function idempotencyKeyOf(
  { idempotent }: Endpoint,
  { headers }: FastifyRequest,
): string | undefined {
  const key = headers['idempotency-key']
  if (!idempotent || key === undefined) return undefined
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key))
    throw new Refusal(400, 'The Idempotency-Key is not valid')
  return key
}

const BEARER = /^Bearer +([\w-]{1,200})$/i

const tokenIn = ({ headers: { authorization = '' } }: FastifyRequest) =>
  BEARER.exec(authorization)?.[1]

async function callerOf(
  { identify }: App,
  request: FastifyRequest,
  isPolled: boolean,
): Promise<Caller | Kiosk | null> {
  const token = tokenIn(request)
  return token ? identify(token, { address: request.ip, isPolled }) : null
}

async function endReasonOf(app: App, request: FastifyRequest): Promise<EndReason | null> {
  const token = tokenIn(request)
  return token ? app.endReasonOf(token, request.ip) : null
}

const PENDING_STEP: Record<SignInStep, string> = {
  'choose-password': 'Please choose a password of your own first.',
  'set-up-second-factor': 'Please set up a passkey or an authenticator app first.',
}

function authorize(endpoint: Endpoint, caller: Caller | Kiosk | null): void {
  const { access, duringSignIn } = endpoint
  if (access === 'public' || !caller) return
  if (!(ROLES_BY_ACCESS[access] as readonly CallerRole[]).includes(caller.role))
    throw new Refusal(403, 'You are not allowed to do this.')
  if (caller.step && !duringSignIn) throw new Refusal(403, PENDING_STEP[caller.step])
  if (caller.role === 'instructor') authorizeStaff(endpoint, caller.staff)
}

/** 403 without the right. For what only some requests of a call do. */
export function requireRight(staff: StaffScope | null, right: NeededRight): void {
  const lackedRight = missingRight(right, staff?.rights ?? new Set())
  if (lackedRight) throw new Refusal(403, refusalWithout(lackedRight))
}

function authorizeStaff(
  { method, right = 'any', readOnly, duringPreview }: Endpoint,
  staff: StaffScope | null,
) {
  requireRight(staff, right)
  const isWrite = method !== 'GET' && !readOnly
  if (staff?.seenAs != null && isWrite && !duringPreview)
    throw new Refusal(
      403,
      'You’re looking as somebody else. Go back to your own view to change anything.',
    )
}

function inCallersDojo<T>(
  { anonymousQueue }: App,
  db: Replica,
  { caller, ip }: FastifyRequest,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (caller?.dojoId) return db.inDojo(caller.dojoId, work)
  return caller
    ? db.withoutDojo(work)
    : anonymousQueue(requesterByAddress(ip), () => db.withoutDojo(work))
}

function parseRequest(endpoint: Endpoint, request: FastifyRequest) {
  return {
    ...(endpoint.params && {
      params: endpoint.params.safeParse(request.params).data ?? throwNotFound(),
    }),
    ...(endpoint.query && { query: validate(endpoint.query, request.query) }),
    ...(endpoint.body && { body: validate(endpoint.body, request.body ?? {}) }),
  }
}

const throwNotFound = (): never => {
  throw new Refusal(404, 'There is nothing at this address.')
}

function validate(schema: z.ZodType, value: unknown) {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  if (typeof value !== 'object' || Array.isArray(value))
    throw invalid('', 'The request body must be an object')
  const errors = result.error.issues.map(({ path, message }) => ({
    field: path.join('.'),
    message,
  }))
  throw new Refusal(422, firstRow(errors).message, { errors })
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | Kiosk | null
  }
}
