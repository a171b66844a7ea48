import type { ReadyList, ReadyQuery, ReadyStudent } from '@tatami/contract/belts/readiness'
import { READINESS } from '@tatami/contract/belts/readiness'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { pick } from '../lib/rows.ts'
import { distanceTo } from './eligibility.ts'
import { heldRankOf, shownRankOf } from './held-ranks.ts'
import { type StudentProgress, readProgress } from './standings.ts'
import { styleOrMain } from './styles.ts'

/** Nearest to ready first. 404 for an unknown style. */
export async function readyList(
  tx: Tx,
  dojoId: string,
  { style_id, on }: ReadyQuery,
): Promise<ReadyList> {
  const style = await styleOrMain(tx, style_id)
  const today = await todayOf(tx, dojoId)
  const day = on ?? today
  const standings = await readProgress(tx, style, null, { today, on: day })
  const entries = standings
    .filter(({ student }) => !student.awaits_approval)
    .map((standing) => ({
      standing,
      group: READINESS.indexOf(standing.readiness),
      distance: distanceTo(standing.missing, day),
    }))
    .toSorted(
      (a, b) =>
        a.group - b.group ||
        // Infinity minus Infinity is not a number.
        (a.distance === b.distance ? 0 : a.distance - b.distance) ||
        a.standing.student.name.localeCompare(b.standing.student.name, 'en') ||
        (a.standing.student.id < b.standing.student.id ? -1 : 1),
    )
  return {
    style_id: style.id,
    on: day,
    students: entries.map(({ standing }) => listedStudent(standing)),
  }
}

function listedStudent({ student, held, next, ...standing }: StudentProgress): ReadyStudent {
  const rank = typeof next === 'string' ? null : next.rank
  return {
    ...standing,
    ...pick(student, 'name', 'belt_level', 'belt_size'),
    student_id: student.id,
    rank: heldRankOf(held),
    since: held.since,
    next: rank && shownRankOf(rank),
    fee: rank && rank.fee,
    max_stripes: held.rank.stripes,
  }
}
