import { eq, inArray } from 'drizzle-orm'
import type { Tx } from '../kernel/database.ts'
import { phoneOptOuts } from './tables.ts'

const AT_ONCE = 30_000

/** Those of the phones whose people asked for no more texts, whichever dojo they belong to. */
export async function optedOutAmong(tx: Tx, phones: string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (let from = 0; from < phones.length; from += AT_ONCE) {
    const rows = await tx.select({ phone: phoneOptOuts.phone }).from(phoneOptOuts).where(inArray(phoneOptOuts.phone, phones.slice(from, from + AT_ONCE)))
    for (const { phone } of rows) found.add(phone)
  }
  return found
}

/** Whether that was news. */
export async function optOut(tx: Tx, phone: string): Promise<boolean> {
  return (await tx.insert(phoneOptOuts).values({ phone }).onConflictDoNothing().returning({ phone: phoneOptOuts.phone })).length > 0
}

/** Whether the phone had been opted out. */
export async function optIn(tx: Tx, phone: string): Promise<boolean> {
  return (await tx.delete(phoneOptOuts).where(eq(phoneOptOuts.phone, phone)).returning({ phone: phoneOptOuts.phone })).length > 0
}
