import { addDays } from '@tatami/contract/lib/calendar-day'
import { RETRY_DAYS } from '@tatami/contract/online-payment/autopay-words'
import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import { todayOf } from '../../dojos/dojos.ts'
import { notifyStaff } from '../../notifications/notify.ts'
import type { OnlinePaymentRow } from '../open-checkout.ts'
import type { Decline } from '../provider.ts'
import type { DebitFault } from './ask-debit.ts'
import { maxTries, stepAfterDecline } from './decline-rules.ts'
import type { Debit } from './run.ts'
import { type SavedMethodRow, stopMethod } from './saved-methods.ts'
import { autopayDebits, savedMethods } from './tables.ts'

export type TryResult =
  | { kind: 'paid' }
  | { kind: 'declined'; decline: Decline | null }
  | { kind: 'not_taken'; fault: DebitFault }

/** Decides what follows from a try: nothing, a text, another try, or the end. */
export async function recordTry(
  tx: Tx,
  dojoId: string,
  { debit_id, saved_method_id }: OnlinePaymentRow,
  result: TryResult,
): Promise<void> {
  const [debit] = await tx
    .select()
    .from(autopayDebits)
    .where(eq(autopayDebits.id, debit_id ?? ''))
    .for('no key update')
  const [method] = await tx
    .select()
    .from(savedMethods)
    .where(eq(savedMethods.id, saved_method_id ?? ''))
  if (!debit || !method) return
  if (result.kind === 'paid') await changeDebit(tx, debit, { state: 'paid', ...NOTHING_NEXT })
  else if (result.kind === 'declined')
    await recordDecline(tx, dojoId, debit, method, result.decline)
  else await recordFault(tx, dojoId, debit, method, result.fault)
}

const NOTHING_NEXT = { next_try_on: null, awaits_text: false }

const changeDebit = (tx: Tx, { id }: Debit, changes: Partial<Debit>) =>
  tx.update(autopayDebits).set(changes).where(eq(autopayDebits.id, id))

const STATES = {
  forbidden: 'needs_method',
  new_method: 'needs_method',
  confirm: 'needs_payer',
} as const

async function recordDecline(
  tx: Tx,
  dojoId: string,
  debit: Debit,
  method: SavedMethodRow,
  decline: Decline | null,
): Promise<void> {
  const step = stepAfterDecline(method.kind, decline)
  const decline_code = decline?.declineCode ?? decline?.code ?? null
  // Autopay may have been stopped while a bank debit was on its way.
  const isStopped = debit.state === 'stopped'
  if (step === 'retry') {
    const nextDay = isStopped ? null : await nextTryDay(tx, dojoId, debit, method)
    const isFirst = debit.texts === 0
    const isLast = nextDay === null
    const state = isStopped ? 'stopped' : isLast ? 'given_up' : 'open'
    await changeDebit(tx, debit, {
      ...{ state, decline_code, next_try_on: nextDay, awaits_text: isFirst || isLast },
    })
    if (isLast) await tellStaff(tx, dojoId)
    return
  }
  if (step !== 'confirm')
    await stopMethod(tx, method.id, step === 'forbidden' ? 'unauthorized' : 'must_be_replaced')
  const state = isStopped ? 'stopped' : STATES[step]
  await changeDebit(tx, debit, { state, decline_code, next_try_on: null, awaits_text: true })
  await tellStaff(tx, dojoId)
}

/** Null after the last try. A late first try moves the whole calendar. */
async function nextTryDay(
  tx: Tx,
  dojoId: string,
  { tries, first_tried_on, due_on }: Debit,
  method: SavedMethodRow,
): Promise<string | null> {
  const days = RETRY_DAYS[tries - 1]
  if (days === undefined || tries >= maxTries(method.kind, RETRY_DAYS.length)) return null
  const plannedDay = addDays(first_tried_on ?? due_on, days)
  const tomorrow = addDays(await todayOf(tx, dojoId), 1)
  return plannedDay > tomorrow ? plannedDay : tomorrow
}

const tellStaff = (tx: Tx, dojoId: string) =>
  notifyStaff(tx, dojoId, 'money.see', {
    title: 'Autopay declined',
    message: 'An autopay payment was declined. The payer got a link to pay. It is on Owing.',
  })

async function recordFault(
  tx: Tx,
  dojoId: string,
  debit: Debit,
  method: SavedMethodRow,
  fault: DebitFault,
): Promise<void> {
  if (fault === 'stopped' || debit.state === 'stopped') return
  if (fault === 'method_gone') {
    await stopMethod(tx, method.id, 'removed_at_stripe')
    await changeDebit(tx, debit, { state: 'needs_method', next_try_on: null, awaits_text: true })
    return
  }
  if (fault === 'never_began') {
    const next_try_on = addDays(await todayOf(tx, dojoId), 1)
    await changeDebit(tx, debit, { tries: debit.tries - 1, next_try_on })
    return
  }
  await changeDebit(tx, debit, { state: 'failed', ...NOTHING_NEXT })
  await notifyStaff(tx, dojoId, 'money.see', {
    title: 'Autopay did not work',
    message:
      'Stripe refused a payment because of how your account is set up. Please check School → ' +
      'Online payment. The payer was not told.',
  })
}
