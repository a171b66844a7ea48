import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { and, eq, gt, inArray, min } from 'drizzle-orm'
import { auditLog } from '../audit/tables.ts'
import type { Tx } from '../db/database.ts'
import { now } from '../lib/clock.ts'
import type { Account } from './accounts.ts'

export type NewLogins = { guardians: string[]; students: string[] }

/** Ends all access that was added since `changedAt`, and notifies the account's owner. Returns the
 *  logins that the account created for other people since then. */
export type EndAccess = (
  tx: Tx,
  account: Account,
  changedAt: string,
  title: 'Account recovered' | 'Password reset',
) => Promise<NewLogins>

const SUSPECT_DAYS = 7
const MAX_SUSPECT_DAYS = 30
const SUSPECT_CHANGES = ['email changed', 'password changed', 'email and password changed']

/** Returns the time after which new access is suspect: a week ago, or the first change of email or
 *  password in the last 30 days, whichever is earlier. */
export async function findSuspectDate(tx: Tx, { id }: Account): Promise<string> {
  const [change] = await tx
    .select({ firstChangeAt: min(auditLog.created_at) })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.actor_id, id),
        inArray(auditLog.action, SUSPECT_CHANGES),
        gt(auditLog.created_at, daysAgo(MAX_SUSPECT_DAYS)),
      ),
    )
  const weekAgo = daysAgo(SUSPECT_DAYS)
  const firstChangeAt = change?.firstChangeAt
  const isEarlier = firstChangeAt && Date.parse(firstChangeAt) < Date.parse(weekAgo)
  return isEarlier ? firstChangeAt : weekAgo
}

const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS).toISOString()
