import { SETUP_STEPS } from '@tatami/contract/dashboard/setup'
import { BELT_TEST_NAMES, DEFAULT_BELT_TEST_NAME } from '@tatami/contract/dojos/belt-test'
import { DEFAULT_TIME_ZONE } from '@tatami/contract/dojos/dojos'
import { eq } from 'drizzle-orm'
import { date, index, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, dojoId, id, instant, tenantKey } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'

/** Global, because a dojo must be found before a transaction can be opened in it. */
export const dojos = pgTable('dojos', {
  id: id().primaryKey(),
  name: text().notNull(),
  city: text(),
  state: text(),
  time_zone: text().notNull().default(DEFAULT_TIME_ZONE),
  belt_test_name: text({ enum: BELT_TEST_NAMES }).notNull().default(DEFAULT_BELT_TEST_NAME),
  /** "#1e3a8a", or null for Tatami's own color. */
  color: text(),
  invite_code: text().notNull().unique(),
  /** When an instructor first copied the invitation's link. */
  invitation_shared_at: instant(),
  skipped_setup_steps: text({ enum: SETUP_STEPS }).array().notNull().default([]),
  created_at: createdAt(),
})

/** Makes a job run once per dojo and day, however many servers there are. */
export const jobRuns = pgTable(
  'job_runs',
  { dojo_id: dojoId(), job: text().notNull(), day: date().notNull() },
  (t) => [
    ...tenantKey(t.dojo_id, t.job, t.day),
    index('job_runs_of_day').on(t.day, t.job, t.dojo_id),
  ],
)

export const dojoTables: TableRules[] = [
  {
    table: dojos,
    global: 'a dojo is looked up before a transaction is opened in it',
    exported: {
      name: 'dojo',
      about: 'Your dojo',
      hidden: ['invite_code'],
      where: (dojo) => eq(dojos.id, dojo),
    },
  },
  {
    table: jobRuns,
    notExported: 'which jobs of the server have run',
    kept: { since: jobRuns.day, days: 400 },
  },
]
