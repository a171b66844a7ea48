import { and, eq } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { sha256 } from '../lib/secrets.ts'
import { findWithdrawnPhones } from './consents.ts'
import { phoneOptOuts, undeliverablePhones } from './tables.ts'

/** Student and phone, separated by a space, for each number that cannot get texts. */
export async function listUndeliverableKeys(tx: Tx): Promise<Set<string>> {
  const rows = await tx
    .select({ id: undeliverablePhones.student_id, phone: undeliverablePhones.phone })
    .from(undeliverablePhones)
  return new Set(rows.map(({ id, phone }) => `${id} ${phone}`))
}

export type OptOutReason = 'replied_stop' | 'withdrawn'

/** A STOP counts in every dojo, because all dojos send from the same number. A withdrawal that an
 *  instructor recorded counts only in their dojo. */
export async function findOptOuts(tx: Tx, phones: string[]): Promise<Map<string, OptOutReason>> {
  const stopRows = await tx
    .select({ phone: phoneOptOuts.phone })
    .from(phoneOptOuts)
    .where(equalsAny(phoneOptOuts.phone, phones.flatMap(phoneAndHash)))
  const withdrawnPhones = await findWithdrawnPhones(tx, phones)
  const stoppedPhones = new Set(stopRows.map(({ phone }) => phone))
  const isStopped = (phone: string) =>
    phoneAndHash(phone).some((storedPhone) => stoppedPhones.has(storedPhone))
  return new Map([
    ...[...withdrawnPhones].map((phone) => [phone, 'withdrawn'] as const),
    ...phones.filter(isStopped).map((phone) => [phone, 'replied_stop'] as const),
  ])
}

/** The two forms in which a phone may be stored. It is hashed once no one has it anymore. */
export const phoneAndHash = (phone: string): string[] => [phone, sha256(phone)]

/** Keeps only a hash of the phone. The opt-out applies again if a dojo adds the phone. */
export async function hashOptOut(tx: Tx, phone: string): Promise<void> {
  const [optOutRow] = await tx.delete(phoneOptOuts).where(eq(phoneOptOuts.phone, phone)).returning()
  if (optOutRow)
    await tx
      .insert(phoneOptOuts)
      .values({ ...optOutRow, phone: sha256(phone) })
      .onConflictDoNothing()
}

/** An opt-out that was tried in the simulator never replaces or ends a real one. */
export type OptOutOptions = { simulated?: boolean }

/** Returns false if the phone was already opted out. */
export async function optOut(
  tx: Tx,
  phone: string,
  { simulated = false }: OptOutOptions = {},
): Promise<boolean> {
  const insert = tx.insert(phoneOptOuts).values({ phone, simulated })
  const insertion = simulated
    ? insert.onConflictDoNothing()
    : insert.onConflictDoUpdate({
        target: phoneOptOuts.phone,
        set: { simulated },
        setWhere: eq(phoneOptOuts.simulated, true),
      })
  return (await insertion.returning({ phone: phoneOptOuts.phone })).length > 0
}

/** Returns false if the phone was not opted out. */
export async function optIn(
  tx: Tx,
  phone: string,
  { simulated = false }: OptOutOptions = {},
): Promise<boolean> {
  const condition = and(
    equalsAny(phoneOptOuts.phone, phoneAndHash(phone)),
    simulated ? eq(phoneOptOuts.simulated, true) : undefined,
  )
  return (
    (await tx.delete(phoneOptOuts).where(condition).returning({ phone: phoneOptOuts.phone }))
      .length > 0
  )
}

export const deleteSimulatedOptOuts = (tx: Tx) =>
  tx.delete(phoneOptOuts).where(eq(phoneOptOuts.simulated, true))
