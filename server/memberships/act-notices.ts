/** Payers and members are told what an act changed, by bell and by mail. */

import { formatShortMoney } from '@tatami/contract/lib/money'
import type { ActPreview } from '@tatami/contract/memberships/act-preview'
import type { MembershipActReply } from '@tatami/contract/memberships/memberships'
import {
  changedPlanNotice,
  endNotice,
  keptPlanNotice,
  ownPriceNotice,
  undoneChangeNotice,
} from '@tatami/contract/plans/notices'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { App, DojoCaller } from '../http/serve.ts'
import type { Email, Mailer } from '../lib/mail.ts'
import { firstRow } from '../lib/rows.ts'
import { notifyStaff } from '../notifications/notify.ts'
import type { StudentSubscription } from '../plans/plans.ts'
import { students } from '../students/tables.ts'
import { findSubscriptionsOf } from '../dues/plans/corrections.ts'
import { subscriptionById } from './end.ts'
import { type StudentNotice, tellPlanReaders } from './tell.ts'

type ActInput<Reply> = {
  caller: DojoCaller
  idempotently?: (tx: Tx, work: () => Promise<Reply>) => Promise<Reply>
}
type Act<Input, Reply> = (input: Input & { tx: Tx }) => Promise<TellingReply<Reply>>
type TellingReply<Reply> = {
  reply: Reply
  notices: StudentNotice[]
  /** More mails about the act. */
  emails?: Email[]
}

/** Makes a handler of an act. Mails are sent after the commit. */
export const tellingActs =
  (app: App, mail: Mailer) =>
  <Reply, Input extends ActInput<Reply>>(act: Act<Input, Reply>) => ({
    withoutTransaction: async (input: Input): Promise<Reply> => {
      const { dojoId } = input.caller
      const runOnce = input.idempotently ?? ((_: Tx, work: () => Promise<Reply>) => work())
      let emails: Email[] = []
      const actReply = await app.db.inDojo(dojoId, (tx) =>
        runOnce(tx, async () => {
          const { reply, notices, emails: moreEmails = [] } = await act({ ...input, tx })
          emails = [...(await tellPlanReaders(tx, dojoId, notices)), ...moreEmails]
          return reply
        }),
      )
      for (const email of emails) mail.send(email)
      return actReply
    },
  })

async function studentName(tx: Tx, id: string): Promise<string> {
  const rows = await tx.select({ name: students.name }).from(students).where(eq(students.id, id))
  return firstRow(rows).name
}

type EndReply = ActPreview & { subscription_id: string }

/** Ends a plan with `end`, and says who is told about it. The plan that ends may be another one
 *  than `id`, because before the day of a change the running plan ends. Asking again for the same
 *  end changes nothing, so nobody is told twice. */
export async function endAndTell<Reply extends EndReply>(
  tx: Tx,
  dojoId: string,
  id: string,
  end: () => Promise<Reply>,
): Promise<TellingReply<Reply>> {
  const { student_id } = await subscriptionById(tx, id)
  const plansBefore = await findSubscriptionsOf(tx, student_id)
  const reply = await end()
  const { plan_name, cancelled_at } = await subscriptionById(tx, reply.subscription_id)
  const planBefore = plansBefore.find((plan) => plan.id === reply.subscription_id)
  if (cancelled_at === planBefore?.cancelled_at) return { reply, notices: [] }
  const name = await studentName(tx, student_id)
  const today = await todayOf(tx, dojoId)
  const { sentences, last_day: lastDay } = reply
  const notice = endNotice({ name, plan_name, sentences, lastDay }, today)
  return { reply, notices: [{ student_id, ...notice }] }
}

/** Tells the staff what members do with their plans themselves. */
export async function tellStaff(
  tx: Tx,
  dojoId: string,
  notices: readonly StudentNotice[],
): Promise<void> {
  for (const { student_id, title, message, messageWithoutSums } of notices)
    await notifyStaff(tx, dojoId, 'students.edit', {
      ...{ title, message: messageWithoutSums ?? message, student_id },
    })
}

export async function noticesOfKeeping(
  tx: Tx,
  subscriptionBefore: StudentSubscription,
): Promise<StudentNotice[]> {
  if (subscriptionBefore.cancelled_at === null) return []
  const { student_id, plan_name } = subscriptionBefore
  const notice = keptPlanNotice({ name: await studentName(tx, student_id), plan_name })
  return [{ student_id, ...notice, messageWithoutSums: notice.message }]
}

export async function noticesOfChange(
  tx: Tx,
  dojoId: string,
  { subscription_id, sentences }: MembershipActReply,
): Promise<StudentNotice[]> {
  const { student_id, plan_name, starts_on: firstDay } = await subscriptionById(tx, subscription_id)
  const name = await studentName(tx, student_id)
  const today = await todayOf(tx, dojoId)
  return [{ student_id, ...changedPlanNotice({ name, plan_name, firstDay, sentences }, today) }]
}

/** Only a change was told when it was made. A start that is undone is not told either. */
export async function noticesOfUndo(
  tx: Tx,
  { id, student_id, plan_name: undone_plan_name }: StudentSubscription,
  { subscription_id }: MembershipActReply,
): Promise<StudentNotice[]> {
  if (subscription_id === id) return []
  const { plan_name } = await subscriptionById(tx, subscription_id)
  const name = await studentName(tx, student_id)
  const notice = undoneChangeNotice({ name, plan_name, undone_plan_name })
  return [{ student_id, ...notice, messageWithoutSums: notice.message }]
}

type OwnPriceChange = {
  plan_name: string
  effectiveOn: string
  /** In dollars, for a month. */
  oldPrice: number
  newPrice: number
}

/** Staff have raised the price of one member. */
export async function noticeOfOwnPrice(
  tx: Tx,
  student_id: string,
  { plan_name, effectiveOn, oldPrice, newPrice }: OwnPriceChange,
): Promise<StudentNotice> {
  const name = await studentName(tx, student_id)
  const perMonth = (dollars: number) => `${formatShortMoney(dollars)} a month`
  const priceBefore = perMonth(oldPrice)
  const priceAfter = perMonth(newPrice)
  const notice = ownPriceNotice({ name, plan_name, effectiveOn, priceBefore, priceAfter })
  return { student_id, ...notice, messageWithoutSums: null }
}
