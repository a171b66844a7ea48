/** What visitors sign before a trial. */
import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import { and, asc, eq, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import {
  addVisitor,
  createVisitorLink,
  findUnsignedPapers,
  linkVisitorToStudent,
  listVisitorDocuments,
} from '../documents/visitors.ts'
import { pick, pluck } from '../lib/rows.ts'
import type { BookingRow, BookingWithLead } from './bookings.ts'
import { bookingPapers, bookings, trialOffers } from './tables.ts'

/** Links that start with it are paths. */
export const SAME_SITE = ''

/** Somebody who booked a trial, once or several times. */
type Visitor = Pick<BookingRow, 'lead_id' | 'visitor_name'>

export const asksForPapers = async (
  tx: Tx,
  { asks_signature }: Pick<typeof trialOffers.$inferSelect, 'asks_signature'>,
): Promise<boolean> => asks_signature && (await listVisitorDocuments(tx)).length > 0

type NewPaper = {
  form_key: string
  booking_id: string
  visitor: { visitor_name: string; visitor_birthday: string | null; email: string | null }
}

/** Lets somebody who has sent a form sign for the visitor. Returns the id of the new visitor. */
export async function addPaper(
  tx: Tx,
  { form_key, booking_id, visitor }: NewPaper,
): Promise<string> {
  const document_visitor_id = await addVisitor(tx, {
    name: visitor.visitor_name,
    date_of_birth: visitor.visitor_birthday,
    email: visitor.email,
  })
  await tx.insert(bookingPapers).values({ form_key, booking_id, document_visitor_id })
  return document_visitor_id
}

type FormVisitor = { id: string; visitor_age: number }

async function findVisitorOfForm(tx: Tx, formKey: string): Promise<FormVisitor | null> {
  const [visitor] = await tx
    .select({ id: bookingPapers.document_visitor_id, visitor_age: bookings.visitor_age })
    .from(bookingPapers)
    .innerJoin(bookings, eq(bookings.id, bookingPapers.booking_id))
    .where(eq(bookingPapers.form_key, formKey))
  return visitor ?? null
}

/** A parent or guardian books for everybody under 18, and signs, too. */
const maySignForThemselves = ({ visitor_age }: Pick<BookingRow, 'visitor_age'>): boolean =>
  visitor_age >= ADULT_AGE

/** What somebody who has just sent this form can sign. Empty for an unknown form. */
export async function listPapersOfForm(tx: Tx, dojoId: string, formKey: string): Promise<string[]> {
  const visitor = await findVisitorOfForm(tx, formKey)
  if (!visitor) return []
  return (await findUnsignedPapers(tx, dojoId, [visitor.id])).get(visitor.id) ?? []
}

/** The path of a new signing link for somebody who has just sent this form. Null if nothing is to
 *  be signed. */
export async function createFormLink(
  tx: Tx,
  dojoId: string,
  formKey: string,
): Promise<string | null> {
  const visitor = await findVisitorOfForm(tx, formKey)
  if (!visitor) return null
  const papers = await createVisitorLink(tx, dojoId, {
    visitorId: visitor.id,
    maySignAlone: maySignForThemselves(visitor),
    publicUrl: SAME_SITE,
  })
  return papers?.link ?? null
}

const listVisitorIds = async (tx: Tx, { lead_id, visitor_name }: Visitor): Promise<string[]> =>
  pluck(
    await tx
      .select({ id: bookingPapers.document_visitor_id })
      .from(bookingPapers)
      .innerJoin(bookings, eq(bookings.id, bookingPapers.booking_id))
      .where(
        and(
          eq(bookings.lead_id, lead_id),
          sql`lower(${bookings.visitor_name}) = lower(${visitor_name})`,
        ),
      )
      .orderBy(asc(bookingPapers.created_at), asc(bookingPapers.form_key)),
    'id',
  )

/** A new signing link for whoever has the link of the booking. Null if nothing is to be signed. */
export async function createBookingPaperLink(
  tx: Tx,
  dojoId: string,
  { booking, lead }: BookingWithLead,
  publicUrl: string,
): Promise<{ names: string[]; link: string } | null> {
  const missingPapers = await listMissingPapers(tx, dojoId, [booking])
  if ((missingPapers.get(booking.id) ?? []).length === 0) return null
  const [firstId] = await listVisitorIds(tx, booking)
  const visitorId =
    firstId ??
    (await addPaper(tx, {
      form_key: booking.form_key,
      booking_id: booking.id,
      visitor: { ...pick(booking, 'visitor_name', 'visitor_birthday'), email: lead.email },
    }))
  return createVisitorLink(tx, dojoId, {
    visitorId,
    maySignAlone: maySignForThemselves(booking),
    publicUrl,
  })
}

/** Booking id → the documents that nobody has signed for the visitor yet. Signatures from before an
 *  earlier trial count. */
export async function listMissingPapers(
  tx: Tx,
  dojoId: string,
  rows: readonly BookingRow[],
): Promise<Map<string, string[]>> {
  const documentNames = rows.length === 0 ? [] : await listVisitorDocuments(tx)
  if (documentNames.length === 0) return new Map()
  const offers = await tx.select().from(trialOffers).where(eq(trialOffers.asks_signature, true))
  const offerIds = new Set(pluck(offers, 'id'))
  const askedRows = rows.filter(({ offer_id }) => offerIds.has(offer_id))
  const papers = await tx
    .select({
      ...pick(bookings, 'lead_id', 'visitor_name'),
      visitor_id: bookingPapers.document_visitor_id,
    })
    .from(bookingPapers)
    .innerJoin(bookings, eq(bookings.id, bookingPapers.booking_id))
    .where(equalsAny(bookings.lead_id, [...new Set(pluck(askedRows, 'lead_id'))]))
  const unsignedPapers = await findUnsignedPapers(tx, dojoId, pluck(papers, 'visitor_id'))
  const papersByVisitor = Map.groupBy(papers, visitorKey)
  return new Map(
    askedRows.map((row) => {
      const visitorIds = pluck(papersByVisitor.get(visitorKey(row)) ?? [], 'visitor_id')
      const missingNames = documentNames.filter((name) =>
        visitorIds.every((id) => unsignedPapers.get(id)?.includes(name) ?? true),
      )
      return [row.id, missingNames]
    }),
  )
}

const visitorKey = ({ lead_id, visitor_name }: Visitor): string =>
  `${lead_id} ${visitor_name.toLowerCase()}`

/** Gives a new student the signatures from before the trial. */
export async function linkPapersToStudent(
  tx: Tx,
  leadIds: readonly string[],
  visitorName: string,
  studentId: string,
): Promise<void> {
  for (const lead_id of leadIds) {
    const visitorIds = await listVisitorIds(tx, { lead_id, visitor_name: visitorName })
    for (const id of visitorIds) await linkVisitorToStudent(tx, id, studentId)
  }
}
