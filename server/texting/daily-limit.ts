import { DAILY_LIMIT_DEFAULT } from '@tatami/contract/texting'
import { audit } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import type { Caller } from '../http/serve.ts'
import { systemConfig } from './tables.ts'

/** Texts a dojo may send a day; the same for all, and a change holds at once. */
export async function dailyLimit(tx: Tx): Promise<number> {
  const [config] = await tx.select().from(systemConfig)
  return config?.daily_message_limit ?? DAILY_LIMIT_DEFAULT
}

export async function setDailyLimit(tx: Tx, caller: Caller, daily_message_limit: number): Promise<void> {
  await tx
    .insert(systemConfig)
    .values({ daily_message_limit })
    .onConflictDoUpdate({ target: systemConfig.only, set: { daily_message_limit } })
  await audit(tx, { actor_id: caller.id, action: 'daily limit set', details: { daily_message_limit } })
}
