import { isDay } from '@tatami/contract/lib/calendar-day'
import { uuid } from '@tatami/contract/lib/fields'
import { BOOKING_PATH } from '@tatami/contract/trials/trials'
import { and, isNotNull, isNull } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toDataURL } from 'qrcode'
import type { Tx } from '../db/database.ts'
import type { App } from '../http/serve.ts'
import { kiosks } from '../kiosk/tables.ts'
import { parseDojoToken } from '../lib/dojo-tokens.ts'
import {
  readPageForGuests,
  runAsVisitor,
  sendDocument,
  sendErrorPage,
  VISITOR_RATE_LIMIT,
  type VisiblePage,
} from '../public-page/public-page.ts'
import { findBookingOfToken, SIGN_PATH } from './booking-links.ts'
import type { BookingOptions } from './booking-routes.ts'
import { type BookingRow, lockBooking } from './bookings.ts'
import {
  cancelByVisitor,
  findChoices,
  listNewDates,
  moveByVisitor,
  type MoveResult,
} from './change-by-visitor.ts'
import { type LinkPage, renderInvalidLink, renderLinkPage } from './link-pages.ts'
import { createBookingPaperLink, listMissingPapers, SAME_SITE } from './papers.ts'
import { findPaymentOfBooking } from './payments.ts'
import { tellVisitor } from './tell-visitor.ts'

type LinkRequest = FastifyRequest<{
  Params: { token: string }
  Querystring: Record<string, unknown>
}>

/** What the page shows: the booking, the days for a move, or the question before canceling. */
type LinkStep = 'booking' | 'days' | 'cancel'

type Subject = { token: string; dojoId: string; bookingId: string; visiblePage: VisiblePage }

/** Whose booking a link leads to. Null for an invalid link. It works while the page is off, too. */
async function findSubject(app: App, request: LinkRequest): Promise<Subject | null> {
  const { token } = request.params
  const dojoId = parseDojoToken(token)
  if (dojoId === null) return null
  return runAsVisitor(app, request, () =>
    app.db.inDojo(dojoId, async (tx) => {
      const bookingId = await findBookingOfToken(tx, token)
      const visiblePage = bookingId === null ? null : await readPageForGuests(tx, dojoId)
      return bookingId !== null && visiblePage ? { token, dojoId, bookingId, visiblePage } : null
    }),
  )
}

const sendInvalidLink = (reply: FastifyReply): FastifyReply =>
  sendDocument(reply, renderInvalidLink(), { status: 404 })

async function readLinkPage(
  tx: Tx,
  { token, dojoId, bookingId }: Subject,
  step: LinkStep,
  notice: LinkPage['notice'],
): Promise<LinkPage> {
  const { booking } = await lockBooking(tx, bookingId)
  const choices = await findChoices(tx, dojoId, booking)
  const isMoving = step === 'days' && choices.mayMove
  const newDates = isMoving ? await listNewDates(tx, dojoId, booking) : null
  const missingPapers = await listMissingPapers(tx, dojoId, [booking])
  return {
    booking,
    choices,
    newDates,
    asksToCancel: step === 'cancel' && choices.mayCancel,
    signPath: `${BOOKING_PATH}/${token}/${SIGN_PATH}`,
    missingPapers: missingPapers.get(booking.id) ?? [],
    codeImage: await drawCode(tx, booking),
    payment: await findPaymentOfBooking(tx, booking.id),
    notice,
  }
}

/** The code that the visitor shows at the kiosk. */
async function drawCode(tx: Tx, { check_in_code }: BookingRow): Promise<string | null> {
  const hasKiosk =
    (await tx.$count(kiosks, and(isNull(kiosks.ended_at), isNotNull(kiosks.token_hash)))) > 0
  return hasKiosk && check_in_code !== null
    ? toDataURL(check_in_code, { margin: 2, width: 240 })
    : null
}

function readStep({ move: moves, cancel: cancels }: LinkRequest['query']): LinkStep {
  if (moves === '1') return 'days'
  return cancels === '1' ? 'cancel' : 'booking'
}

async function showLink(app: App, request: LinkRequest, reply: FastifyReply) {
  const subject = await findSubject(app, request)
  if (!subject) return sendInvalidLink(reply)
  return sendLinkPage(app, subject, reply, readStep(request.query), null)
}

