import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { and, eq, gt, inArray, min } from 'drizzle-orm'
import { auditLog } from '../audit/tables.ts'
import type { Tx } from '../db/database.ts'
import { now } from '../lib/clock.ts'
import type { Account } from './accounts.ts'

export type NewLogins = { guardians: string[]; students: string[] }

/** Ends access gained since a change, and notifies the owner. Returns other people's new logins. */
export type EndAccess = (
  tx: Tx,
  account: Account,
  changedAt: string,
  title: 'Account recovered' | 'Password reset',
) => Promise<NewLogins>

const SUSPECT_DAYS = 7
const MAX_SUSPECT_DAYS = 30
const SUSPECT_CHANGES = ['email changed', 'password changed', 'email and password changed']

/** Access is suspect if it began in the last week, or since an email or password change in the last
 *  30 days. */
export async function findSuspectDate(tx: Tx, { id }: Account): Promise<string> {
  const [change] = await tx
    .select({ first: min(auditLog.created_at) })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.actor_id, id),
        inArray(auditLog.action, SUSPECT_CHANGES),
        gt(auditLog.created_at, daysAgo(MAX_SUSPECT_DAYS)),
      ),
    )
  const weekAgo = daysAgo(SUSPECT_DAYS)
  const firstChange = change?.first
  const isEarlier = firstChange && Date.parse(firstChange) < Date.parse(weekAgo)
  return isEarlier ? firstChange : weekAgo
}

const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS).toISOString()
