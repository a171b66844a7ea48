import { and, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { equalsAny } from '../db/bulk.ts'
import { phoneOptOuts } from './tables.ts'

/** Those of the phones whose people asked for no more texts, whichever dojo they belong to. */
export async function optedOutAmong(tx: Tx, phones: string[]): Promise<Set<string>> {
  const rows = await tx.select({ phone: phoneOptOuts.phone }).from(phoneOptOuts).where(equalsAny(phoneOptOuts.phone, phones))
  return new Set(rows.map(({ phone }) => phone))
}

/** `simulated` for a STOP or START that is only tried: it neither makes nor ends a real one. */
export type StopOptions = { simulated?: boolean }

/** Whether that was news. A real STOP takes the place of one that was tried. */
export async function optOut(tx: Tx, phone: string, { simulated = false }: StopOptions = {}): Promise<boolean> {
  const insert = tx.insert(phoneOptOuts).values({ phone, simulated })
  const kept = simulated
    ? insert.onConflictDoNothing()
    : insert.onConflictDoUpdate({ target: phoneOptOuts.phone, set: { simulated }, setWhere: eq(phoneOptOuts.simulated, true) })
  return (await kept.returning({ phone: phoneOptOuts.phone })).length > 0
}

/** Whether the phone had been opted out. */
export async function optIn(tx: Tx, phone: string, { simulated = false }: StopOptions = {}): Promise<boolean> {
  const isEnded = and(eq(phoneOptOuts.phone, phone), simulated ? eq(phoneOptOuts.simulated, true) : undefined)
  return (await tx.delete(phoneOptOuts).where(isEnded).returning({ phone: phoneOptOuts.phone })).length > 0
}
