import { randomUUID } from 'node:crypto'
import { maxHeaderSize } from 'node:http'
import rateLimit from '@fastify/rate-limit'
import { api } from '@tatami/contract/api'
import Fastify, { type FastifyInstance } from 'fastify'
import { createSessions, type Sessions } from './accounts/sessions.ts'
import { announcementsRoutes } from './messages/announcements/routes.ts'
import { attendanceRoutes } from './attendance/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { backupsRoutes } from './backups/routes.ts'
import { beltsRoutes } from './belts/routes.ts'
import { bookkeepingRoutes } from './bookkeeping/routes.ts'
import { calendarFeedsRoutes } from './calendar/feeds/routes.ts'
import { classDatesRoutes } from './calendar/dates/routes.ts'
import { classesRoutes } from './classes/routes.ts'
import { privacyRoutes } from './privacy/routes.ts'
import { retainedData } from './retention.ts'
import { consentRoutes } from './consent/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { passwordRoutes } from './accounts/routes.ts'
import { documentsRoutes } from './documents/routes.ts'
import { dojosRoutes } from './dojos/routes.ts'
import type { Env } from './env.ts'
import { exportsRoutes } from './exports/routes.ts'
import { excusesRoutes } from './calendar/excuses/routes.ts'
import { familiesRoutes } from './families/routes.ts'
import { gradingsRoutes } from './gradings/routes.ts'
import { importRoutes } from './import/routes.ts'
import { readDojoOfToken, findKiosk } from './kiosk/kiosks.ts'
import { kioskRoutes } from './kiosk/routes.ts'
import { BODY_LIMIT_BYTES } from './http/body-limit.ts'
import { handleError, handleClientError } from './http/errors.ts'
import { registerApiReference } from './http/api-reference.ts'
import type { Database } from './db/database.ts'
import { preferStandby } from './db/replica.ts'
import { registerGracefulShutdown } from './http/graceful-shutdown.ts'
import { isUnavailable } from './db/database-errors.ts'
import { registerBackgroundTasks } from './http/background-tasks.ts'
import { createFairQueue, createFairSemaphore, requesterByAddress } from './http/fair-queue.ts'
import { registerHealthChecks } from './http/health-checks.ts'
import { logAbortedRequests, RequestLog } from './http/request-log.ts'
import { serializers } from './lib/log.ts'
import { type Mailer, createMailer } from './lib/mail.ts'
import { Refusal } from './lib/refusal.ts'
import type { Build } from './lib/version.ts'
import type { App } from './http/serve.ts'
import type { PubSub } from './db/pubsub.ts'
import { registerStaticFiles } from './http/static-files.ts'
import { sendPriceNotices } from './memberships/notices.ts'
import { membershipsRoutes } from './memberships/routes.ts'
import { messagesRoutes } from './messages/routes.ts'
import { createTexting, type Texting, type TextingSettings } from './texting/service.ts'
import { notificationsRoutes } from './notifications/routes.ts'
import { ledgerRoutes, paymentsRoutes, owingRoutes } from './dues/routes.ts'
import { salesTaxRoutes } from './ledger/routes.ts'
import { picturesRoutes } from './pictures/routes.ts'
import { holdsRoutes, packsRoutes } from './memberships/hold-routes.ts'
import { classEntriesRoutes, plansRoutes } from './plans/routes.ts'
import { pricesRoutes } from './dues/prices/routes.ts'
import { endAccessSince } from './profile/end-access.ts'
import { autopayRoutes } from './online-payment/autopay/routes.ts'
import { followupsRoutes } from './followups/routes.ts'
import { leadSourcesRoutes, leadsRoutes } from './leads/routes.ts'
import { onlinePaymentRoutes } from './online-payment/routes.ts'
import { publicPageRoutes } from './public-page/routes.ts'
import { createContext } from './online-payment/stripe-account.ts'
import { profileRoutes } from './profile/routes.ts'
import { senseiRoutes } from './sensei/routes.ts'
import { signInRoutes } from './profile/sign-in/routes.ts'
import { slippingAwayRoutes } from './slipping-away/routes.ts'
import { hoursRoutes } from './staff/hours/routes.ts'
import { payRoutes } from './staff/pay/routes.ts'
import { staffRoutes } from './staff/routes.ts'
import { studentsRoutes } from './students/routes.ts'
import { trialRoutes } from './trials/routes.ts'

