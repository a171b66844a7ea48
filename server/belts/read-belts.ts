import type { Belts, Ladder, Style } from '@tatami/contract/belts/belts'
import { and, asc, count, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { findRanksOfCurrentStudents } from './current-ranks.ts'
import {
  listStyles,
  requireLadder,
  findLadders,
  type LadderWithRanks,
  requireStyle,
  type StyleRow,
} from './styles.ts'
import { firstRow, pick, pluck } from '../lib/rows.ts'
import { beltChanges, classStyles, ladders, ranks, skills } from './tables.ts'

export async function readBelts(tx: Tx): Promise<Belts> {
  const styles: Style[] = []
  for (const row of await listStyles(tx)) styles.push(await toStyle(tx, row))
  return { styles }
}

export const readStyle = async (tx: Tx, id: string): Promise<Style> =>
  toStyle(tx, await requireStyle(tx, id))

export async function readLadder(tx: Tx, id: string): Promise<Ladder> {
  const { ladder, style } = await requireLadder(tx, id)
  return firstRow(await toLadders(tx, style, [ladder]))
}

async function toStyle(tx: Tx, style: StyleRow): Promise<Style> {
  const styleClasses = await tx
    .select({ id: classStyles.class_id })
    .from(classStyles)
    .where(eq(classStyles.style_id, style.id))
    .orderBy(asc(classStyles.class_id))
  return {
    ...style,
    class_ids: pluck(styleClasses, 'id'),
    ladders: await toLadders(tx, style, await findLadders(tx, style.id)),
  }
}

async function toLadders(tx: Tx, style: StyleRow, rows: LadderWithRanks[]): Promise<Ladder[]> {
  const currentRanks = await findRanksOfCurrentStudents(tx, style)
  const studentsByRank = Map.groupBy(currentRanks.values(), ({ rank }) => rank.id)
  const skillRows = await tx
    .select(pick(skills, 'id', 'name', 'required', 'rank_id'))
    .from(skills)
    .innerJoin(ranks, eq(ranks.id, skills.rank_id))
    .innerJoin(ladders, eq(ladders.id, ranks.ladder_id))
    .where(and(eq(ladders.style_id, style.id), isNull(skills.retired_at)))
    .orderBy(asc(skills.place), asc(skills.id))
  const skillsByRank = Map.groupBy(skillRows, ({ rank_id }) => rank_id)
  const conversions = await findLastConversions(tx, pluck(rows, 'id'))
  return rows.map((ladder) => ({
    ...ladder,
    last_conversion: conversions.get(ladder.id) ?? null,
    is_retired: ladder.retired_at !== null,
    ranks: ladder.ranks
      .filter(({ retired_at }) => retired_at === null)
      .map((rank) => ({
        ...rank,
        skills: skillsByRank.get(rank.id) ?? [],
        students: studentsByRank.get(rank.id)?.length ?? 0,
      })),
  }))
}

/** Returns the last conversion to each ladder, unless it was undone. */
async function findLastConversions(
  tx: Tx,
  ladderIds: string[],
): Promise<Map<string, NonNullable<Ladder['last_conversion']>>> {
  const correction = alias(beltChanges, 'correction')
  const conversions = await tx
    .select({
      ladder_id: ranks.ladder_id,
      act_id: sql<string>`${beltChanges.act_id}`,
      students: count(),
      changed_at: sql<string>`max(${beltChanges.changed_at})`.mapWith(beltChanges.changed_at),
    })
    .from(beltChanges)
    .innerJoin(ranks, eq(ranks.id, beltChanges.rank_id))
    .leftJoin(correction, eq(correction.undoes, beltChanges.id))
    .where(
      and(
        eq(beltChanges.kind, 'conversion'),
        isNotNull(beltChanges.act_id),
        equalsAny(ranks.ladder_id, ladderIds),
      ),
    )
    .groupBy(ranks.ladder_id, beltChanges.act_id)
    .having(sql`count(${correction.id}) = 0`)
    .orderBy(sql`max(${beltChanges.changed_at})`)
  return new Map(conversions.map(({ ladder_id, ...conversion }) => [ladder_id, conversion]))
}
