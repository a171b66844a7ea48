import { isDay } from '@tatami/contract/lib/calendar-day'
import { uuid } from '@tatami/contract/lib/fields'
import { BOOKING_PATH } from '@tatami/contract/trials/trials'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../db/database.ts'
import type { App } from '../http/serve.ts'
import { parseDojoToken } from '../lib/dojo-tokens.ts'
import {
  readVisiblePage,
  runAsVisitor,
  sendDocument,
  VISITOR_RATE_LIMIT,
  type VisiblePage,
} from '../public-page/public-page.ts'
import { findBookingOfToken } from './booking-links.ts'
import type { BookingOptions } from './booking-routes.ts'
import { lockBooking } from './bookings.ts'
import {
  cancelByVisitor,
  findChoices,
  listNewDates,
  moveByVisitor,
  type MoveResult,
} from './change-by-visitor.ts'
import { type LinkPage, renderInvalidLink, renderLinkPage } from './link-pages.ts'
import { tellVisitor } from './tell-visitor.ts'

type LinkRequest = FastifyRequest<{
  Params: { token: string }
  Querystring: Record<string, unknown>
}>

type Subject = { dojoId: string; bookingId: string; visiblePage: VisiblePage }

/** Whose booking a link leads to. Null for an invalid link, and while the school's page is off. */
async function findSubject(app: App, request: LinkRequest): Promise<Subject | null> {
  const { token } = request.params
  const dojoId = parseDojoToken(token)
  if (dojoId === null) return null
  return runAsVisitor(app, request, () =>
    app.db.inDojo(dojoId, async (tx) => {
      const bookingId = await findBookingOfToken(tx, token)
      const visiblePage = bookingId === null ? null : await readVisiblePage(tx, dojoId)
      return bookingId !== null && visiblePage ? { dojoId, bookingId, visiblePage } : null
    }),
  )
}

const sendInvalidLink = (reply: FastifyReply): FastifyReply =>
  sendDocument(reply, renderInvalidLink(), { status: 404 })

async function readLinkPage(
  tx: Tx,
  { dojoId, bookingId }: Subject,
  choosesDay: boolean,
  notice: LinkPage['notice'],
): Promise<LinkPage> {
  const { booking } = await lockBooking(tx, bookingId)
  const choices = await findChoices(tx, dojoId, booking)
  const newDates = choosesDay && choices.mayMove ? await listNewDates(tx, dojoId, booking) : null
  return { booking, choices, newDates, notice }
}

async function showLink(app: App, request: LinkRequest, reply: FastifyReply) {
  const subject = await findSubject(app, request)
  if (!subject) return sendInvalidLink(reply)
  return sendLinkPage(app, subject, reply, request.query.move === '1', null)
}

async function sendLinkPage(
  { db }: App,
  subject: Subject,
  reply: FastifyReply,
  choosesDay: boolean,
  notice: LinkPage['notice'],
): Promise<FastifyReply> {
  const page = await db.inDojo(subject.dojoId, (tx) =>
    readLinkPage(tx, subject, choosesDay, notice),
  )
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
    return sendLinkPage(app, subject, reply, false, isCanceled ? null : 'tooLate')
  }
  const target = readTarget(form)
  if (!target) return sendLinkPage(app, subject, reply, true, null)
  const result = await move(app, options, subject, target)
  if (result.kind === 'too late') return sendLinkPage(app, subject, reply, false, 'tooLate')
  if (result.kind !== 'moved') return sendLinkPage(app, subject, reply, true, 'taken')
  const movedSubject = { ...subject, bookingId: result.booking.booking.id }
  return sendLinkPage(app, movedSubject, reply, false, 'moved')
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
    const config = { rateLimit: VISITOR_RATE_LIMIT }
    const path = `${BOOKING_PATH}/:token`
    pages.get(path, { config }, (request: LinkRequest, reply) => showLink(app, request, reply))
    pages.post(path, { config }, (request: LinkRequest, reply) =>
      changeByLink(app, options, request, reply),
    )
  })
}
