import { REMINDERS, type Reminder } from '@tatami/contract/message-types'
import { desc, inArray } from 'drizzle-orm'
import { jobRuns } from '../dojos/tables.ts'
import type { Tx } from '../db/database.ts'
import { messageSettings } from './tables.ts'

const RUNS_SHOWN = 12

const current = async (tx: Tx) =>
  (await tx.select().from(messageSettings))[0] ?? { welcome_message_enabled: false, reminders_enabled: true }

type Change = Partial<Pick<typeof messageSettings.$inferSelect, 'welcome_message_enabled' | 'reminders_enabled'>>
const change = (tx: Tx, set: Change) => tx.insert(messageSettings).values(set).onConflictDoUpdate({ target: messageSettings.dojo_id, set })

/** Off until somebody switches it on. */
export const welcomeEnabled = async (tx: Tx): Promise<boolean> => (await current(tx)).welcome_message_enabled
export const switchWelcome = (tx: Tx, welcome_message_enabled: boolean) => change(tx, { welcome_message_enabled })

/** On until somebody switches them off. */
export const remindersEnabled = async (tx: Tx): Promise<boolean> => (await current(tx)).reminders_enabled
export const switchReminders = (tx: Tx, reminders_enabled: boolean) => change(tx, { reminders_enabled })

/** The months that each kind of reminder has gone out for, by itself or by hand, the latest first. */
export async function reminderRuns(tx: Tx): Promise<{ reminder: Reminder; month: string }[]> {
  const rows = await tx
    .select({ reminder: jobRuns.job, month: jobRuns.day })
    .from(jobRuns)
    .where(inArray(jobRuns.job, [...REMINDERS]))
    .orderBy(desc(jobRuns.day))
    .limit(RUNS_SHOWN)
  return rows as { reminder: Reminder; month: string }[]
}
