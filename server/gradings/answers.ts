import type { OwnInvitation } from '@tatami/contract/gradings/gradings'
import type { PhoneHolder } from '@tatami/contract/texting/phones'
import { firstNames } from '@tatami/contract/texting/message-types'
import { and, asc, eq, gte, inArray, isNotNull, type SQL } from 'drizzle-orm'
import { findCurrentRanks, toShownRank } from '../belts/current-ranks.ts'
import { ranks, styles } from '../belts/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { readBeltTestLabels, todayOf } from '../dojos/dojos.ts'
import { isActiveLink } from '../guardians/guardian-records.ts'
import { requireVisibleStudent, findVisibleStudents } from '../guardians/readers.ts'
import { guardianships } from '../guardians/tables.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { pick, pluck } from '../lib/rows.ts'
import { Refusal } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'
import { findHoldersNamedIn } from '../texting/conversations/named-students.ts'
import { withoutPunctuation } from '../texting/conversations/keywords.ts'
import { findCharges, readFee } from './fees.ts'
import { wasGivenRank } from './rank-comparison.ts'
import {
  requireGrading,
  gradingNotFound,
  type GradingRow,
  requireUnfinished,
} from './read-grading.ts'
import { candidates, gradings } from './tables.ts'
import { formatDay, formatShortDay } from '../lib/format-day.ts'

/** The last day on which students may answer an invitation. */
export const findLastAnswerDay = ({
  answer_until,
  held_on,
}: Pick<GradingRow, 'answer_until' | 'held_on'>): string => answer_until ?? held_on

const isOpenForAnswers = (grading: GradingRow, today: string): boolean =>
  grading.state === 'open' && today <= findLastAnswerDay(grading)

type Answer = 'yes' | 'no'

const setAnswer = (
  tx: Tx,
  gradingId: string,
  studentIds: string[],
  answer: Answer,
  answered_by: string | null,
) =>
  tx
    .update(candidates)
    .set({ answer, answered_at: nowIso(), answered_by })
    .where(and(eq(candidates.grading_id, gradingId), equalsAny(candidates.student_id, studentIds)))

/** Instructors may answer for a student until the belt test is finished, and others until the last
 *  day for answers. Throws 404 for an unknown belt test, 409 if it is too late. */
export async function answerInvitation(
  tx: Tx,
  caller: DojoCaller,
  gradingId: string,
  studentId: string,
  answer: Answer,
): Promise<void> {
  const isInstructor = caller.role === 'instructor'
  if (!isInstructor) await requireVisibleStudent(tx, caller, studentId)
  const grading = await requireGrading(tx, gradingId)
  const isCandidate = and(
    eq(candidates.grading_id, gradingId),
    eq(candidates.student_id, studentId),
  )
  const [candidate] = await tx.select().from(candidates).where(isCandidate)
  if (!candidate || (candidate.invited_at === null && !isInstructor))
    throw await gradingNotFound(tx)
  await requireUnfinished(tx, grading)
  if (!isInstructor && !isOpenForAnswers(grading, await todayOf(tx, caller.dojoId)))
    throw new Refusal(
      409,
      `You could answer until ${formatDay(findLastAnswerDay(grading))}. Please tell your instructor.`,
    )
  await setAnswer(tx, gradingId, [studentId], answer, caller.id)
}

const selectInvitations = (tx: Tx, studentIds: string[], ...conditions: SQL[]) =>
  tx
    .select({
      grading: gradings,
      candidate: candidates,
      rank: ranks,
      student: pick(students, 'id', 'name'),
    })
    .from(candidates)
    .innerJoin(gradings, eq(gradings.id, candidates.grading_id))
    .innerJoin(ranks, eq(ranks.id, candidates.to_rank_id))
    .innerJoin(students, eq(students.id, candidates.student_id))
    .where(
      and(
        equalsAny(candidates.student_id, studentIds),
        isNotNull(candidates.invited_at),
        ...conditions,
      ),
    )
    .orderBy(asc(gradings.held_on), asc(gradings.id), asc(students.name), asc(students.id))

