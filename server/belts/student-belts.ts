import type { OwnBelts, StudentBelts } from '@tatami/contract/belts/readiness'
import { asc, desc } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { requireStudent } from '../guardians/guardianships.ts'
import { findVisibleStudents } from '../guardians/readers.ts'
import type { DojoCaller } from '../http/serve.ts'
import { pick, pluck } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import { toHeldRank, toShownRank } from './current-ranks.ts'
import { type HistoryRow, readHistories } from './read-history.ts'
import { getNextRank } from './next-rank.ts'
import { type StudentProgress, readProgress } from './student-progress.ts'
import type { StyleRow } from './styles.ts'
import { styles } from './tables.ts'

/** The main style comes first. Empty for a dojo without ladders. Throws 404 for another dojo's
 *  student. */
export async function readStudentBelts(tx: Tx, dojoId: string, id: string): Promise<StudentBelts> {
  await requireStudent(tx, id)
  const studentStyles = await readProgressAndHistory(tx, dojoId, [id])
  return {
    styles: studentStyles.map(({ style, progress, history }) => ({
      ...toStyleProgress(style, progress),
      max_stripes: progress.currentRank.rank.stripes,
      is_approved: progress.is_approved,
      history,
    })),
  }
}

/** Leaves out notes, waived requirements and the names of instructors. */
export async function readOwnBelts(tx: Tx, caller: DojoCaller): Promise<{ students: OwnBelts[] }> {
  const visibleIds = await findVisibleStudents(tx, caller)
  const visibleStudents = await tx
    .select(pick(students, 'id', 'name'))
    .from(students)
    .where(equalsAny(students.id, visibleIds))
    .orderBy(asc(students.name), asc(students.id))
  const studentStyles = await readProgressAndHistory(
    tx,
    caller.dojoId,
    pluck(visibleStudents, 'id'),
  )
  return {
    students: visibleStudents.map(({ id, name }) => ({
      student_id: id,
      name,
      styles: studentStyles
        .filter(({ progress }) => progress.student.id === id)
        .map(({ style, progress, history }) => ({
          ...toStyleProgress(style, progress),
          history: history.map(toFamilyHistoryRow),
        })),
    })),
  }
}

type StudentStyle = { style: StyleRow; progress: StudentProgress; history: HistoryRow[] }

async function readProgressAndHistory(
  tx: Tx,
  dojoId: string,
  ids: string[],
): Promise<StudentStyle[]> {
  if (ids.length === 0) return []
  const today = await todayOf(tx, dojoId)
  const savedStyles = await tx
    .select()
    .from(styles)
    .orderBy(desc(styles.is_main), asc(styles.created_at), asc(styles.id))
  const studentStyles: StudentStyle[] = []
  for (const style of savedStyles) {
    const progressRows = await readProgress(tx, style, ids, { today, day: today })
    if (progressRows.length === 0) continue
    const histories = await readHistories(tx, style, progressRows, today)
    for (const progress of progressRows)
      studentStyles.push({ style, progress, history: histories.get(progress.student.id) ?? [] })
  }
  return studentStyles
}

function toStyleProgress(style: StyleRow, progress: StudentProgress) {
  const { currentRank, next } = progress
  const nextRank = getNextRank(next)
  return {
    ...pick(progress, 'classes', 'months', 'missing', 'completion', 'instructor_decides', 'skills'),
    style: pick(style, 'id', 'name', 'is_main'),
    rank: toHeldRank(currentRank),
    since: currentRank.since,
    next: nextRank && toShownRank(nextRank),
    has_outgrown: next === 'outgrown',
  }
}

const toFamilyHistoryRow = (row: HistoryRow) =>
  pick(row, 'id', 'kind', 'rank', 'given_on', 'examiner', 'is_corrected')
