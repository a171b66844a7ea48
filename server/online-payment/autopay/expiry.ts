import { addDays, lastDayOf } from '@tatami/contract/lib/calendar-day'
import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import { nowIso } from '../../lib/clock.ts'
import { formatShortDay } from '../../lib/format-day.ts'
import type { Email } from '../../lib/mail.ts'
import { tellPayer } from './payer-messages.ts'
import type { AutopayRun } from './run.ts'
import { findLiveMethod, methodName, type SavedMethodRow } from './saved-methods.ts'
import { savedMethods } from './tables.ts'

const EXPIRY_NOTICE_DAYS = 30

/** The last day on which a card can be used. Null for a bank account. */
export const expiryDay = ({ exp_month, exp_year }: SavedMethodRow): string | null =>
  exp_month === null || exp_year === null
    ? null
    : lastDayOf({ month: exp_month - 1, year: exp_year })

export function expiresSoon(method: SavedMethodRow, today: string): boolean {
  const day = expiryDay(method)
  return day !== null && day <= addDays(today, EXPIRY_NOTICE_DAYS)
}

/** Once for each card. If the bank sends Stripe the new one, nothing needs to be done. */
export async function tellAboutExpiry(
  tx: Tx,
  { dojoId, payer, today, isLive, publicUrl }: AutopayRun,
): Promise<Email[]> {
  const method = await findLiveMethod(tx, payer.id, isLive)
  if (!method || method.expiry_told_at !== null || !expiresSoon(method, today)) return []
  await tx
    .update(savedMethods)
    .set({ expiry_told_at: nowIso() })
    .where(eq(savedMethods.id, method.id))
  const { emails } = await tellPayer(tx, dojoId, payer, {
    title: 'Your card expires soon',
    message:
      `${methodName(method)} expires on ${formatShortDay(expiryDay(method) ?? today)}. Please add ` +
      'your new card on your home page.',
    mailOnly: `Log in here: ${publicUrl}/login`,
  })
  return emails
}
