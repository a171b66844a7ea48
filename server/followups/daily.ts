import { and, isNotNull, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { hourIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import { groupRows, pick, pluck } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import { queueIfAllowanceSuffices } from '../texting/batches.ts'
import { findOptOuts } from '../texting/opt-outs.ts'
import { findPhonesOfStudents } from '../texting/phones.ts'
import { closeSteps } from './change.ts'
import { readPlan } from './plans.ts'
import { findSkipReason, hasBegun, isOpenStep, type Progress, readProgress } from './progress.ts'
import { followups } from './tables.ts'

/** For the overseer: the dojos with students in their first 90 days. */
export const findDojosWithFollowups = () =>
  sql`select dojo_id from ${followups} where ${isOpenStep}`

/** Texts go out between 10 AM and this hour. */
const LAST_TEXT_HOUR = 20

/** Ends the plan of students who left or want no texts, skips the steps that are no longer needed,
 *  and sends the texts that are due. A text that today's allowance does not cover waits. */
export async function runFollowups(tx: Tx, dojoId: string, today: string): Promise<void> {
  await stopForFormerStudents(tx, today)
  if (!(await readPlan(tx)).is_on) return
  const newStudents = await readProgress(tx, today, isOpenStep)
  const optedOutIds = await findOptedOutStudents(tx, pluck(newStudents, 'student_id'))
  for (const { steps } of newStudents.filter(({ student_id }) => optedOutIds.has(student_id)))
    await closeSteps(tx, pluck(steps, 'id'), today, 'Opted out of texts')
  const reachableStudents = newStudents.filter(({ student_id }) => !optedOutIds.has(student_id))
  await skipUnneededSteps(tx, reachableStudents, today)
  const { time_zone } = await dojoById(tx, dojoId)
  if (hourIn(time_zone) < LAST_TEXT_HOUR) await sendTexts(tx, dojoId, reachableStudents, today)
}

async function stopForFormerStudents(tx: Tx, today: string): Promise<void> {
  const steps = await tx
    .select(pick(followups, 'id', 'student_id'))
    .from(followups)
    .where(isOpenStep)
  const formerStudents = await tx
    .select({ id: students.id })
    .from(students)
    .where(and(equalsAny(students.id, pluck(steps, 'student_id')), isNotNull(students.left_on)))
  const formerIds = new Set(pluck(formerStudents, 'id'))
  const stepsToStop = steps.filter(({ student_id }) => formerIds.has(student_id))
  await closeSteps(tx, pluck(stepsToStop, 'id'), today, 'Left the school')
}

/** Students who have phones, but nobody at any of them wants texts. */
async function findOptedOutStudents(tx: Tx, studentIds: string[]): Promise<Set<string>> {
  const phonesByStudent = await findPhonesOfStudents(tx, 'classes', studentIds)
  const allPhones = [...phonesByStudent.values()].flat().map(({ phone }) => phone)
  const optedOutPhones = await findOptOuts(tx, allPhones)
  return new Set(
    [...phonesByStudent]
      .filter(([, phones]) => phones.length > 0)
      .filter(([, phones]) => phones.every(({ phone }) => optedOutPhones.has(phone)))
      .map(([id]) => id),
  )
}

async function skipUnneededSteps(tx: Tx, newStudents: Progress[], today: string): Promise<void> {
  for (const progress of newStudents)
    for (const step of progress.steps.filter((openStep) => hasBegun(openStep, progress))) {
      const reason = findSkipReason(step, progress, today)
      if (reason) await closeSteps(tx, [step.id], today, reason)
    }
}

/** Students who get the same words, such as siblings who share a phone, get them in one text. */
async function sendTexts(
  tx: Tx,
  dojoId: string,
  newStudents: Progress[],
  today: string,
): Promise<void> {
  const texts = newStudents.flatMap((progress) =>
    progress.steps
      .filter((step) => step.kind === 'text' && hasBegun(step, progress))
      .filter((step) => findSkipReason(step, progress, today) === null)
      .map((step) => ({ step, student: { id: step.student_id, name: progress.student_name } })),
  )
  for (const [words, textsWithWords] of groupRows(texts, ({ step }) => step.words)) {
    const reachedIds = await queueIfAllowanceSuffices(tx, dojoId, {
      kind: 'first_days',
      text: words,
      students: pluck(textsWithWords, 'student'),
    })
    if (!reachedIds) continue
    const steps = pluck(textsWithWords, 'step')
    const sentSteps = steps.filter(({ student_id }) => reachedIds.includes(student_id))
    const unsentSteps = steps.filter(({ student_id }) => !reachedIds.includes(student_id))
    await closeSteps(tx, pluck(sentSteps, 'id'), today, null)
    await closeSteps(tx, pluck(unsentSteps, 'id'), today, 'No phone that gets texts')
  }
}
