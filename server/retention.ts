import { lt, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { IDLE_DAYS } from './accounts/sessions.ts'
import {
  accountRecoveries,
  endedSessions,
  passkeyChallenges,
  passwordResets,
  sessions,
  signInAddresses,
} from './accounts/tables.ts'
import { ATTEMPTS_KEPT_DAYS } from './backups/attempts.ts'
import { backups } from './backups/tables.ts'
import { jobRuns } from './dojos/tables.ts'
import { familyChanges, logInInvitations } from './families/tables.ts'
import { DAY_MS, now } from './lib/clock.ts'
import type { Tx } from './db/database.ts'
import { idempotencyKeys } from './http/tables.ts'
import { studentImports } from './import/tables.ts'
import { kioskCheckIns } from './kiosk/tables.ts'
import { providerMessages, simulatedTexts } from './texting/tables.ts'
import { pushClaims } from './notifications/tables.ts'

type Retention = { table: PgTable; since: PgColumn; days: number }

const JOB_RUNS: Retention = { table: jobRuns, since: jobRuns.day, days: 400 }
const STORED_REPLIES: Retention = {
  table: idempotencyKeys,
  since: idempotencyKeys.created_at,
  days: 7,
}

/** How many days the data of a dojo is kept; docs/SECURITY.md says the same. */
const DOJO_RETENTION: Retention[] = [
  STORED_REPLIES,
  { table: simulatedTexts, since: simulatedTexts.sent_at, days: 60 },
  { table: logInInvitations, since: logInInvitations.expires_at, days: 7 },
  { table: familyChanges, since: familyChanges.created_at, days: 30 },
  { table: studentImports, since: studentImports.created_at, days: 7 },
  { table: kioskCheckIns, since: kioskCheckIns.created_at, days: 30 },
  { table: pushClaims, since: pushClaims.created_at, days: 1 },
  JOB_RUNS,
]

/** How many days data is kept that belongs to no dojo or to the inbox of super admins. */
const GLOBAL_RETENTION: Retention[] = [
  { table: providerMessages, since: providerMessages.created_at, days: 60 },
  { table: signInAddresses, since: signInAddresses.used_at, days: 180 },
  { table: sessions, since: sessions.last_used_at, days: IDLE_DAYS },
  { table: endedSessions, since: endedSessions.ended_at, days: IDLE_DAYS },
  { table: passkeyChallenges, since: passkeyChallenges.expires_at, days: 1 },
  STORED_REPLIES,
  { table: passwordResets, since: passwordResets.expires_at, days: 1 },
  { table: accountRecoveries, since: accountRecoveries.expires_at, days: 1 },
  { table: backups, since: backups.started_at, days: ATTEMPTS_KEPT_DAYS },
  JOB_RUNS,
]

const isExpired = ({ since, days }: Retention) =>
  lt(since, new Date(now().getTime() - days * DAY_MS).toISOString())

async function deleteExpired(tx: Tx, retentions: Retention[]) {
  for (const retention of retentions) await tx.delete(retention.table).where(isExpired(retention))
}

/** A query for the overseer: the dojos that have expired data. An index of each table leads to its oldest rows. */
export const dojosWithExpired = (): SQL =>
  sql.join(
    DOJO_RETENTION.map(
      (retention) => sql`select dojo_id from ${retention.table} where ${isExpired(retention)}`,
    ),
    sql` union all `,
  )

export const deleteExpiredOfDojo = (tx: Tx): Promise<void> => deleteExpired(tx, DOJO_RETENTION)
export const deleteExpiredGlobal = (tx: Tx): Promise<void> => deleteExpired(tx, GLOBAL_RETENTION)
