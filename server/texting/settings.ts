import { REMINDERS, type Reminder } from '@tatami/contract/texting/message-types'
import { DAILY_LIMIT_DEFAULT } from '@tatami/contract/texting/texting'
import { desc, inArray, sql } from 'drizzle-orm'
import type { AuditAction } from '@tatami/contract/audit/actions'
import { auditAction } from '../audit/audit.ts'
import { jobRuns } from '../dojos/tables.ts'
import type { Tx } from '../db/database.ts'
import type { Caller, DojoCaller } from '../http/serve.ts'
import { messageSettings, systemConfig } from './tables.ts'

const MAX_LISTED_RUNS = 12

type TextSettings = Omit<typeof messageSettings.$inferSelect, 'dojo_id'>

const DEFAULT_SETTINGS: TextSettings = {
  welcome_message_enabled: false,
  reminders_enabled: true,
  out_enabled: true,
  ok_enabled: true,
  reminders_announced_on: null,
}

export const readTextSettings = async (tx: Tx): Promise<TextSettings> =>
  (await tx.select().from(messageSettings))[0] ?? DEFAULT_SETTINGS

export const changeTextSettings = (tx: Tx, change: Partial<TextSettings>) =>
  tx
    .insert(messageSettings)
    .values(change)
    .onConflictDoUpdate({ target: messageSettings.dojo_id, set: change })

export async function changeAuditedSettings(
  tx: Tx,
  caller: DojoCaller,
  action: AuditAction,
  change: Partial<TextSettings>,
  details: Record<string, boolean>,
): Promise<void> {
  await changeTextSettings(tx, change)
  await auditAction(tx, caller, action, { details })
}

export async function listReminderRuns(tx: Tx): Promise<{ reminder: Reminder; month: string }[]> {
  return tx
    .select({ reminder: sql<Reminder>`${jobRuns.job}`, month: jobRuns.day })
    .from(jobRuns)
    .where(inArray(jobRuns.job, [...REMINDERS]))
    .orderBy(desc(jobRuns.day))
    .limit(MAX_LISTED_RUNS)
}

export async function readDailyLimit(tx: Tx): Promise<number> {
  const [config] = await tx.select().from(systemConfig)
  return config?.daily_message_limit ?? DAILY_LIMIT_DEFAULT
}

export async function setDailyLimit(tx: Tx, caller: Caller, daily_message_limit: number) {
  await tx
    .insert(systemConfig)
    .values({ daily_message_limit })
    .onConflictDoUpdate({ target: systemConfig.singleton, set: { daily_message_limit } })
  await auditAction(tx, { id: caller.id, dojoId: null }, 'daily limit set', {
    details: { daily_message_limit },
  })
}
