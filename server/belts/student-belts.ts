import type { OwnBelts, StudentBelts } from '@tatami/contract/belts/readiness'
import { asc, desc } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { requireStudent } from '../guardians/guardianships.ts'
import { studentsSeenBy } from '../guardians/readers.ts'
import type { Member } from '../http/serve.ts'
import { pick, pluck } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import { heldRankOf, shownRankOf } from './held-ranks.ts'
import { type HistoryRow, historiesOf } from './shown-history.ts'
import { type StudentProgress, readProgress } from './standings.ts'
import type { StyleRow } from './styles.ts'
import { styles } from './tables.ts'

/** Every style, the main one first. Empty for a dojo without ladders. 404 for another dojo's
 *  student. */
export async function studentBelts(tx: Tx, dojoId: string, id: string): Promise<StudentBelts> {
  await requireStudent(tx, id)
  const belts = await beltsOf(tx, dojoId, [id])
  return {
    styles: belts.map(({ style, standing, history }) => ({
      ...shownStanding(style, standing),
      max_stripes: standing.held.rank.stripes,
      is_approved: standing.is_approved,
      history,
    })),
  }
}

/** The caller's own ranks and those of children they see, without notes, waivers and who gave
 *  them. */
export async function ownBelts(tx: Tx, caller: Member): Promise<{ students: OwnBelts[] }> {
  const seenIds = await studentsSeenBy(tx, caller)
  const people = await tx
    .select(pick(students, 'id', 'name'))
    .from(students)
    .where(equalsAny(students.id, seenIds))
    .orderBy(asc(students.name), asc(students.id))
  const belts = await beltsOf(tx, caller.dojoId, pluck(people, 'id'))
  return {
    students: people.map(({ id, name }) => ({
      student_id: id,
      name,
      styles: belts
        .filter(({ standing }) => standing.student.id === id)
        .map(({ style, standing, history }) => ({
          ...shownStanding(style, standing),
          history: history.map(withoutRemarks),
        })),
    })),
  }
}

type StudentStyle = { style: StyleRow; standing: StudentProgress; history: HistoryRow[] }

async function beltsOf(tx: Tx, dojoId: string, ids: string[]): Promise<StudentStyle[]> {
  if (ids.length === 0) return []
  const today = await todayOf(tx, dojoId)
  const belts: StudentStyle[] = []
  for (const style of await tx
    .select()
    .from(styles)
    .orderBy(desc(styles.is_main), asc(styles.created_at), asc(styles.id))) {
    const standings = await readProgress(tx, style, ids, { today, on: today })
    const histories =
      standings.length > 0
        ? await historiesOf(tx, style, standings, today)
        : new Map<string, HistoryRow[]>()
    belts.push(
      ...standings.map((standing) => ({
        style,
        standing,
        history: histories.get(standing.student.id) ?? [],
      })),
    )
  }
  return belts
}

const shownStanding = (
  { id, name, is_main }: StyleRow,
  { held, next, classes, months, missing, instructor_decides, skills }: StudentProgress,
) => ({
  style: { id, name, is_main },
  rank: heldRankOf(held),
  since: held.since,
  classes,
  months,
  next: typeof next === 'string' ? null : shownRankOf(next.rank),
  missing,
  instructor_decides,
  skills,
  has_outgrown: next === 'outgrown',
})

const withoutRemarks = (row: HistoryRow) =>
  pick(row, 'id', 'kind', 'rank', 'given_on', 'examiner', 'is_corrected')