/** Clients that send a request more slowly are disconnected. */
const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 30_000
const CHECK_INTERVAL_MS = 5_000
/** Limits database work before the caller is known. */
const ANONYMOUS_CONCURRENCY = 3
const ANONYMOUS_MAX_WAITING = 1000
const ANONYMOUS_TIMEOUT_MS = 6000
/** Limits how many requests start in one turn of the event loop. */
const ADMISSION_CONCURRENCY = 16
const ADMISSION_MAX_WAITING = 5000
const ADMISSION_TIMEOUT_MS = 10_000
const createBusyRefusal = () =>
  new Refusal(503, 'The service is busy. Please try again in a moment.', { retryAfterSeconds: 5 })
const DEFAULT_LOG_LEVEL = 'info'
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

type LimitName =
  | 'signInsPerMinute'
  | 'registrationsPerHour'
  | 'consentsPerHour'
  | 'exportsPerHour'
  | 'failedSignIns'
type Settings = Pick<
  Env,
  LimitName | 'activationTime' | 'logLevel' | 'logDays' | 'trustProxy' | 'smtpUrl' | 'mailFrom'
> &
  Partial<Pick<Env, 'backupDir' | 'stripeApiUrl' | 'stripeTestPayments'>> &
  TextingSettings

export type AppOptions = {
  db: Database
  standby?: Database | undefined
  pubsub: PubSub
  env: Settings
  /** Replaces the text service of the settings. */
  texting?: Texting
  build?: Build
  webRoot?: string
  logTo?: LogStream
}
type LogStream = { write: (line: string) => void }

export async function buildApp({
  db,
  standby,
  pubsub,
  env,
  texting = createTexting(env, db),
  build,
  webRoot,
  logTo,
}: AppOptions): Promise<FastifyInstance> {
  const http = createHttpServer(env, logTo)
  db.onRecorded(({ msg, ...fields }) => http.log.info(fields, msg))
  registerGracefulShutdown(http)
  admitRequestsFairly(http)
  acceptOnlyJson(http)
  await registerRateLimit(http)
  registerHealthChecks(http, db, build)
  registerApiReference(http, api)

  const anonymousQueue = createFairQueue({
    concurrency: ANONYMOUS_CONCURRENCY,
    maxWaiting: ANONYMOUS_MAX_WAITING,
    timeoutMs: ANONYMOUS_TIMEOUT_MS,
    isOutage: isUnavailable,
    refusal: createBusyRefusal,
  })
  const runInBackground = registerBackgroundTasks(http)
  const sessions = createSessions(db, pubsub, anonymousQueue, runInBackground)
  const app: App = {
    http,
    db,
    replica: preferStandby(db, standby),
    pubsub,
    identify: (token, use) => {
      const dojoId = readDojoOfToken(token)
      if (!dojoId) return sessions.findCaller(token, use)
      return anonymousQueue(requesterByAddress(use.address), () =>
        db.inDojo(dojoId, (tx) => findKiosk(tx, dojoId, token)),
      )
    },
    findEndReason: (token, address) => sessions.findEndReasonByToken(token, address),
    anonymousQueue,
    runInBackground,
    throttles: {
      'sign-in': { max: env.signInsPerMinute, timeWindow: MINUTE_MS },
      registration: { max: env.registrationsPerHour, timeWindow: HOUR_MS },
      consent: { max: env.consentsPerHour, timeWindow: HOUR_MS },
    },
  }
  mountRoutes(app, { sessions, env, texting })
  if (webRoot) await registerStaticFiles(http, webRoot, env.publicUrl)
  // The last hook, so that unknown paths also get the security headers. The body of a request to
  // an unknown path is not read.
  http.addHook('onRequest', ({ is404 }, _, next) =>
    next(is404 ? new Refusal(404, 'Not found') : undefined),
  )
  return http
}

function createHttpServer(env: Settings, logTo: LogStream | undefined): FastifyInstance {
  const { trustProxy } = env
  const http = Fastify({
    logger: {
      level: env.logLevel ?? DEFAULT_LOG_LEVEL,
      ...(logTo && { stream: logTo }),
      serializers,
    },
    logController: new RequestLog(),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT_BYTES,
    // An unknown id of any length gets the same response.
    routerOptions: { maxParamLength: maxHeaderSize },
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: CHECK_INTERVAL_MS },
    trustProxy: typeof trustProxy === 'number' ? (_, hop) => hop < trustProxy : trustProxy,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: handleError,
    clientErrorHandler: handleClientError,
  })
  http.decorateRequest('caller', null)
  http.setErrorHandler(handleError)
  http.setNotFoundHandler(() => {
    throw new Refusal(404, 'Not found')
  })
  logAbortedRequests(http)
  http.addHook('onRequest', (request, reply, next) => {
    void reply.header('x-request-id', request.id)
    next()
  })
  return http
}