/** Leads to the page for signing. If everything is signed, to the booking. */
async function openSigning(app: App, request: LinkRequest, reply: FastifyReply) {
  const subject = await findSubject(app, request)
  if (!subject) return sendInvalidLink(reply)
  const { dojoId, bookingId } = subject
  const papers = await app.db.inDojo(dojoId, async (tx) =>
    createBookingPaperLink(tx, dojoId, await lockBooking(tx, bookingId), SAME_SITE),
  )
  return reply.redirect(papers?.link ?? `${BOOKING_PATH}/${request.params.token}`, 303)
}

async function sendLinkPage(
  { db }: App,
  subject: Subject,
  reply: FastifyReply,
  step: LinkStep,
  notice: LinkPage['notice'],
): Promise<FastifyReply> {
  const page = await db.inDojo(subject.dojoId, (tx) => readLinkPage(tx, subject, step, notice))
  const isRefused = notice === 'taken' || notice === 'tooLate'
  return sendDocument(reply, renderLinkPage(subject.visiblePage, page), {
    status: isRefused ? 409 : 200,
  })
}

const classIdSchema = uuid('Class')

/** The class and day that the visitor chose, or null. */
function readTarget(form: URLSearchParams): { class_id: string; day: string } | null {
  const [classId = '', day = ''] = (form.get('date') ?? '').split(' ')
  const parsedId = classIdSchema.safeParse(classId)
  return parsedId.success && isDay(day) ? { class_id: parsedId.data, day } : null
}

async function changeByLink(
  app: App,
  options: BookingOptions,
  request: LinkRequest,
  reply: FastifyReply,
) {
  const subject = await findSubject(app, request)
  if (!subject) return sendInvalidLink(reply)
  const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
  if (form.get('action') === 'cancel') {
    const isCanceled = await app.db.inDojo(subject.dojoId, (tx) =>
      cancelByVisitor(tx, subject.dojoId, subject.bookingId),
    )
    return sendLinkPage(app, subject, reply, 'booking', isCanceled ? null : 'tooLate')
  }
  const target = readTarget(form)
  if (!target) return sendLinkPage(app, subject, reply, 'days', null)
  const result = await move(app, options, subject, target)
  if (result.kind === 'too late') return sendLinkPage(app, subject, reply, 'booking', 'tooLate')
  if (result.kind !== 'moved') return sendLinkPage(app, subject, reply, 'days', 'taken')
  const movedSubject = { ...subject, bookingId: result.booking.booking.id }
  return sendLinkPage(app, movedSubject, reply, 'booking', 'moved')
}

/** Confirms the new day by email after the commit. */
async function move(
  { db }: App,
  { mail, publicUrl }: BookingOptions,
  { dojoId, bookingId }: Subject,
  target: { class_id: string; day: string },
): Promise<MoveResult> {
  const { result, email } = await db.inDojo(dojoId, async (tx) => {
    const moveResult = await moveByVisitor(tx, dojoId, bookingId, target)
    if (moveResult.kind !== 'moved') return { result: moveResult, email: null }
    const { email: confirmation } = await tellVisitor(
      tx,
      dojoId,
      'booked',
      moveResult.booking,
      publicUrl,
    )
    return { result: moveResult, email: confirmation }
  })
  if (email) mail.send(email)
  return result
}

const FORM_LIMIT_BYTES = 1024

/** Visitors see, move and cancel their trial with the link in an email, without a login. */
export function mountLinkPages(app: App, options: BookingOptions): void {
  void app.http.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
      (_, body, callback) => callback(null, body),
    )
    const pageOptions = {
      config: { rateLimit: VISITOR_RATE_LIMIT },
      errorHandler: sendErrorPage,
    }
    const path = `${BOOKING_PATH}/:token`
    pages.get(path, pageOptions, (request: LinkRequest, reply) => showLink(app, request, reply))
    pages.get(`${path}/${SIGN_PATH}`, pageOptions, (request: LinkRequest, reply) =>
      openSigning(app, request, reply),
    )
    pages.post(path, pageOptions, (request: LinkRequest, reply) =>
      changeByLink(app, options, request, reply),
    )
  })
}
