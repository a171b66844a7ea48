import { LIMIT_REACHED } from '@tatami/contract/message-types'
import type { DailyUsage } from '@tatami/contract/texting'
import { eq, sum } from 'drizzle-orm'
import { now } from '../lib/clock.ts'
import { claimRun } from '../dojos/job-runs.ts'
import type { Tx } from '../db/database.ts'
import { Refusal } from '../lib/refusal.ts'
import { notifyInstructors } from '../notifications/notify.ts'
import { dailyLimit } from './settings.ts'
import { allowanceDays, allowanceEntries, systemConfig } from './tables.ts'

const utcDay = (): string => now().toISOString().slice(0, 10)

const secondsUntilMidnight = () => Math.ceil((Date.parse(`${utcDay()}T24:00:00Z`) - now().getTime()) / 1000)

async function textsUsedOn(tx: Tx, day: string): Promise<number> {
  const [used] = await tx
    .select({ texts: sum(allowanceEntries.texts).mapWith(Number) })
    .from(allowanceEntries)
    .where(eq(allowanceEntries.day, day))
  return used?.texts ?? 0
}

/** Today and what remains of its allowance, locked until the transaction ends: nobody else takes from it, and the limit stays as it is. */
async function lockToday(tx: Tx): Promise<{ day: string; limit: number; remaining: number }> {
  const day = utcDay()
  await tx.insert(allowanceDays).values({ day }).onConflictDoNothing()
  await tx.select().from(allowanceDays).where(eq(allowanceDays.day, day)).for('update')
  await tx.select().from(systemConfig).for('share')
  const limit = await dailyLimit(tx)
  return { day, limit, remaining: Math.max(0, limit - (await textsUsedOn(tx, day))) }
}

async function insertLine(tx: Tx, dojoId: string, day: string, texts: number, remaining: number, reason: string) {
  if (texts > 0) await tx.insert(allowanceEntries).values({ day, texts, reason })
  if (texts === remaining && (await claimRun(tx, 'allowance-used-notice', day))) {
    await notifyInstructors(tx, dojoId, {
      title: 'Daily text limit reached',
      message: 'All of today’s texts are used. The limit resets at midnight UTC.',
    })
  }
}

/** Takes texts off today's allowance, all of them or none (429); answers the UTC day. */
export async function takeAllowance(tx: Tx, dojoId: string, texts: number, reason: string): Promise<string> {
  const { day, remaining } = await lockToday(tx)
  const retryAfterSeconds = secondsUntilMidnight()
  if (texts > 0 && remaining === 0) throw new Refusal(429, LIMIT_REACHED, { retryAfterSeconds })
  if (texts > remaining)
    throw new Refusal(429, `This message needs ${texts} texts but only ${remaining} remain today.`, { retryAfterSeconds })
  if (texts > 0) await insertLine(tx, dojoId, day, texts, remaining, reason)
  return day
}

/** Takes as many of these texts off today's allowance as there is room for. */
export async function takeAvailableAllowance(
  tx: Tx,
  dojoId: string,
  texts: number,
  reason: string,
): Promise<{ day: string; taken: number }> {
  const { day, remaining } = await lockToday(tx)
  const taken = Math.min(texts, remaining)
  if (taken > 0) await insertLine(tx, dojoId, day, taken, remaining, reason)
  return { day, taken }
}

/** A text never left: its day gets it back. */
export const refundAllowance = (tx: Tx, day: string, reason: string) => tx.insert(allowanceEntries).values({ day, texts: -1, reason })

/** A text that was refunded has left after all. */
export const chargeAllowance = (tx: Tx, day: string, reason: string) => tx.insert(allowanceEntries).values({ day, texts: 1, reason })

export async function usageToday(tx: Tx): Promise<DailyUsage> {
  const date = utcDay()
  const message_count = await textsUsedOn(tx, date),
    daily_limit = await dailyLimit(tx)
  const remaining_messages = Math.max(0, daily_limit - message_count)
  return { date, message_count, daily_limit, remaining_messages, limit_reached: remaining_messages === 0 }
}
