import { DAY_MS, utcDay } from '@tatami/contract/lib/calendar-day'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { insideDojo, type Tx } from '../../db/database.ts'
import { claimJobRun } from '../../dojos/job-runs.ts'
import { now, nowIso } from '../../lib/clock.ts'
import { notifyStaff } from '../../notifications/notify.ts'
import { chargeAllowance, refundAllowance } from '../allowance.ts'
import {
  type DeliveryStatus,
  describeErrorCode,
  isInvalidNumber,
  OPTED_OUT,
  type ProviderStatus,
  isServiceUnavailable,
} from '../providers/provider.ts'
import { firstRow } from '../../lib/rows.ts'
import { optOut } from '../opt-outs.ts'
import { accountStateAfterFailure, recordAccountWorks, setAccountState } from '../own-account.ts'
import { undeliverablePhones, messages, providerMessages } from '../tables.ts'
import type { ClaimedText } from './queue.ts'
import { transition } from './states.ts'

const RETRY_FOR_MS = DAY_MS
const FIRST_STATUS_POLL_SECONDS = 2
const STATUS_POLL_WITH_CALLBACKS_SECONDS = 600

const secondsFromNow = (seconds: number) =>
  sql`clock_timestamp() + ${seconds} * interval '1 second'`
const whereStillClaimed = ({ id, claim }: ClaimedText) =>
  and(eq(messages.id, id), eq(messages.claim, claim))

/** Stores the provider's id of an accepted text. Returns false if another text has that id. */
export async function recordAccepted(
  tx: Tx,
  { id, dojo_id, account_sid }: Pick<ClaimedText, 'id' | 'dojo_id' | 'account_sid'>,
  status: ProviderStatus,
  hasCallbacks: boolean,
): Promise<boolean> {
  const [providerMessage] = await tx
    .insert(providerMessages)
    .values({ id: status.id, dojo_id, message_id: id })
    .onConflictDoUpdate({
      target: providerMessages.id,
      set: { dojo_id, message_id: id },
      // If another dojo's own account already reported on this id, the row has that dojo's id.
      setWhere: and(
        isNull(providerMessages.message_id),
        or(isNull(providerMessages.dojo_id), eq(providerMessages.dojo_id, dojo_id)),
      ),
    })
    .returning()
  if (!providerMessage) {
    const [acceptedText] = await tx
      .select({ id: messages.id })
      .from(messages)
      .where(and(eq(messages.id, id), eq(messages.provider_id, status.id)))
    return acceptedText !== undefined
  }
  await transition(tx, 'accept', eq(messages.id, id), {
    provider_id: status.id,
    reason: null,
    claim: null,
    sent_at: nowIso(),
    updated_at: nowIso(),
    due_at: secondsFromNow(
      hasCallbacks ? STATUS_POLL_WITH_CALLBACKS_SECONDS : FIRST_STATUS_POLL_SECONDS,
    ),
  })
  await recordAccountWorks(tx, account_sid, 'acceptance')
  // A callback may have arrived before this text had its provider id.
  for (const report of [status, toReport(providerMessage)])
    if (report.status)
      await applyStatus(tx, dojo_id, id, { ...report, id: status.id, status: report.status })
  return true
}

/** Refunds a text that was not sent and never will be. */
export async function recordRejected(
  tx: Tx,
  text: ClaimedText,
  code: number | null,
  reason = describeErrorCode(code),
): Promise<void> {
  const changes = { reason, error_code: code, claim: null, due_at: null, updated_at: nowIso() }
  const [rejectedText] = await transition(tx, 'reject', whereStillClaimed(text), changes)
  if (!rejectedText) return
  await refundAllowance(tx, text.allowance_day, reason)
  await applyErrorCode(tx, text, code)
}

/** Queues the text again for later, unless it has been retried for a day. */
export async function releaseForRetry(tx: Tx, text: ClaimedText, seconds: number): Promise<void> {
  if (now().getTime() - Date.parse(text.updated_at) > RETRY_FOR_MS)
    return recordRejected(tx, text, null, 'The text service could not be reached for a day')
  await transition(tx, 'release', whereStillClaimed(text), {
    claim: null,
    due_at: secondsFromNow(seconds),
  })
}

/** The text may or may not have been sent. A worker asks the provider about it after `seconds`. */
export const scheduleLookup = (tx: Tx, text: ClaimedText, seconds: number, unansweredCalls = 0) =>
  transition(tx, 'doubt', whereStillClaimed(text), {
    claim: null,
    unanswered: unansweredCalls,
    due_at: secondsFromNow(seconds),
  })

/** The provider cannot say whether the text was sent, so it is not sent again automatically. */
export const giveUpLookup = (tx: Tx, text: ClaimedText) =>
  transition(tx, 'giveUp', whereStillClaimed(text), {
    reason: 'The text service can’t confirm that it was sent',
    claim: null,
    due_at: null,
    updated_at: nowIso(),
  })

/** Reports arrive in any order. The status that comes later in this list wins. */
export const STATUS_PRECEDENCE: readonly DeliveryStatus[] = [
  'accepted',
  'sent',
  'failed',
  'undelivered',
  'delivered',
]

