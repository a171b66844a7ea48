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
import { compressForClient } from './compression.ts'
import { type FileReply, sendFile } from './file-reply.ts'
import { computeBodyLimit } from './body-limit.ts'
import { withIdempotencyKey } from './idempotency.ts'
import { invalid, notSignedIn, Refusal } from '../lib/refusal.ts'
import { type CallerLimits, runForRequest } from '../lib/request-context.ts'
import { SerializedReply, createSerializer } from './serialized-reply.ts'
import { compileReplyFilter } from './reply-filter.ts'
import { createReplyMask } from './reply-mask.ts'
import type { Replica } from '../db/replica.ts'
import { firstRow } from '../lib/rows.ts'
import type { PubSub } from '../db/pubsub.ts'

/** `step` must be completed before any other call, such as choosing a password. */
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
  /** The classes in `classIds` that they see only today, as a substitute. */
  oneDayClasses: OneDayClasses | null
  /** The name of the person or preset whose view an owner is previewing. Writes are refused during
   *  a preview. */
  previewedPerson: string | null
}
export type DojoCaller = Caller & { dojoId: string }
export type Kiosk = {
  id: string
  role: 'kiosk'
  dojoId: string
  step: null
  /** The only classes that the kiosk shows, because its owner sees only these. Null means all. */
  classIds: string[] | null
}

export type App = {
  http: FastifyInstance
  db: Database
  replica: Replica
  pubsub: PubSub
  identify: (
    token: string,
    sessionUse: { address: string; isPolled: boolean },
  ) => Promise<Caller | Kiosk | null>
  /** Why the token's session was ended on another device or by an admin. Null if it was not. */
  findEndReason: (token: string, address: string) => Promise<EndReason | null>
  /** A queue for callers who are not signed in. It takes turns between IP addresses. */
  anonymousQueue: FairQueue
  throttles: Record<Throttle, { max: number; timeWindow: number }>
  /** Runs work after the response. Failures are logged, and a shutdown waits for it. */
  runInBackground: (work: () => Promise<unknown>) => void
}

type CallerWith<NeededAccess extends Access> = NeededAccess extends 'public'
  ? Caller | null
  : NeededAccess extends 'kiosk'
    ? Kiosk
    : NeededAccess extends 'member' | 'student' | 'instructor'
      ? DojoCaller
      : Caller
type HandlerInput<Call extends Endpoint> = ParsedInput<Call> & {
  caller: CallerWith<Call['access']>
  address: string
  userAgent: string
  hasIdempotencyKey: boolean
}
type RunOnce<Result> = (tx: Tx, work: () => Promise<Result>) => Promise<Result>
type IdempotentInput<Call extends Endpoint> = Call extends { idempotent: true }
  ? { idempotently: RunOnce<Reply<Call>> }
  : unknown
type InTransaction<Call extends Endpoint> = (
  input: HandlerInput<Call> & { tx: Tx },
) => Promise<Reply<Call>>
type WithoutTransaction<Call extends Endpoint> = {
  /** The reply may come from a cache, already serialized. */
  withoutTransaction: (
    input: HandlerInput<Call> & IdempotentInput<Call>,
  ) => Promise<Reply<Call> | SerializedReply<Reply<Call>>>
}
type FileHandler<Call extends Endpoint> = {
  file: (input: HandlerInput<Call>) => Promise<FileReply>
}
type OnReplica<Call extends Endpoint> = { onReplica: InTransaction<Call> }
type JsonHandler<Call extends Endpoint> =
  | InTransaction<Call>
  | WithoutTransaction<Call>
  | OnReplica<Call>
export type Handlers<Calls extends Api> = {
  [Name in keyof Calls]: Calls[Name] extends { file: string }
    ? FileHandler<Calls[Name]>
    : Calls[Name] extends { method: 'GET' }
      ? JsonHandler<Calls[Name]>
      : Exclude<JsonHandler<Calls[Name]>, OnReplica<Calls[Name]>>
}
type EndpointHandler = JsonHandler<Endpoint> | FileHandler<Endpoint>
type EndpointInput = HandlerInput<Endpoint> & { idempotently: RunOnce<unknown> }

