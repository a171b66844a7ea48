import { and, eq } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { sha256 } from '../lib/secrets.ts'
import { withdrawnAmong } from './consents.ts'
import { phoneOptOuts, undeliverablePhones } from './tables.ts'

export async function listUndeliverable(tx: Tx): Promise<Set<string>> {
  const rows = await tx
    .select({ id: undeliverablePhones.student_id, phone: undeliverablePhones.phone })
    .from(undeliverablePhones)
  return new Set(rows.map(({ id, phone }) => `${id} ${phone}`))
}

export type OptOut = 'replied_stop' | 'withdrawn'

/** A STOP counts in every dojo, a recorded withdrawal only in its own. */
export async function optedOutAmong(tx: Tx, phones: string[]): Promise<Map<string, OptOut>> {
  const stopRows = await tx
    .select({ phone: phoneOptOuts.phone })
    .from(phoneOptOuts)
    .where(equalsAny(phoneOptOuts.phone, phones.flatMap(storedOptOuts)))
  const withdrawnPhones = await withdrawnAmong(tx, phones)
  const stoppedPhones = new Set(stopRows.map(({ phone }) => phone))
  const isStopped = (phone: string) =>
    storedOptOuts(phone).some((storedPhone) => stoppedPhones.has(storedPhone))
  return new Map([
    ...[...withdrawnPhones].map((phone) => [phone, 'withdrawn'] as const),
    ...phones.filter(isStopped).map((phone) => [phone, 'replied_stop'] as const),
  ])
}

/** A phone that belonged to nobody for a time is stored as its hash. */
export const storedOptOuts = (phone: string): string[] => [phone, sha256(phone)]

/** It applies again if a dojo adds the phone. */
export async function hashOptOut(tx: Tx, phone: string): Promise<void> {
  const [optOutRow] = await tx.delete(phoneOptOuts).where(eq(phoneOptOuts.phone, phone)).returning()
  if (optOutRow)
    await tx
      .insert(phoneOptOuts)
      .values({ ...optOutRow, phone: sha256(phone) })
      .onConflictDoNothing()
}

/** A keyword tried in the simulator does not change real opt-outs. */
export type OptOutOptions = { simulated?: boolean }

/** Returns true if the phone was opted in before. */
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

/** Returns true if the phone was opted out before. */
export async function optIn(
  tx: Tx,
  phone: string,
  { simulated = false }: OptOutOptions = {},
): Promise<boolean> {
  const condition = and(
    equalsAny(phoneOptOuts.phone, storedOptOuts(phone)),
    simulated ? eq(phoneOptOuts.simulated, true) : undefined,
  )
  return (
    (await tx.delete(phoneOptOuts).where(condition).returning({ phone: phoneOptOuts.phone }))
      .length > 0
  )
}

export const deleteSimulatedOptOuts = (tx: Tx) =>
  tx.delete(phoneOptOuts).where(eq(phoneOptOuts.simulated, true))
