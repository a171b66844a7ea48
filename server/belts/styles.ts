import { asc, desc, eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { notFound } from '../lib/refusal.ts'
import { buildSevenBelts } from './seven-belts.ts'
import { ladders, ranks, styles } from './tables.ts'
import { firstRow } from '../lib/rows.ts'

export type StyleRow = typeof styles.$inferSelect
export type LadderRow = typeof ladders.$inferSelect
export type RankRow = typeof ranks.$inferSelect
export type LadderWithRanks = LadderRow & { ranks: RankRow[] }

/** Returns undefined for a dojo that never changed its belts. */
export async function findMainStyle(tx: Tx): Promise<StyleRow | undefined> {
  const [style] = await tx.select().from(styles).where(eq(styles.is_main, true))
  return style
}

/** For a dojo that never changed its belts, returns the style of the seven belts without saving
 *  it. */
const readMainStyle = async (tx: Tx): Promise<StyleRow> =>
  (await findMainStyle(tx)) ?? (await computeSevenBelts(tx)).style

/** Returns the main style. Saves the seven belts first if the dojo never changed its belts. */
export async function saveMainStyle(tx: Tx): Promise<StyleRow> {
  const savedStyle = await findMainStyle(tx)
  if (savedStyle) return savedStyle
  const { style, ladder } = await computeSevenBelts(tx)
  const insertedRows = await tx.insert(styles).values(style).onConflictDoNothing().returning()
  if (insertedRows.length === 0) return readMainStyle(tx)
  await tx.insert(ladders).values(ladder)
  await tx.insert(ranks).values(ladder.ranks)
  return style
}

export async function listStyles(tx: Tx): Promise<StyleRow[]> {
  const rows = await tx
    .select()
    .from(styles)
    .orderBy(desc(styles.is_main), asc(styles.created_at), asc(styles.id))
  return rows.length > 0 ? rows : [await readMainStyle(tx)]
}

export const indexRanksById = (styleLadders: readonly LadderWithRanks[]): Map<string, RankRow> =>
  new Map(styleLadders.flatMap((ladder) => ladder.ranks).map((rank) => [rank.id, rank]))

/** Includes retired ladders and ranks. */
export async function findLadders(tx: Tx, styleId: string): Promise<LadderWithRanks[]> {
  const rows = await tx
    .select({ ladder: ladders, rank: ranks })
    .from(ladders)
    .leftJoin(ranks, eq(ranks.ladder_id, ladders.id))
    .where(eq(ladders.style_id, styleId))
    .orderBy(asc(ladders.created_at), asc(ladders.id), asc(ranks.place))
  if (rows.length === 0) return findUnsavedLadders(tx, styleId)
  const laddersById = new Map<string, LadderWithRanks>()
  for (const { ladder, rank } of rows) {
    const ladderWithRanks: LadderWithRanks = laddersById.get(ladder.id) ?? { ...ladder, ranks: [] }
    if (rank) ladderWithRanks.ranks.push(rank)
    laddersById.set(ladder.id, ladderWithRanks)
  }
  return [...laddersById.values()]
}

async function findUnsavedLadders(tx: Tx, styleId: string): Promise<LadderWithRanks[]> {
  const { style, ladder } = await computeSevenBelts(tx)
  return style.id === styleId ? [ladder] : []
}

export async function requireStyle(tx: Tx, id: string): Promise<StyleRow> {
  const [savedStyle] = await tx.select().from(styles).where(eq(styles.id, id))
  const style = savedStyle ?? (await readMainStyle(tx))
  if (style.id !== id) throw notFound('Style')
  return style
}

export const findStyleOrMain = (tx: Tx, id: string | undefined): Promise<StyleRow> =>
  id === undefined ? readMainStyle(tx) : requireStyle(tx, id)

export async function requireLadder(
  tx: Tx,
  id: string,
): Promise<{ ladder: LadderWithRanks; style: StyleRow; styleLadders: LadderWithRanks[] }> {
  const [savedLadder] = await tx
    .select({ style_id: ladders.style_id })
    .from(ladders)
    .where(eq(ladders.id, id))
  const style = savedLadder ? await requireStyle(tx, savedLadder.style_id) : await readMainStyle(tx)
  const styleLadders = await findLadders(tx, style.id)
  const ladder = styleLadders.find((styleLadder) => styleLadder.id === id)
  if (!ladder) throw notFound('Ladder')
  return { ladder, style, styleLadders }
}

/** The ids are computed from the dojo's id, so they do not change when the ladder is saved. */
async function computeSevenBelts(tx: Tx): Promise<{ style: StyleRow; ladder: LadderWithRanks }> {
  const { rows } = await tx.execute<{ dojo_id: string }>(
    sql`select current_setting('app.dojo_id') as dojo_id`,
  )
  return buildSevenBelts(firstRow(rows).dojo_id)
}