export const SUCCESS = { success: true } as const

export async function okReply<Fields extends object>(
  work: PromiseLike<unknown>,
  fields?: Fields,
): Promise<typeof SUCCESS & Fields> {
  await work
  return { ...SUCCESS, ...fields } as typeof SUCCESS & Fields
}

/** Mounts the calls of an API. A handler that is a plain function runs in a transaction of the
 *  caller's dojo. `onReplica` may read slightly older data from a standby. `withoutTransaction`
 *  opens its own transaction, usually after slow work. */
export function serve<const Calls extends Api>(
  app: App,
  api: Calls,
  handlers: Handlers<Calls>,
): void {
  for (const [name, endpoint] of Object.entries(api))
    mount(app, endpoint, handlers[name] as unknown as EndpointHandler)
}

function mount(app: App, endpoint: Endpoint, handler: EndpointHandler) {
  const filterReply = compileReplyFilter(endpoint.reply)
  const serialize = createSerializer(endpoint)
  const maskReply = createReplyMask(endpoint)
  app.http.route({
    method: endpoint.method,
    url: `/api${endpoint.path}`,
    bodyLimit: computeBodyLimit(endpoint),
    config: {
      isCall: true,
      polled: endpoint.polled === true,
      ...(endpoint.throttle && { rateLimit: app.throttles[endpoint.throttle] }),
    },
    onRequest: (request) => admitCaller(app, endpoint, request),
    handler: withContext(endpoint, async (request, reply) => {
      const parsedRequest = parseRequest(endpoint, request)
      const key = readIdempotencyKey(endpoint, request)
      const input = {
        ...parsedRequest,
        caller: request.caller,
        address: request.ip,
        userAgent: request.headers['user-agent'] ?? '',
        hasIdempotencyKey: key !== undefined,
        idempotently: runOncePerKey(endpoint, key, parsedRequest, filterReply),
      }
      if ('file' in handler) return sendFile(reply, endpoint, await handler.file(input))
      const result = await runHandler(app, handler, request, input)
      const serializedReply = maskReply(
        result instanceof SerializedReply ? result : serialize(result),
        getStaffScope(request.caller),
      )
      return sendJson(endpoint, request, reply, serializedReply)
    }),
  })
}

async function admitCaller(app: App, endpoint: Endpoint, request: FastifyRequest): Promise<void> {
  const caller = await identifyCaller(app, request, endpoint.polled === true)
  // Public calls treat a kiosk as anonymous.
  request.caller = endpoint.access === 'public' && caller?.role === 'kiosk' ? null : caller
  if (endpoint.access !== 'public' && !request.caller)
    throw notSignedIn(await findRequestEndReason(app, request))
  authorize(endpoint, request.caller)
}

function runOncePerKey(
  endpoint: Endpoint,
  key: string | undefined,
  parsedRequest: object,
  filterReply: (reply: unknown) => unknown,
): RunOnce<unknown> {
  if (key === undefined) return (_, work) => work()
  const call = `${endpoint.method} ${endpoint.path}`
  return (tx, work) =>
    withIdempotencyKey(tx, key, { call, ...parsedRequest }, async () => filterReply(await work()))
}

function runHandler(
  app: App,
  handler: JsonHandler<Endpoint>,
  request: FastifyRequest,
  input: EndpointInput,
): Promise<unknown> {
  if ('withoutTransaction' in handler) return handler.withoutTransaction(input)
  if ('onReplica' in handler)
    return runInCallersDojo(app, app.replica, request, (tx) => handler.onReplica({ ...input, tx }))
  return runInCallersDojo(app, app.db, request, (tx) =>
    input.idempotently(tx, () => handler({ ...input, tx })),
  )
}

