import type { TextingAccountState } from '@tatami/contract/texting/texting-account'
import { and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import { asOverseer, type Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { pluck } from '../lib/rows.ts'
import type { SendFailure } from './providers/provider.ts'
import { textingAccounts } from './tables.ts'

/** A dojo may send its texts through its own Twilio account instead of the server's service. */

export type OwnAccount = typeof textingAccounts.$inferSelect

export async function readOwnAccount(tx: Tx): Promise<OwnAccount | null> {
  const [account] = await tx.select().from(textingAccounts)
  return account ?? null
}

/** Returns which of the dojos have their own account. */
export async function findDojosWithOwnAccount(tx: Tx, dojoIds: string[]): Promise<Set<string>> {
  const rows = await asOverseer(tx, (overseerTx) =>
    overseerTx
      .select({ dojo_id: textingAccounts.dojo_id })
      .from(textingAccounts)
      .where(equalsAny(textingAccounts.dojo_id, dojoIds)),
  )
  return new Set(pluck(rows, 'dojo_id'))
}

/** The keys are Twilio's error codes: https://www.twilio.com/docs/api/errors */
const STATE_BY_CODE: Record<number, TextingAccountState> = {
  20003: 'wrong_credentials',
  20005: 'paused',
  30002: 'paused',
  21659: 'number_not_yours',
  21660: 'number_not_yours',
  21703: 'number_not_yours',
  30034: 'not_registered',
}

/** Null if the failure has nothing to do with the account. */
export function accountStateAfterFailure({
  code,
  status,
}: Pick<SendFailure, 'code' | 'status'>): TextingAccountState | null {
  if (code !== null && code in STATE_BY_CODE) return STATE_BY_CODE[code] ?? null
  if (status === null || status >= 500 || status === 429) return 'unchecked'
  return status === 401 || status === 403 ? 'wrong_credentials' : null
}

const hasAccountSid = (accountSid: string) => eq(textingAccounts.account_sid, accountSid)

/** Does nothing if the dojo has switched to another account in the meantime. */
export const setAccountState = (
  tx: Tx,
  accountSid: string,
  state: TextingAccountState,
  error: string | null,
) =>
  tx
    .update(textingAccounts)
    .set({ state, error })
    .where(
      and(
        hasAccountSid(accountSid),
        or(
          ne(textingAccounts.state, state),
          sql`${textingAccounts.error} is distinct from ${error}`,
        ),
      ),
    )

/** Twilio accepts texts from unregistered numbers but does not deliver them, so only a delivery
 *  proves that the number is registered. */
const STATES_DISPROVED_BY = {
  acceptance: ['unchecked', 'wrong_credentials', 'number_not_yours', 'paused'],
  delivery: ['not_registered'],
} as const satisfies Record<string, TextingAccountState[]>

/** A text that Twilio accepted or delivered proves that the account works. */
export const recordAccountWorks = async (
  tx: Tx,
  accountSid: string | null,
  proof: keyof typeof STATES_DISPROVED_BY,
): Promise<void> => {
  if (accountSid === null) return
  await tx
    .update(textingAccounts)
    .set({ state: 'ready', error: null })
    .where(
      and(
        hasAccountSid(accountSid),
        inArray(textingAccounts.state, [...STATES_DISPROVED_BY[proof]]),
      ),
    )
}

type AccountCheck = { is_trial: boolean; reply_url: string | null }

/** Returns the new state. A check cannot tell whether an unregistered number is registered now. */
export async function recordAccountCheck(
  tx: Tx,
  accountSid: string,
  { is_trial, reply_url }: AccountCheck,
): Promise<Pick<OwnAccount, 'state' | 'error'>> {
  const isNotRegistered = sql`${textingAccounts.state} = 'not_registered'`
  const [account] = await tx
    .update(textingAccounts)
    .set({
      is_trial,
      reply_url,
      checked_at: nowIso(),
      state: sql`case when ${isNotRegistered} then 'not_registered' else 'ready' end`,
      error: sql`case when ${isNotRegistered} then ${textingAccounts.error} end`,
    })
    .where(hasAccountSid(accountSid))
    .returning({ state: textingAccounts.state, error: textingAccounts.error })
  return account ?? { state: 'ready', error: null }
}
