import { asc, desc, eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { notFound } from '../lib/refusal.ts'
import { sevenBeltsOf } from './seven-belts.ts'
import { ladders, ranks, styles } from './tables.ts'

export type StyleRow = typeof styles.$inferSelect
export type LadderRow = typeof ladders.$inferSelect
export type RankRow = typeof ranks.$inferSelect
export type LadderWithRanks = LadderRow & { ranks: RankRow[] }

/** The main style as it is kept; none while the dojo has changed nothing about its belts. */
export async function findMainStyle(tx: Tx): Promise<StyleRow | undefined> {
  const [style] = await tx.select().from(styles).where(eq(styles.is_main, true))
  return style
}

/** The main style. Reading it writes nothing: a dojo without one is shown the seven belts. */
const mainStyle = async (tx: Tx): Promise<StyleRow> =>
  (await findMainStyle(tx)) ?? (await unsavedSevenBelts(tx)).style

/** The main style, saved with the seven belts where the dojo has none yet: whoever changes something about belts begins with it. */
export async function keepMainStyle(tx: Tx): Promise<StyleRow> {
  const savedStyle = await findMainStyle(tx)
  if (savedStyle) return savedStyle
  const { style, ladder } = await unsavedSevenBelts(tx)
  const insertedRows = await tx.insert(styles).values(style).onConflictDoNothing().returning()
  // Another request has saved it meanwhile, and its commit was waited for.
  if (insertedRows.length === 0) return mainStyle(tx)
  await tx.insert(ladders).values(ladder)
  await tx.insert(ranks).values(ladder.ranks)
  return style
}

/** All styles of the dojo, the main one first. */
export async function allStyles(tx: Tx): Promise<StyleRow[]> {
  const rows = await tx
    .select()
    .from(styles)
    .orderBy(desc(styles.is_main), asc(styles.created_at), asc(styles.id))
  return rows.length > 0 ? rows : [await mainStyle(tx)]
}

/** The ranks of these ladders by their ids. */
export const ranksById = (styleLadders: readonly LadderWithRanks[]): Map<string, RankRow> =>
  new Map(styleLadders.flatMap((ladder) => ladder.ranks).map((rank) => [rank.id, rank]))

/** The ladders of a style, oldest first, each with its ranks from the lowest up; retired ladders and ranks too. */
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

/** 404 where there is none. */
export async function styleById(tx: Tx, id: string): Promise<StyleRow> {
  const [savedStyle] = await tx.select().from(styles).where(eq(styles.id, id))
  const style = savedStyle ?? (await mainStyle(tx))
  if (style.id !== id) throw notFound('Style')
  return style
}

/** The style with this id, else the main one. */
export const styleOrMain = (tx: Tx, id: string | undefined): Promise<StyleRow> =>
  id === undefined ? mainStyle(tx) : styleById(tx, id)

/** A ladder with its ranks, and its style; 404 where there is none. */
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

/** What a dojo that has changed nothing about its belts is shown. The ids follow from the dojo's own, so they are the same once it is saved. */
async function unsavedSevenBelts(tx: Tx): Promise<{ style: StyleRow; ladder: LadderWithRanks }> {
  const { rows } = await tx.execute<{ dojo_id: string }>(
    sql`select current_setting('app.dojo_id') as dojo_id`,
  )
  return sevenBeltsOf(rows[0]!.dojo_id)
}
