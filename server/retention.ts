import { DAY_MS } from '@tatami/contract/lib/calendar-day'
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
import { familyChanges, logInInvitations } from './guardians/tables.ts'
import { now } from './lib/clock.ts'
import type { Tx } from './db/database.ts'
import { idempotencyKeys } from './http/tables.ts'
import { studentImports } from './import/tables.ts'
import { kioskCheckIns } from './kiosk/tables.ts'
import { providerMessages, simulatedTexts } from './texting/tables.ts'
import { pushClaims } from './notifications/tables.ts'
import type { DatedData } from './privacy/privacy.ts'

/** `words` say what the data is on the page that tells people how long it is kept. Rows without words say nothing about a person. */
type Retention = { table: PgTable; since: PgColumn; days: number; words?: string }

const JOB_RUNS: Retention = { table: jobRuns, since: jobRuns.day, days: 400 }
const STORED_REPLIES: Retention = {
  table: idempotencyKeys,
  since: idempotencyKeys.created_at,
  days: 7,
  words:
    'Answers to recent requests, so that none is carried out twice. No passwords are among them.',
}

/** How many days the data of a dojo is kept; docs/SECURITY.md says the same. */
const DOJO_RETENTION: Retention[] = [
  STORED_REPLIES,
  {
    table: simulatedTexts,
    since: simulatedTexts.sent_at,
    days: 60,
    words: 'Test texts, which were never sent',
  },
  {
    table: logInInvitations,
    since: logInInvitations.expires_at,
    days: 7,
    words: 'Invitations to make a login, after they expire',
  },
  {
    table: familyChanges,
    since: familyChanges.created_at,
    days: 30,
    words: 'What is needed to undo changes to a family',
  },
  {
    table: studentImports,
    since: studentImports.created_at,
    days: 7,
    words: 'What is needed to undo an import of students',
  },
  {
    table: kioskCheckIns,
    since: kioskCheckIns.created_at,
    days: 30,
    words: 'Which tablet at the door recorded a check-in',
  },
  {
    table: pushClaims,
    since: pushClaims.created_at,
    days: 1,
    words: 'Which browser got a notification',
  },
  JOB_RUNS,
]

/** How many days data is kept that belongs to no dojo or to the inbox of super admins. */
const GLOBAL_RETENTION: Retention[] = [
  {
    table: providerMessages,
    since: providerMessages.created_at,
    days: 60,
    words: 'Delivery reports for text messages',
  },
  {
    table: signInAddresses,
    since: signInAddresses.used_at,
    days: 180,
    words: 'Internet addresses you have signed in from, since the last time',
  },
  {
    table: sessions,
    since: sessions.last_used_at,
    days: IDLE_DAYS,
    words: 'Where you are signed in, with device and internet address, since you last used it',
  },
  {
    table: endedSessions,
    since: endedSessions.ended_at,
    days: IDLE_DAYS,
    words: 'Sessions that were ended from elsewhere',
  },
  {
    table: passkeyChallenges,
    since: passkeyChallenges.expires_at,
    days: 1,
    words: 'Unfinished passkey sign-ins',
  },
  STORED_REPLIES,
  {
    table: passwordResets,
    since: passwordResets.expires_at,
    days: 1,
    words: 'Password reset links, after they expire',
  },
  {
    table: accountRecoveries,
    since: accountRecoveries.expires_at,
    days: 1,
    words: 'Links to take an account back, after they expire',
  },
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

/** What is deleted after some days, the longest first. */
export const datedData: DatedData[] = [...new Set([...DOJO_RETENTION, ...GLOBAL_RETENTION])]
  .flatMap(({ words, days }) => (words ? [{ words, days }] : []))
  .toSorted((a, b) => b.days - a.days)
