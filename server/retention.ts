import { lt } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { IDLE_DAYS } from './accounts/sessions.ts'
import { accountRecoveries, passwordResets, sessions, signInAddresses } from './accounts/tables.ts'
import { timetableRuns } from './dojos/tables.ts'
import { DAY_MS, now } from './lib/clock.ts'
import type { Tx } from './db/database.ts'
import { idempotencyKeys } from './http/tables.ts'
import { providerMessages, simulatedTexts } from './texting/tables.ts'
import { pushClaims } from './notifications/tables.ts'

type Kept = { table: PgTable; since: PgColumn; days: number }

const RUNS: Kept = { table: timetableRuns, since: timetableRuns.day, days: 400 }
const ANSWERS: Kept = { table: idempotencyKeys, since: idempotencyKeys.created_at, days: 7 }

/** How long what a dojo no longer needs is kept; docs/SECURITY.md says the same. */
const OF_A_DOJO: Kept[] = [
  ANSWERS,
  { table: simulatedTexts, since: simulatedTexts.sent_at, days: 60 },
  { table: pushClaims, since: pushClaims.created_at, days: 1 },
  RUNS,
]

/** And what is of no dojo, or the office's. */
const GLOBAL: Kept[] = [
  { table: providerMessages, since: providerMessages.created_at, days: 60 },
  { table: signInAddresses, since: signInAddresses.used_at, days: 180 },
  { table: sessions, since: sessions.last_used_at, days: IDLE_DAYS },
  ANSWERS,
  { table: passwordResets, since: passwordResets.expires_at, days: 1 },
  { table: accountRecoveries, since: accountRecoveries.expires_at, days: 1 },
  RUNS,
]

async function forget(tx: Tx, kept: Kept[]) {
  for (const { table, since, days } of kept)
    await tx.delete(table).where(lt(since, new Date(now().getTime() - days * DAY_MS).toISOString()))
}

export const forgetOldOfDojo = (tx: Tx): Promise<void> => forget(tx, OF_A_DOJO)
export const forgetOldOfNobody = (tx: Tx): Promise<void> => forget(tx, GLOBAL)
