import type { OwnInvitation } from '@tatami/contract/gradings/gradings'
import type { Holder } from '@tatami/contract/texting/phones'
import { firstNames } from '@tatami/contract/texting/message-types'
import { and, asc, eq, gte, inArray, isNotNull, type SQL } from 'drizzle-orm'
import { shownRankOf } from '../belts/held-ranks.ts'
import { ranks } from '../belts/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { readBeltTestLabels, todayOf } from '../dojos/dojos.ts'
import { isLive } from '../guardians/guardian-records.ts'
import { requireSeen, studentsSeenBy } from '../guardians/readers.ts'
import { guardianships } from '../guardians/tables.ts'
import type { Member } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { pick, pluck } from '../lib/rows.ts'
import { Refusal } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'
import { namedAmong } from '../texting/conversations/named-students.ts'
import { bareWords } from '../texting/conversations/keywords.ts'
import { chargesOf, feeOf } from './fees.ts'
import { gradingById, gradingNotFound, type GradingRow, requireUnfinished } from './read-grading.ts'
import { candidates, gradings } from './tables.ts'
import { formatDay, formatShortDay } from '../lib/format-day.ts'

export const lastDayOf = ({
  answer_until,
  held_on,
}: Pick<GradingRow, 'answer_until' | 'held_on'>): string => answer_until ?? held_on

const takesAnswers = (grading: GradingRow, today: string): boolean =>
  grading.state === 'open' && today <= lastDayOf(grading)

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

/** Instructors answer until the test is finished, others once they are invited and until the
 *  last day. 404 for an unknown test, 409 if answers are closed. */
export async function answerInvitation(
  tx: Tx,
  caller: Member,
  gradingId: string,
  studentId: string,
  answer: Answer,
): Promise<void> {
  const isInstructor = caller.role === 'instructor'
  if (!isInstructor) await requireSeen(tx, caller, studentId)
  const grading = await gradingById(tx, gradingId)
  const isOfStudent = and(
    eq(candidates.grading_id, gradingId),
    eq(candidates.student_id, studentId),
  )
  const [candidate] = await tx.select().from(candidates).where(isOfStudent)
  if (!candidate || (candidate.invited_at === null && !isInstructor))
    throw await gradingNotFound(tx)
  await requireUnfinished(tx, grading)
  if (!isInstructor && !takesAnswers(grading, await todayOf(tx, caller.dojoId)))
    throw new Refusal(
      409,
      `Answers were possible until ${formatDay(lastDayOf(grading))}. Please tell your instructor.`,
    )
  await setAnswer(tx, gradingId, [studentId], answer, caller.id)
}

const findInvitations = (tx: Tx, studentIds: string[], condition: SQL) =>
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
        condition,
      ),
    )
    .orderBy(asc(gradings.held_on), asc(gradings.id), asc(students.name), asc(students.id))

/** Only guardians who see fees get the fee. */
export async function ownInvitations(tx: Tx, caller: Member): Promise<OwnInvitation[]> {
  const today = await todayOf(tx, caller.dojoId)
  const isToCome = and(gte(gradings.held_on, today), inArray(gradings.state, ['open', 'closed']))!
  const invitations = await findInvitations(tx, await studentsSeenBy(tx, caller), isToCome)
  const charges = await chargesOf(tx, pluck(invitations, 'candidate'))
  const payable = await studentsWhoseFeesAreSeen(tx, caller)
  return invitations.map(({ grading, candidate, rank, student }) => {
    const { name, held_on, held_at, place, answer_until } = grading
    const { fee } = feeOf(grading, rank, candidate, charges.get(candidate.charge_id ?? ''))
    return {
      grading_id: grading.id,
      student_id: student.id,
      student_name: student.name,
      ...{ name, held_on, held_at, place, answer_until },
      fee: payable.has(student.id) && !candidate.is_fee_waived ? fee : null,
      to_rank: shownRankOf(rank),
      answer: candidate.answer,
      may_answer: takesAnswers(grading, today),
    }
  })
}

async function studentsWhoseFeesAreSeen(tx: Tx, { id, role }: Member): Promise<Set<string>> {
  const links = await tx
    .select({ id: guardianships.student_id })
    .from(guardianships)
    .where(and(eq(guardianships.guardian_id, id), isLive, eq(guardianships.sees_fees, true)))
  return new Set([...(role === 'student' ? [id] : []), ...links.map((link) => link.id)])
}

export const ANSWER_WORDS = /^(?:not\s+)?coming\b/i

/** "COMING", "NOT COMING Leo": answers the next test for the students named, or for all of the
 *  phone. Null if no invitation is open; then the reply is an ordinary message. */
export async function answerByReply(
  tx: Tx,
  { dojoId, incoming, holders }: { dojoId: string; incoming: { text: string }; holders: Holder[] },
): Promise<string | null> {
  const words = bareWords(incoming.text)
  const namedHolders = namedAmong(words.replace(ANSWER_WORDS, ''), holders)
  const answer = /^not/i.test(words) ? 'no' : 'yes'
  const today = await todayOf(tx, dojoId)
  const invitations = await findInvitations(
    tx,
    pluck(namedHolders, 'student_id'),
    eq(gradings.state, 'open'),
  )
  const open = invitations.filter(({ grading }) => takesAnswers(grading, today))
  const next = open[0]?.grading
  if (!next) return null
  const answeringStudents = open
    .filter(({ grading }) => grading.id === next.id)
    .map(({ student }) => student)
  const ids = pluck(answeringStudents, 'id')
  await setAnswer(tx, next.id, ids, answer, null)
  const { singular } = await readBeltTestLabels(tx)
  const verb = ids.length === 1 ? 'is' : 'are'
  const down = answer === 'yes' ? 'down' : 'not down'
  const day = formatShortDay(next.held_on)
  const names = firstNames(pluck(answeringStudents, 'name'))
  return `${names} ${verb} ${down} for the ${singular} on ${day}.`
}