/** Limits only calls with a `throttle` (contract/lib/endpoint.ts). */
const registerRateLimit = (http: FastifyInstance) =>
  http.register(rateLimit, {
    global: false,
    errorResponseBuilder: (_, { ttl }) =>
      new Refusal(429, 'Too many attempts. Please try again later.', {
        retryAfterSeconds: Math.ceil(ttl / 1000),
      }),
  })

type Services = { sessions: Sessions; env: Settings; texting: Texting }

function mountRoutes(app: App, { sessions, env, texting }: Services) {
  const { publicUrl } = env
  const mail = createMailerFor(env, app.http)
  dojosRoutes(app, publicUrl)
  passwordRoutes(app)
  picturesRoutes(app)
  notificationsRoutes(app)
  backupsRoutes(app, env.backupDir !== null)
  classesRoutes(app)
  classDatesRoutes(app)
  excusesRoutes(app)
  familiesRoutes(app, { sessions, mail, publicUrl })
  hoursRoutes(app)
  payRoutes(app)
  staffRoutes(app, { mail, publicUrl, failedSignIns: env.failedSignIns })
  announcementsRoutes(app)
  beltsRoutes(app)
  messagesRoutes(app, texting, env)
  studentsRoutes(app, sessions, mail)
  attendanceRoutes(app)
  slippingAwayRoutes(app)
  plansRoutes(app, { mail, sendPriceNotices })
  membershipsRoutes(app, mail)
  classEntriesRoutes(app)
  holdsRoutes(app)
  packsRoutes(app)
  pricesRoutes(app)
  salesTaxRoutes(app)
  paymentsRoutes(app)
  owingRoutes(app)
  ledgerRoutes(app)
  bookkeepingRoutes(app, mail)
  followupsRoutes(app)
  leadsRoutes(app)
  leadSourcesRoutes(app, publicUrl)
  onlinePaymentRoutes(app, {
    ...createContext(app.db, env, mail.send),
    failedSignIns: env.failedSignIns,
  })
  autopayRoutes(app, createContext(app.db, env, mail.send))
  gradingsRoutes(app, publicUrl)
  calendarFeedsRoutes(app, publicUrl)
  publicPageRoutes(app, publicUrl)
  trialRoutes(app, { mail, publicUrl, payments: createContext(app.db, env, mail.send) })
  kioskRoutes(app, publicUrl)
  documentsRoutes(app, { mail, publicUrl })
  importRoutes(app, { mail, publicUrl })
  consentRoutes(app)
  privacyRoutes(app, {
    retainedData,
    // A school may send its texts through its own Twilio account.
    sendsTexts:
      texting.server.provider.service === 'twilio_sms' || !texting.ownAccounts.findObstacle(),
    sendsMail: mail.isConfigured,
    makesBackups: env.backupDir !== null,
    logDays: env.logDays,
  })
  senseiRoutes(app, { sessions, mail, endAccessSince, ...env })
  profileRoutes(app, sessions, mail, env)
  signInRoutes(app, sessions, mail, env)
  dashboardRoutes(app, texting)
  auditRoutes(app)
  exportsRoutes(app, env.exportsPerHour)
}

export const createMailerFor = (
  { smtpUrl, mailFrom, publicUrl }: Pick<Settings, 'smtpUrl' | 'mailFrom' | 'publicUrl'>,
  http: FastifyInstance,
): Mailer =>
  createMailer(smtpUrl, mailFrom ?? `Tatami <no-reply@${new URL(publicUrl).hostname}>`, (err) =>
    http.log.error({ err }, 'mail not sent'),
  )

/** Starts a few requests in each turn of the event loop, alternating between IP addresses. */
function admitRequestsFairly(http: FastifyInstance) {
  const admissions = createFairSemaphore({
    concurrency: ADMISSION_CONCURRENCY,
    maxWaiting: ADMISSION_MAX_WAITING,
    timeoutMs: ADMISSION_TIMEOUT_MS,
    refusal: createBusyRefusal,
  })
  let startedCount = 0
  const endTurn = () => {
    for (; startedCount > 0; startedCount -= 1) admissions.release()
  }
  http.addHook('onRequest', ({ ip }, _, next) => {
    const start = () => {
      startedCount += 1
      if (startedCount === 1) setImmediate(endTurn)
      next()
    }
    if (admissions.tryAcquire()) start()
    else admissions.wait(requesterByAddress(ip)).then(start, next)
  })
}

function acceptOnlyJson(http: FastifyInstance) {
  http.removeContentTypeParser('text/plain')
  const parseJson = http.getDefaultJsonParser('error', 'error')
  http.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, body, callback) =>
      body === '' ? callback(null, undefined) : parseJson(request, body, callback),
  )
}
