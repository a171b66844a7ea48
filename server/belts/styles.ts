import { asc, desc, eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { notFound } from '../lib/refusal.ts'
import { sevenBeltsOf } from './seven-belts.ts'
import { ladders, ranks, styles } from './tables.ts'
import { firstRow } from '../lib/rows.ts'

export type StyleRow = typeof styles.$inferSelect
export type LadderRow = typeof ladders.$inferSelect
export type RankRow = typeof ranks.$inferSelect
export type LadderWithRanks = LadderRow & { ranks: RankRow[] }

/** Undefined for a dojo that has changed nothing about its belts. */
export async function findMainStyle(tx: Tx): Promise<StyleRow | undefined> {
  const [style] = await tx.select().from(styles).where(eq(styles.is_main, true))
  return style
}

/** Without a saved one, the seven belts. Reading saves nothing. */
const mainStyle = async (tx: Tx): Promise<StyleRow> =>
  (await findMainStyle(tx)) ?? (await unsavedSevenBelts(tx)).style

/** The main style, saved first if it is not yet. */
export async function keepMainStyle(tx: Tx): Promise<StyleRow> {
  const savedStyle = await findMainStyle(tx)
  if (savedStyle) return savedStyle
  const { style, ladder } = await unsavedSevenBelts(tx)
  const insertedRows = await tx.insert(styles).values(style).onConflictDoNothing().returning()
  // Another request has saved it meanwhile.
  if (insertedRows.length === 0) return mainStyle(tx)
  await tx.insert(ladders).values(ladder)
  await tx.insert(ranks).values(ladder.ranks)
  return style
}

export async function allStyles(tx: Tx): Promise<StyleRow[]> {
  const rows = await tx
    .select()
    .from(styles)
    .orderBy(desc(styles.is_main), asc(styles.created_at), asc(styles.id))
  return rows.length > 0 ? rows : [await mainStyle(tx)]
}

export const ranksById = (styleLadders: readonly LadderWithRanks[]): Map<string, RankRow> =>
  new Map(styleLadders.flatMap((ladder) => ladder.ranks).map((rank) => [rank.id, rank]))

/** Oldest first, ranks from the lowest up, with retired ladders and ranks. */
export async function laddersOf(tx: Tx, styleId: string): Promise<LadderWithRanks[]> {
  const rows = await tx
    .select({ ladder: ladders, rank: ranks })
    .from(ladders)
    .leftJoin(ranks, eq(ranks.ladder_id, ladders.id))
    .where(eq(ladders.style_id, styleId))
    .orderBy(asc(ladders.created_at), asc(ladders.id), asc(ranks.place))
  if (rows.length === 0) return unsavedLaddersOf(tx, styleId)
  const laddersById = new Map<string, LadderWithRanks>()
  for (const { ladder, rank } of rows) {
    const { ranks: ofLadder } = laddersById.get(ladder.id) ?? { ...ladder, ranks: [] }
    laddersById.set(ladder.id, { ...ladder, ranks: rank ? [...ofLadder, rank] : ofLadder })
  }
  return [...laddersById.values()]
}

async function unsavedLaddersOf(tx: Tx, styleId: string): Promise<LadderWithRanks[]> {
  const { style, ladder } = await unsavedSevenBelts(tx)
  return style.id === styleId ? [ladder] : []
}

export async function styleById(tx: Tx, id: string): Promise<StyleRow> {
  const [savedStyle] = await tx.select().from(styles).where(eq(styles.id, id))
  const style = savedStyle ?? (await mainStyle(tx))
  if (style.id !== id) throw notFound('Style')
  return style
}

export const styleOrMain = (tx: Tx, id: string | undefined): Promise<StyleRow> =>
  id === undefined ? mainStyle(tx) : styleById(tx, id)

export async function ladderById(
  tx: Tx,
  id: string,
): Promise<{ ladder: LadderWithRanks; style: StyleRow; all: LadderWithRanks[] }> {
  const [savedLadder] = await tx
    .select({ style_id: ladders.style_id })
    .from(ladders)
    .where(eq(ladders.id, id))
  const style = savedLadder ? await styleById(tx, savedLadder.style_id) : await mainStyle(tx)
  const styleLadders = await laddersOf(tx, style.id)
  const ladder = styleLadders.find((candidate) => candidate.id === id)
  if (!ladder) throw notFound('Ladder')
  return { style, all: styleLadders, ladder }
}

/** The ids depend on the dojo alone, so they stay the same once the ladder is saved. */
async function unsavedSevenBelts(tx: Tx): Promise<{ style: StyleRow; ladder: LadderWithRanks }> {
  const { rows } = await tx.execute<{ dojo_id: string }>(
    sql`select current_setting('app.dojo_id') as dojo_id`,
  )
  return sevenBeltsOf(firstRow(rows).dojo_id)
}
