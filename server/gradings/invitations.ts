import type { Grading } from '@tatami/contract/gradings/gradings'
import { firstNames } from '@tatami/contract/texting/message-types'
import { and, eq, isNull } from 'drizzle-orm'
import { findInstructorName } from '../accounts/instructors.ts'
import { auditAction } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { readBeltTestLabels } from '../dojos/dojos.ts'
import { composeMessagesForReaders } from '../guardians/readers.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { Refusal } from '../lib/refusal.ts'
import { notifyEach } from '../notifications/notify.ts'
import { requireVacationConfirmation } from '../texting/conversations/vacation-question.ts'
import { textStudents } from '../texting/conversations/replies.ts'
import { findLastAnswerDay } from './answers.ts'
import { chargeFees } from './fees.ts'
import { wasGivenRank } from './rank-comparison.ts'
import {
  type FullCandidate,
  type GradingRow,
  lockUnfinished,
  findCandidateRanks,
  findCandidatesById,
  readGrading,
  updateState,
} from './read-grading.ts'
import { candidates } from './tables.ts'
import { formatDay, formatTime } from '../lib/format-day.ts'
import { firstRow, pluck } from '../lib/rows.ts'

type SentTexts = Awaited<ReturnType<typeof textStudents>>
type InvitationForm = {
  student_ids: string[]
  text: string | null
  even_on_vacation?: boolean | null | undefined
}

/** Invites all students or none. A candidate who is invited again gets a reminder and no second
 *  fee. Throws 404 for a student who is not a candidate, 409 if the belt test is finished or a
 *  student already has the rank, 429 if the texts exceed today's allowance. */
export async function inviteCandidates(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  { student_ids, text, even_on_vacation }: InvitationForm,
): Promise<{ grading: Grading; texts: SentTexts | null }> {
  const grading = await lockUnfinished(tx, id)
  const invitedCandidates = await findCandidatesById(tx, id, student_ids)
  await requireNoneHasRank(tx, grading, invitedCandidates)
  const ids = invitedCandidates.map(({ student }) => student.id)
  if (text !== null) await requireVacationConfirmation(tx, ids, even_on_vacation)
  await chargeFees(tx, caller, grading, invitedCandidates)
  await tx
    .update(candidates)
    .set({ invited_at: nowIso() })
    .where(
      and(
        eq(candidates.grading_id, id),
        equalsAny(candidates.student_id, ids),
        isNull(candidates.invited_at),
      ),
    )
  await updateState(tx, id)
  await notifyCandidates(tx, caller, grading, invitedCandidates)
  const texts = text === null ? null : await sendTexts(tx, caller, ids, text)
  await auditAction(tx, caller, 'students invited to a grading', {
    details: { grading: grading.name, students: ids.length },
  })
  return { grading: await readGrading(tx, id), texts }
}

async function requireNoneHasRank(
  tx: Tx,
  grading: GradingRow,
  invitedCandidates: readonly FullCandidate[],
): Promise<void> {
  const currentRanks = await findCandidateRanks(tx, grading, invitedCandidates)
  const holders = invitedCandidates.filter(({ student, rank }) =>
    wasGivenRank(currentRanks.get(student.id), rank),
  )
  if (holders.length === 0) return
  const names = firstNames(holders.map(({ student }) => student.name))
  const verb = holders.length === 1 ? 'has' : 'have'
  throw new Refusal(409, `${names} already ${verb} this belt. No one was invited.`)
}

async function notifyCandidates(
  tx: Tx,
  caller: DojoCaller,
  grading: GradingRow,
  invitedCandidates: readonly FullCandidate[],
): Promise<void> {
  const { held_on, held_at, place } = grading
  const { singular } = await readBeltTestLabels(tx)
  const time = held_at ? ` at ${formatTime(held_at)}` : ''
  const placeText = place ? `, ${place}` : ''
  const template =
    `{name}: invited to the ${singular} on ${formatDay(held_on)}${time}${placeText}. ` +
    `Please answer by ${formatDay(findLastAnswerDay(grading))}.`
  const invitedStudents = pluck(invitedCandidates, 'student')
  const messages = await composeMessagesForReaders(tx, invitedStudents, template, { fees: false })
  const sender_name = await findInstructorName(tx, caller.id)
  const subject = invitedStudents.length === 1 ? { student_id: firstRow(invitedStudents).id } : {}
  await notifyEach(
    tx,
    caller.dojoId,
    { title: grading.name, sender_name, template, ...subject },
    messages,
  )
}

/** Returns null if none of the students has a phone for texts. They are invited anyway. */
async function sendTexts(
  tx: Tx,
  caller: DojoCaller,
  ids: string[],
  text: string,
): Promise<SentTexts | null> {
  try {
    return await textStudents(tx, caller, ids, { text, even_on_vacation: true })
  } catch (error) {
    if (error instanceof Refusal && error.status === 409) return null
    throw error
  }
}
