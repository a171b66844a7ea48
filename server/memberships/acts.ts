import type { ActPreview } from '@tatami/contract/memberships/act-preview'
import type {
  MembershipActReply,
  NewSubscription,
  SubscriptionChange,
  SubscriptionEnd,
} from '@tatami/contract/memberships/memberships'
import { toDollars } from '@tatami/contract/lib/money'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { changeSubscription } from './change.ts'
import { describeEnd, describeStart, readRefundOffer } from './describe-acts.ts'
import { endSubscription, subscriptionById } from './end.ts'
import { withFamilySums } from './family-sums.ts'
import { keepSubscription } from './keep.ts'
import { requireQuoted } from './quotes.ts'
import { undoSubscription } from './undo.ts'
import { hasRight, type StaffCaller, startSubscription } from './start.ts'

/** Does something, looks at the result, and takes everything back. */
export async function previewOf<T>(tx: Tx, act: () => Promise<T>): Promise<T> {
  await tx.execute(sql`savepoint preview`)
  try {
    return await act()
  } finally {
    await tx.execute(sql`rollback to savepoint preview`)
  }
}

export async function startFor(
  tx: Tx,
  caller: StaffCaller,
  studentId: string,
  form: NewSubscription,
): Promise<MembershipActReply> {
  return withFamilySums(tx, caller.dojoId, studentId, async () => {
    const { subscriptionId, actId } = await startSubscription(tx, caller, studentId, form)
    const preview = await describeStart(tx, caller.dojoId, subscriptionId, actId)
    requireQuoted(form.quoted, preview.charges)
    return { ...preview, subscription_id: subscriptionId, act_id: actId, refundable: 0 }
  })
}

export async function changeFor(
  tx: Tx,
  caller: StaffCaller,
  id: string,
  form: SubscriptionChange,
): Promise<MembershipActReply> {
  return withFamilySumsOf(tx, caller.dojoId, id, async () => {
    const { subscriptionId, actId } = await changeSubscription(tx, caller, id, form)
    const preview = await describeStart(tx, caller.dojoId, subscriptionId, actId)
    requireQuoted(form.quoted, preview.charges)
    return { ...preview, subscription_id: subscriptionId, act_id: actId, refundable: 0 }
  })
}

export async function undoFor(
  tx: Tx,
  caller: StaffCaller,
  id: string,
): Promise<MembershipActReply> {
  return withFamilySumsOf(tx, caller.dojoId, id, async () => {
    const { actId, shownId } = await undoSubscription(tx, { ...caller, isStaff: true }, id)
    const preview = await describeEnd(tx, caller.dojoId, shownId, actId)
    return { ...preview, subscription_id: shownId, act_id: actId, refundable: 0 }
  })
}

export async function endFor(
  tx: Tx,
  caller: StaffCaller,
  id: string,
  form: SubscriptionEnd,
): Promise<MembershipActReply> {
  const { student_id } = await subscriptionById(tx, id)
  return withFamilySums(tx, caller.dojoId, student_id, async () => {
    const { actId, endedId } = await endSubscription(tx, { ...caller, isStaff: true }, id, {
      ...form,
      ...{ cancelledBy: 'staff', maySkipFee: hasRight(caller, 'money.give_back') },
    })
    const preview = await describeEnd(tx, caller.dojoId, endedId, actId)
    requireQuoted(form.quoted, preview.charges)
    const { refundableCents } = await readRefundOffer(tx, caller.dojoId, student_id, actId)
    const refundable = toDollars(refundableCents)
    return { ...preview, subscription_id: endedId, act_id: actId, refundable }
  })
}

export async function keepFor(
  tx: Tx,
  caller: StaffCaller,
  id: string,
): Promise<MembershipActReply> {
  return withFamilySumsOf(tx, caller.dojoId, id, async () => {
    const { actId } = await keepSubscription(tx, { ...caller, isStaff: true }, id)
    const preview = await describeEnd(tx, caller.dojoId, id, actId)
    return { ...preview, subscription_id: id, act_id: actId, refundable: 0 }
  })
}

async function withFamilySumsOf<Preview extends ActPreview>(
  tx: Tx,
  dojoId: string,
  subscriptionId: string,
  act: () => Promise<Preview>,
): Promise<Preview> {
  const { student_id } = await subscriptionById(tx, subscriptionId)
  return withFamilySums(tx, dojoId, student_id, act)
}
