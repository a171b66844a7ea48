import { type BatchKind, isFeeMessage, REMINDERS, SKIP_REASON_LABELS } from '@tatami/contract/message-types'
import { dojoById, currentMonthOf } from '../dojos/dojos.ts'
import type { Tx } from '../db/database.ts'
import { holdForAgain, keepBack, queueAgain } from './again.ts'
import { monthOfReminder, weighedFor } from './reminders.ts'
import { type Weighed, weighStudents } from './recipients.ts'

/**
 * Once more for what failed or is uncertain: all of it, or the messages named; off today's allowance, all or none. The students are
 * weighed as they are by now: it goes to the phone they have today, and not to those who should get nothing of the kind any more.
 * Answers how many go.
 */
export async function sendAgain(tx: Tx, dojoId: string, batchId: string, ids: string[] | null | undefined): Promise<number> {
  const { batch, texts } = await holdForAgain(tx, batchId, ids)
  const weighed = new Map((await weighedAs(tx, dojoId, batch)).map((student) => [student.id, student]))
  const going: { id: string; phone: string }[] = [],
    staying: { id: string; words: string }[] = []
  for (const { id, student_id } of texts) {
    const { phone, reason } = weighed.get(student_id)!
    if (phone === null) staying.push({ id, words: SKIP_REASON_LABELS[reason] })
    else going.push({ id, phone })
  }
  await keepBack(tx, staying)
  await queueAgain(tx, dojoId, batchId, going)
  return going.length
}

async function weighedAs(tx: Tx, dojoId: string, { kind, created_at }: { kind: BatchKind; created_at: string }): Promise<Weighed[]> {
  const reminder = REMINDERS.find((one) => one === kind)
  if (reminder) return weighedFor(tx, monthOfReminder(reminder, (await dojoById(tx, dojoId)).time_zone, new Date(created_at)))
  return weighStudents(tx, {
    classIds: null,
    month: await currentMonthOf(tx, dojoId),
    withoutTrial: isFeeMessage(kind),
    withoutPaid: false,
  })
}
