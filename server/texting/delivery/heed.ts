import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import { isBadNumber, OPTED_OUT, stopsEverything, wordsFor } from '../providers/error-codes.ts'
import { optOut } from '../opt-outs.ts'
import { badPhones } from '../tables.ts'
import { tellStopped } from './tell.ts'

type About = { dojo_id: string; phone: string; student_id: string }

/** What an error code tells beyond its own text: about the phone, or about everything that we send. */
export async function heed(tx: Tx, { dojo_id, phone, student_id }: About, code: number | null): Promise<void> {
  if (code === OPTED_OUT) await optOut(tx, phone)
  if (isBadNumber(code)) await tx.insert(badPhones).values({ student_id, phone, error_code: code! }).onConflictDoNothing()
  if (stopsEverything(code)) await tellStopped(tx, dojo_id, wordsFor(code))
}

/** A text arrived: whatever an error code said of the phone before is refuted. */
export const clearBadPhone = (tx: Tx, { phone, student_id }: About) =>
  tx.delete(badPhones).where(and(eq(badPhones.student_id, student_id), eq(badPhones.phone, phone)))
