import type { StudentPack } from '@tatami/contract/memberships/packs'
import { pausedExpiry, replayEntries } from '@tatami/contract/plans/entries'
import { and, asc, eq } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { pick } from '../lib/rows.ts'
import { readEntryHistories } from './entries.ts'
import { isPackSold, packPrice } from './pack-sales.ts'
import { plans, studentPacks } from './tables.ts'

/** The packs of students, by student id, the oldest first. */
export async function listStudentPacks(
  tx: Tx,
  studentIds: string[],
  today: string,
): Promise<Map<string, StudentPack[]>> {
  const rows = await tx
    .select({
      ...pick(studentPacks, 'id', 'student_id', 'plan_id', 'bought_on', 'expires_on', 'visits'),
      plan_name: plans.name,
      price: packPrice,
    })
    .from(studentPacks)
    .innerJoin(plans, eq(plans.id, studentPacks.plan_id))
    .where(and(equalsAny(studentPacks.student_id, studentIds), isPackSold))
    .orderBy(asc(studentPacks.bought_on), asc(studentPacks.id))
  if (rows.length === 0) return new Map()
  const histories = await readEntryHistories(tx, studentIds, today)
  const packs = rows.map(({ student_id, ...pack }) => {
    const history = histories.get(student_id)
    const visitsLeft = history && replayEntries(history).visitsLeft.get(pack.id)
    return {
      student_id,
      pack: {
        ...pack,
        expires_on: pausedExpiry(pack, history?.holds ?? []),
        visits_left: visitsLeft ?? pack.visits,
      },
    }
  })
  const packsByStudent = Map.groupBy(packs, ({ student_id }) => student_id)
  return new Map(
    [...packsByStudent].map(([id, studentPackRows]) => [
      id,
      studentPackRows.map(({ pack }) => pack),
    ]),
  )
}
