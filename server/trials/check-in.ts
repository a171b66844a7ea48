import { firstName } from '@tatami/contract/lib/name-parts'
import type { TrialGreeting } from '@tatami/contract/trials/trials'
import { and, eq, inArray } from 'drizzle-orm'
import { toDataURL } from 'qrcode'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { Kiosk } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { notFound } from '../lib/refusal.ts'
import { lockBooking } from './bookings.ts'
import { createBookingPaperLink } from './papers.ts'
import { bookings } from './tables.ts'

/** Marks a visitor who shows the QR code of a trial that is today. Throws 404 for any other code. */
export async function checkInTrial(
  tx: Tx,
  { dojoId, classIds }: Kiosk,
  code: string,
  publicUrl: string,
): Promise<TrialGreeting> {
  const [match] = await tx
    .select({ id: bookings.id })
    .from(bookings)
    .where(
      and(
        eq(bookings.check_in_code, code),
        eq(bookings.class_date, await todayOf(tx, dojoId)),
        inArray(bookings.state, ['held', 'booked', 'came', 'missed']),
        classIds === null ? undefined : equalsAny(bookings.class_id, classIds),
      ),
    )
  if (!match) throw notFound('Code')
  const row = await lockBooking(tx, match.id)
  await tx
    .update(bookings)
    .set({ state: 'came', marked_by: null, marked_at: nowIso() })
    .where(eq(bookings.id, match.id))
  const papers = await createBookingPaperLink(tx, dojoId, row, publicUrl)
  return {
    first_name: firstName(row.booking.visitor_name),
    class_name: row.booking.told_class,
    class_time: row.booking.told_time,
    papers: papers && { names: papers.names, qr: await toDataURL(papers.link) },
  }
}
