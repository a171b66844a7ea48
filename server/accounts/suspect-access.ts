import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { and, eq, gt, inArray, min } from 'drizzle-orm'
import { auditLog } from '../audit/tables.ts'
import type { Tx } from '../db/database.ts'
import { now } from '../lib/clock.ts'
import type { Account } from './accounts.ts'

export type NewLogIns = { guardians: string[]; students: string[] }

/** Ends access gained since a moment and notifies the owner. Logins of others created since then
 *  are kept and returned. */
export type EndAccess = (
  tx: Tx,
  account: Account,
  changedAt: string,
  title: 'Account recovered' | 'Password reset',
) => Promise<NewLogIns>

const SUSPECT_DAYS = 7
const CHANGES_READ_DAYS = 30
const CHANGES = ['email changed', 'password changed', 'email and password changed']

/** Since when a stranger may have had an account whose password is reset: 7 days, or since its
 *  email or password first changed within the last 30 days. */
export async function suspectSince(tx: Tx, { id }: Account): Promise<string> {
  const [change] = await tx
    .select({ first: min(auditLog.created_at) })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.actor_id, id),
        inArray(auditLog.action, CHANGES),
        gt(auditLog.created_at, daysAgo(CHANGES_READ_DAYS)),
      ),
    )
  const weekAgo = daysAgo(SUSPECT_DAYS)
  const first = change?.first
  return first && Date.parse(first) < Date.parse(weekAgo) ? first : weekAgo
}

const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS).toISOString()
