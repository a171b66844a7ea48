import type { ReplySettings } from '@tatami/contract/texting/conversations'
import { REMINDERS, type Reminder } from '@tatami/contract/texting/message-types'
import { DAILY_LIMIT_DEFAULT } from '@tatami/contract/texting/texting'
import { desc, inArray } from 'drizzle-orm'
import { auditAct } from '../audit/audit.ts'
import { jobRuns } from '../dojos/tables.ts'
import type { Tx } from '../db/database.ts'
import type { Caller, Member } from '../http/serve.ts'
import { messageSettings, systemConfig } from './tables.ts'

const RUNS_SHOWN = 12

const DEFAULTS = {
  welcome_message_enabled: false,
  reminders_enabled: true,
  out_enabled: true,
  ok_enabled: true,
  reminders_announced_on: null as string | null,
}
const current = async (tx: Tx) => (await tx.select().from(messageSettings))[0] ?? DEFAULTS

type Change = Partial<typeof DEFAULTS>
const update = (tx: Tx, set: Change) =>
  tx
    .insert(messageSettings)
    .values(set)
    .onConflictDoUpdate({ target: messageSettings.dojo_id, set })

export const welcomeEnabled = async (tx: Tx): Promise<boolean> =>
  (await current(tx)).welcome_message_enabled
export async function setWelcomeEnabled(
  tx: Tx,
  caller: Member,
  welcome_message_enabled: boolean,
): Promise<void> {
  await update(tx, { welcome_message_enabled })
  await auditAct(tx, caller, 'welcome texts switched', { details: { on: welcome_message_enabled } })
}

export const remindersEnabled = async (tx: Tx): Promise<boolean> =>
  (await current(tx)).reminders_enabled
export async function setRemindersEnabled(
  tx: Tx,
  caller: Member,
  reminders_enabled: boolean,
): Promise<void> {
  await update(tx, { reminders_enabled })
  await auditAct(tx, caller, 'reminders switched', { details: { on: reminders_enabled } })
}

export const remindersAnnouncedOn = async (tx: Tx): Promise<string | null> =>
  (await current(tx)).reminders_announced_on
export const setRemindersAnnounced = (tx: Tx, day: string) =>
  update(tx, { reminders_announced_on: day })

export const replySettings = async (tx: Tx): Promise<ReplySettings> => {
  const { out_enabled, ok_enabled } = await current(tx)
  return { out_enabled, ok_enabled }
}
export async function setReplySettings(
  tx: Tx,
  caller: Member,
  settings: ReplySettings,
): Promise<void> {
  await update(tx, settings)
  await auditAct(tx, caller, 'reply words switched', { details: settings })
}

export async function reminderRuns(tx: Tx): Promise<{ reminder: Reminder; month: string }[]> {
  const rows = await tx
    .select({ reminder: jobRuns.job, month: jobRuns.day })
    .from(jobRuns)
    .where(inArray(jobRuns.job, [...REMINDERS]))
    .orderBy(desc(jobRuns.day))
    .limit(RUNS_SHOWN)
  return rows as { reminder: Reminder; month: string }[]
}

export async function dailyLimit(tx: Tx): Promise<number> {
  const [config] = await tx.select().from(systemConfig)
  return config?.daily_message_limit ?? DAILY_LIMIT_DEFAULT
}

export async function setDailyLimit(
  tx: Tx,
  caller: Caller,
  daily_message_limit: number,
): Promise<void> {
  await tx
    .insert(systemConfig)
    .values({ daily_message_limit })
    .onConflictDoUpdate({ target: systemConfig.singleton, set: { daily_message_limit } })
  await auditAct(tx, { id: caller.id, dojoId: null }, 'daily limit set', {
    details: { daily_message_limit },
  })
}
