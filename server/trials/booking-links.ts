import { BOOKING_PATH } from '@tatami/contract/trials/trials'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { newDojoToken } from '../lib/dojo-tokens.ts'
import { sha256 } from '../lib/secrets.ts'
import { bookingLinks } from './tables.ts'

/** Below a booking or a form, where visitors sign. */
export const SIGN_PATH = 'sign'

/** A new link for a message. Earlier links to the booking keep working. */
export async function createBookingLink(
  tx: Tx,
  dojoId: string,
  bookingId: string,
  publicUrl: string,
): Promise<string> {
  const token = newDojoToken(dojoId)
  await tx.insert(bookingLinks).values({ token_hash: sha256(token), booking_id: bookingId })
  return `${publicUrl}${BOOKING_PATH}/${token}`
}

export async function findBookingOfToken(tx: Tx, token: string): Promise<string | null> {
  const [link] = await tx
    .select({ booking_id: bookingLinks.booking_id })
    .from(bookingLinks)
    .where(eq(bookingLinks.token_hash, sha256(token)))
  return link?.booking_id ?? null
}
