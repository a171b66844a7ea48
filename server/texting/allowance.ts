import { LIMIT_REACHED } from '@tatami/contract/message-types'
import type { DailyUsage } from '@tatami/contract/texting'
import { eq, sum } from 'drizzle-orm'
import { now } from '../lib/clock.ts'
import { claimRun } from '../dojos/job-runs.ts'
import type { Tx } from '../db/database.ts'
import { Refusal } from '../lib/refusal.ts'
import { notifyInstructors } from '../notifications/notify.ts'
import { dailyLimit } from './daily-limit.ts'
import { allowanceDays, allowanceLines, systemConfig } from './tables.ts'

const utcDay = (): string => now().toISOString().slice(0, 10)

const untilMidnight = () => Math.ceil((Date.parse(`${utcDay()}T24:00:00Z`) - now().getTime()) / 1000)

async function usedOn(tx: Tx, day: string): Promise<number> {
  const [used] = await tx
    .select({ texts: sum(allowanceLines.texts).mapWith(Number) })
    .from(allowanceLines)
    .where(eq(allowanceLines.day, day))
  return used?.texts ?? 0
}

/** The day and what remains of it, held until the transaction ends: nobody else takes from it, and the limit stays as it is. */
async function holdToday(tx: Tx): Promise<{ day: string; limit: number; remaining: number }> {
  const day = utcDay()
  await tx.insert(allowanceDays).values({ day }).onConflictDoNothing()
  await tx.select().from(allowanceDays).where(eq(allowanceDays.day, day)).for('update')
  await tx.select().from(systemConfig).for('share')
  const limit = await dailyLimit(tx)
  return { day, limit, remaining: Math.max(0, limit - (await usedOn(tx, day))) }
}

async function take(tx: Tx, dojoId: string, day: string, texts: number, remaining: number, reason: string) {
  if (texts > 0) await tx.insert(allowanceLines).values({ day, texts, reason })
  if (texts === remaining && (await claimRun(tx, 'allowance-told', day))) {
    await notifyInstructors(tx, dojoId, {
      title: 'Daily text limit reached',
      message: 'All of today’s texts are used. The limit resets at midnight UTC.',
    })
  }
}

/** Takes texts off today's allowance, all of them or none (429); answers the day. */
export async function takeWhole(tx: Tx, dojoId: string, texts: number, reason: string): Promise<string> {
  const { day, remaining } = await holdToday(tx)
  const retryAfterSeconds = untilMidnight()
  if (texts > 0 && remaining === 0) throw new Refusal(429, LIMIT_REACHED, { retryAfterSeconds })
  if (texts > remaining)
    throw new Refusal(429, `This message needs ${texts} texts but only ${remaining} remain today.`, { retryAfterSeconds })
  if (texts > 0) await take(tx, dojoId, day, texts, remaining, reason)
  return day
}

/** Takes as many of these texts as there is room for today. */
export async function takeWhatFits(tx: Tx, dojoId: string, texts: number, reason: string): Promise<{ day: string; taken: number }> {
  const { day, remaining } = await holdToday(tx)
  const taken = Math.min(texts, remaining)
  if (taken > 0) await take(tx, dojoId, day, taken, remaining, reason)
  return { day, taken }
}

/** One text that never left: its day gets it back. */
export const giveBack = (tx: Tx, day: string, reason: string) => tx.insert(allowanceLines).values({ day, texts: -1, reason })

/** One text that was given back, and left after all. */
export const takeBack = (tx: Tx, day: string, reason: string) => tx.insert(allowanceLines).values({ day, texts: 1, reason })

export async function usageToday(tx: Tx): Promise<DailyUsage> {
  const date = utcDay()
  const message_count = await usedOn(tx, date),
    daily_limit = await dailyLimit(tx)
  const remaining_messages = Math.max(0, daily_limit - message_count)
  return { date, message_count, daily_limit, remaining_messages, limit_reached: remaining_messages === 0 }
}