/** Leaves out students who already have the rank for which they were invited to test. */
async function findInvitations(tx: Tx, studentIds: string[], ...conditions: SQL[]) {
  const invitations = await selectInvitations(tx, studentIds, ...conditions)
  const styleIds = invitations.map(({ grading }) => grading.style_id)
  const styleRows = await tx.select().from(styles).where(equalsAny(styles.id, styleIds))
  const currentRanks = new Map<string, Awaited<ReturnType<typeof findCurrentRanks>>>()
  for (const style of styleRows)
    currentRanks.set(style.id, await findCurrentRanks(tx, style, studentIds))
  return invitations.filter(
    ({ grading, rank, student }) =>
      !wasGivenRank(currentRanks.get(grading.style_id)?.get(student.id), rank),
  )
}

/** Lists the upcoming invitations of the students whom the caller may see. A guardian who may not
 *  see fees gets null instead of the fee. */
export async function listOwnInvitations(tx: Tx, caller: DojoCaller): Promise<OwnInvitation[]> {
  const today = await todayOf(tx, caller.dojoId)
  const invitations = await findInvitations(
    tx,
    await findVisibleStudents(tx, caller),
    gte(gradings.held_on, today),
    inArray(gradings.state, ['open', 'closed']),
  )
  const charges = await findCharges(tx, pluck(invitations, 'candidate'))
  const studentIdsWithFees = await findStudentsWithVisibleFees(tx, caller)
  return invitations.map(({ grading, candidate, rank, student }) => {
    const { name, held_on, held_at, place, answer_until } = grading
    const { fee } = readFee(grading, rank, candidate, charges.get(candidate.charge_id ?? ''))
    return {
      grading_id: grading.id,
      student_id: student.id,
      student_name: student.name,
      name,
      held_on,
      held_at,
      place,
      answer_until,
      fee: studentIdsWithFees.has(student.id) && !candidate.is_fee_waived ? fee : null,
      to_rank: toShownRank(rank),
      answer: candidate.answer,
      may_answer: isOpenForAnswers(grading, today),
    }
  })
}

async function findStudentsWithVisibleFees(tx: Tx, { id, role }: DojoCaller): Promise<Set<string>> {
  const links = await tx
    .select({ id: guardianships.student_id })
    .from(guardianships)
    .where(and(eq(guardianships.guardian_id, id), isActiveLink, eq(guardianships.sees_fees, true)))
  return new Set([...(role === 'student' ? [id] : []), ...links.map((link) => link.id)])
}

/** Matches "COMING" and "NOT COMING", with or without names after it. */
export const ANSWER_PATTERN = /^(?:not\s+)?coming\b/i

/** Records a reply such as "COMING" or "NOT COMING Leo" for the named students or, without a name,
 *  for all students with this phone. Returns the automatic reply, or null if no invitation is open:
 *  then the text is an ordinary message. */
export async function answerByReply(
  tx: Tx,
  {
    dojoId,
    incomingText,
    holders,
  }: { dojoId: string; incomingText: { text: string }; holders: PhoneHolder[] },
): Promise<string | null> {
  const replyText = withoutPunctuation(incomingText.text)
  const namedHolders = findHoldersNamedIn(replyText.replace(ANSWER_PATTERN, ''), holders)
  const answer = /^not/i.test(replyText) ? 'no' : 'yes'
  const today = await todayOf(tx, dojoId)
  const invitations = await findInvitations(
    tx,
    pluck(namedHolders, 'student_id'),
    eq(gradings.state, 'open'),
  )
  const openInvitations = invitations.filter(({ grading }) => isOpenForAnswers(grading, today))
  const nextGrading = openInvitations[0]?.grading
  if (!nextGrading) return null
  const nextInvitations = openInvitations.filter(({ grading }) => grading.id === nextGrading.id)
  const answeringStudents = pluck(nextInvitations, 'student')
  const ids = pluck(answeringStudents, 'id')
  await setAnswer(tx, nextGrading.id, ids, answer, null)
  const { singular } = await readBeltTestLabels(tx)
  const verb = ids.length === 1 ? 'is' : 'are'
  const status = answer === 'yes' ? 'signed up' : 'not signed up'
  const day = formatShortDay(nextGrading.held_on)
  const names = firstNames(pluck(answeringStudents, 'name'))
  return `${names} ${verb} ${status} for the ${singular} on ${day}.`
}