type Report = { status: DeliveryStatus | null; errorCode: number | null }
const toReport = (row: { status: string | null; error_code: number | null }): Report => ({
  status: STATUS_PRECEDENCE.find((status) => status === row.status) ?? null,
  errorCode: row.error_code,
})
const precedenceOf = ({ status }: Report) =>
  status === null ? -1 : STATUS_PRECEDENCE.indexOf(status)

const supersedes = (report: Report, earlierReport: Report): boolean =>
  precedenceOf(report) === precedenceOf(earlierReport)
    ? (report.errorCode ?? 0) > (earlierReport.errorCode ?? 0)
    : precedenceOf(report) > precedenceOf(earlierReport)

/** Reports may be repeated, and may come before we know which text has the provider's id. With
 *  `accountDojoId`, that dojo's own account signed the report, so it counts only for its texts. */
export async function receiveStatus(
  tx: Tx,
  report: ProviderStatus,
  accountDojoId?: string,
): Promise<void> {
  const { id, status, errorCode } = report
  await tx.insert(providerMessages).values({ id, dojo_id: accountDojoId }).onConflictDoNothing()
  const providerMessage = firstRow(
    await tx.select().from(providerMessages).where(eq(providerMessages.id, id)).for('update'),
  )
  if (accountDojoId !== undefined && providerMessage.dojo_id !== accountDojoId) return
  if (!supersedes(report, toReport(providerMessage))) return
  await tx
    .update(providerMessages)
    .set({ status, error_code: errorCode })
    .where(eq(providerMessages.id, id))
  const { dojo_id, message_id } = providerMessage
  if (dojo_id && message_id)
    await insideDojo(tx, dojo_id, (dojoTx) => applyStatus(dojoTx, dojo_id, message_id, report))
}

async function applyStatus(tx: Tx, dojoId: string, messageId: string, report: ProviderStatus) {
  const { status, errorCode } = report
  if (status === 'accepted') return
  // A text that is being sent again no longer has this id, so late reports about it are ignored.
  const whereReported = and(eq(messages.id, messageId), eq(messages.provider_id, report.id))
  const [text] = await tx.select().from(messages).where(whereReported).for('update')
  if (!text || !supersedes(report, toReport({ ...text, status: text.state }))) return
  const hasFailed = status === 'undelivered' || status === 'failed'
  const [changedText] = await transition(tx, status, whereReported, {
    updated_at: nowIso(),
    reason: hasFailed ? describeErrorCode(errorCode) : null,
    error_code: hasFailed ? errorCode : null,
    ...(status !== 'sent' && { due_at: null, claim: null }),
  })
  if (!changedText) return
  const { phone } = text
  if (phone && hasFailed) await applyErrorCode(tx, { ...text, dojo_id: dojoId, phone }, errorCode)
  if (phone && status === 'delivered') await clearUndeliverable(tx, phone)
  if (status === 'delivered') await recordAccountWorks(tx, text.account_sid, 'delivery')
  // A text that an opt-out stopped does not count toward the allowance.
  const wasOptedOut = text.error_code === OPTED_OUT
  const isOptedOut = hasFailed && errorCode === OPTED_OUT
  if (isOptedOut && !wasOptedOut)
    await refundAllowance(tx, text.allowance_day, describeErrorCode(errorCode))
  if (wasOptedOut && !isOptedOut) await chargeAllowance(tx, text.allowance_day, 'sent after all')
}

type SentText = { dojo_id: string; id: string; phone: string; account_sid: string | null }

/** Some error codes mean that the phone opted out or cannot receive texts, or that the account
 *  cannot send texts at all. */
async function applyErrorCode(
  tx: Tx,
  { dojo_id, id, phone, account_sid }: SentText,
  code: number | null,
) {
  if (code === OPTED_OUT) await optOut(tx, phone, { isOwnNumber: account_sid !== null })
  if (isInvalidNumber(code))
    await tx.execute(sql`
      insert into undeliverable_phones (student_id, phone, error_code, created_at)
      select student_id, ${phone}, ${code}, ${nowIso()} from messages
      where (id = ${id} or sent_with = ${id}) and student_id is not null on conflict do nothing`)
  if (!isServiceUnavailable(code)) return
  const message = describeErrorCode(code)
  const state = accountStateAfterFailure({ code, status: null })
  if (account_sid !== null && state !== null) await setAccountState(tx, account_sid, state, message)
  await notifyTextingStopped(tx, dojo_id, message)
}

/** A delivery proves that the phone can get texts. */
const clearUndeliverable = (tx: Tx, phone: string) =>
  tx.delete(undeliverablePhones).where(eq(undeliverablePhones.phone, phone))

/** Notifies the instructors at most once a day. */
export async function notifyTextingStopped(tx: Tx, dojoId: string, message: string): Promise<void> {
  if (await claimJobRun(tx, 'texting-stopped-notice', utcDay(now())))
    await notifyStaff(tx, dojoId, 'texts.send', { title: 'Texts are not going out', message })
}
