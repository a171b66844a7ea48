import type { Belt } from '@tatami/contract/lib/ranks'
import { asc, sql } from 'drizzle-orm'
import { inStyle, newestFirst, isEffective } from './current-rank-query.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { notFound } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'
import { findCurrentRanks, type CurrentRank } from './current-ranks.ts'
import { findMainStyle, type StyleRow } from './styles.ts'
import { beltChanges } from './tables.ts'

export type LockedStudent = Pick<
  typeof students.$inferSelect,
  'id' | 'name' | 'belt_level' | 'date_of_birth' | 'left_on'
>

/** Locks the students in the order of their ids, to avoid deadlocks. Throws 404 if one does not
 *  exist. */
export async function lockStudents(tx: Tx, ids: string[]): Promise<Map<string, LockedStudent>> {
  const { id, name, belt_level, date_of_birth, left_on } = students
  const rows = await tx
    .select({ id, name, belt_level, date_of_birth, left_on })
    .from(students)
    .where(equalsAny(students.id, ids))
    .orderBy(asc(students.id))
    .for('no key update')
  if (rows.length < new Set(ids).size) throw notFound('Student')
  return new Map(rows.map((student) => [student.id, student]))
}

type Row = typeof beltChanges.$inferSelect
export type EffectiveChange = Pick<
  Row,
  'id' | 'student_id' | 'kind' | 'rank_id' | 'belt_level' | 'previous_belt' | 'given_on'
> & {
  /** 1 for the change that was entered last, regardless of its date. */
  entry_position: number
}

/** Returns the changes of each student that were not undone, newest first. `style` is undefined for
 *  the main style of a dojo that has not changed its belts. */
export async function findEffectiveChanges(
  tx: Tx,
  style: StyleRow | undefined,
  ids: string[],
): Promise<Map<string, EffectiveChange[]>> {
  const isInStyle = inStyle(sql`${style?.id ?? null}::uuid`, style?.is_main ?? true)
  const { rows } = await tx.execute<EffectiveChange>(sql`
    select c.id, c.student_id, c.kind, c.rank_id, c.belt_level, c.previous_belt, c.given_on::text,
      row_number() over (
        partition by c.student_id order by c.changed_at desc, c.id desc)::int as entry_position
    from ${beltChanges} c
    where c.student_id = any(${sql.param(ids)}::uuid[]) and ${isInStyle} and ${isEffective}
    order by c.student_id, ${newestFirst}`)
  return Map.groupBy(rows, ({ student_id }) => student_id)
}

export const changesRank = ({ kind }: Pick<Row, 'kind'>): boolean => kind !== 'stripe'

/** Writes the belts of students: first those in `knownLevels`, and then those of their current
 *  ranks. Students without a history and dojos without styles have only `knownLevels`. */
export async function writeBeltLevels(
  tx: Tx,
  ids: string[],
  knownLevels = new Map<string, Belt>(),
): Promise<Map<string, CurrentRank>> {
  await updateBeltLevels(tx, knownLevels)
  const style = await findMainStyle(tx)
  if (!style) return new Map()
  const currentRanks = await findCurrentRanks(tx, style, ids)
  await updateBeltLevels(
    tx,
    new Map([...currentRanks].map(([id, { rank }]) => [id, rank.belt_level])),
  )
  return currentRanks
}

async function updateBeltLevels(tx: Tx, levels: Map<string, Belt>): Promise<void> {
  if (levels.size === 0) return
  const rows = [...levels].map(([id, belt_level]) => ({ id, belt_level }))
  await tx.execute(sql`
    update ${students} s set belt_level = r.belt_level
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, belt_level text)
    where s.id = r.id and s.belt_level <> r.belt_level`)
}
