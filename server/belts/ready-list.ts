import type { ReadyList, ReadyQuery, ReadyStudent } from '@tatami/contract/belts/readiness'
import { READINESS } from '@tatami/contract/belts/readiness'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { pick } from '../lib/rows.ts'
import { measureDistanceToReady } from './eligibility.ts'
import { toHeldRank, toShownRank } from './current-ranks.ts'
import { getNextRank } from './next-rank.ts'
import { type StudentProgress, readProgress } from './student-progress.ts'
import { findStyleOrMain } from './styles.ts'

/** Students who are closest to being ready come first. Throws 404 for an unknown style. */
export async function readReadyList(
  tx: Tx,
  dojoId: string,
  { style_id, on }: ReadyQuery,
): Promise<ReadyList> {
  const style = await findStyleOrMain(tx, style_id)
  const today = await todayOf(tx, dojoId)
  const day = on ?? today
  const progressRows = await readProgress(tx, style, null, { today, day })
  const sortedStudents = progressRows
    .filter(({ student }) => !student.awaits_approval)
    .map((progress) => ({
      ...progress,
      group: READINESS.indexOf(progress.readiness),
      distance: measureDistanceToReady(progress.missing, day),
    }))
    .toSorted(compareReadiness)
  return { style_id: style.id, on: day, students: sortedStudents.map(toReadyStudent) }
}

type RankedProgress = StudentProgress & { group: number; distance: number }

function compareReadiness(a: RankedProgress, b: RankedProgress): number {
  // Two infinite distances are equal, but their difference is not a number.
  const byDistance = a.distance === b.distance ? 0 : a.distance - b.distance
  return (
    a.group - b.group ||
    byDistance ||
    a.student.name.localeCompare(b.student.name, 'en') ||
    (a.student.id < b.student.id ? -1 : 1)
  )
}

function toReadyStudent({
  student,
  currentRank,
  next,
  ...progress
}: StudentProgress): ReadyStudent {
  const nextRank = getNextRank(next)
  return {
    ...pick(progress, 'classes', 'months', 'missing', 'readiness', 'is_approved'),
    instructor_decides: progress.instructor_decides,
    ...pick(student, 'name', 'belt_level', 'belt_size'),
    student_id: student.id,
    rank: toHeldRank(currentRank),
    since: currentRank.since,
    next: nextRank && toShownRank(nextRank),
    fee: nextRank?.fee ?? null,
    max_stripes: currentRank.rank.stripes,
  }
}