async function sendJson(
  { polled }: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  serializedReply: SerializedReply,
) {
  // Replies may be about children, so a shared computer must not keep copies of them.
  void reply.header('cache-control', 'no-store')
  if (polled) {
    void reply.header('etag', serializedReply.etag)
    if (request.headers['if-none-match'] === serializedReply.etag) return reply.status(304).send()
  }
  void reply.header('content-type', 'application/json; charset=utf-8')
  return reply.send(await compressForClient(serializedReply, request, reply))
}

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Adds the request's id to audit records, and limits transactions to the caller's own classes.
 *  Most GETs need neither. */
const withContext =
  ({ method }: Endpoint, handler: RouteHandler): RouteHandler =>
  (request, reply) => {
    const { caller } = request
    const limits = caller ? findCallerLimits(caller) : undefined
    if (method === 'GET' && !limits) return handler(request, reply)
    return runForRequest({ requestId: request.id, limits }, () => handler(request, reply))
  }

type CallerOrKiosk = Pick<Caller, 'id' | 'staff'> | Pick<Kiosk, 'id' | 'classIds'>

/** Limits staff who see only their own classes, and the kiosks that they set up. */
export function findCallerLimits(caller: CallerOrKiosk): CallerLimits | undefined {
  const { classIds = null, oneDayClasses = null } =
    'classIds' in caller ? { classIds: caller.classIds } : (caller.staff ?? {})
  return classIds ? { accountId: caller.id, classIds, oneDayClasses } : undefined
}

const getStaffScope = (caller: Caller | Kiosk | null): StaffScope | null =>
  caller && 'staff' in caller ? caller.staff : null

/** Up to 255 visible ASCII characters. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

function readIdempotencyKey(
  { idempotent }: Endpoint,
  { headers }: FastifyRequest,
): string | undefined {
  const key = headers['idempotency-key']
  if (!idempotent || key === undefined) return undefined
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key))
    throw new Refusal(400, 'The Idempotency-Key is not valid')
  return key
}

const BEARER_TOKEN = /^Bearer +([\w-]{1,200})$/i

const readToken = ({ headers: { authorization = '' } }: FastifyRequest) =>
  BEARER_TOKEN.exec(authorization)?.[1]

async function identifyCaller(
  { identify }: App,
  request: FastifyRequest,
  isPolled: boolean,
): Promise<Caller | Kiosk | null> {
  const token = readToken(request)
  return token ? identify(token, { address: request.ip, isPolled }) : null
}

async function findRequestEndReason(app: App, request: FastifyRequest): Promise<EndReason | null> {
  const token = readToken(request)
  return token ? app.findEndReason(token, request.ip) : null
}

const PENDING_STEP_MESSAGES: Record<SignInStep, string> = {
  'choose-password': 'Please choose a password of your own first.',
  'set-up-second-factor': 'Please set up a passkey or an authenticator app first.',
}

function authorize(endpoint: Endpoint, caller: Caller | Kiosk | null): void {
  const { access, duringSignIn } = endpoint
  if (access === 'public' || !caller) return
  if (!(ROLES_BY_ACCESS[access] as readonly CallerRole[]).includes(caller.role))
    throw new Refusal(403, 'You are not allowed to do this.')
  if (caller.step && !duringSignIn) throw new Refusal(403, PENDING_STEP_MESSAGES[caller.step])
  if (caller.role === 'instructor') authorizeStaff(endpoint, caller.staff)
}

/** Throws 403 without the right. Handlers call this if only some of their requests need it. */
export function requireRight(staff: StaffScope | null, right: NeededRight): void {
  const requiredRight = missingRight(right, staff?.rights ?? new Set())
  if (requiredRight) throw new Refusal(403, refusalWithout(requiredRight))
}

function authorizeStaff(
  { method, right = 'any', readOnly, duringPreview }: Endpoint,
  staff: StaffScope | null,
) {
  requireRight(staff, right)
  const isWrite = method !== 'GET' && !readOnly
  if (staff?.previewedPerson != null && isWrite && !duringPreview)
    throw new Refusal(
      403,
      'You’re looking as somebody else. Go back to your own view to change anything.',
    )
}

function runInCallersDojo<Result>(
  { anonymousQueue }: App,
  db: Replica,
  { caller, ip }: FastifyRequest,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
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
