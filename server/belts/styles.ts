import { asc, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { notFound } from '../lib/refusal.ts'
import { copyTemplate, findTemplate, SEVEN_BELTS } from './ladder-templates.ts'
import { ladders, ranks, styles } from './tables.ts'

export type StyleRow = typeof styles.$inferSelect
export type LadderRow = typeof ladders.$inferSelect
export type RankRow = typeof ranks.$inferSelect
export type LadderWithRanks = LadderRow & { ranks: RankRow[] }

/** The main style of a dojo that has opened Belts. */
export async function findMainStyle(tx: Tx): Promise<StyleRow | undefined> {
  const [style] = await tx.select().from(styles).where(eq(styles.is_main, true))
  return style
}

/** The main style; made with the seven belts where the dojo has none. */
export async function mainStyle(tx: Tx): Promise<StyleRow> {
  const found = await findMainStyle(tx)
  if (found) return found
  const [made] = await tx
    .insert(styles)
    .values({ name: 'Main style', is_main: true })
    .onConflictDoNothing()
    .returning()
  // Another request has made it meanwhile, and its commit was waited for.
  if (!made) return (await findMainStyle(tx))!
  await copyTemplate(tx, made.id, findTemplate(SEVEN_BELTS)!)
  return made
}

/** The ladders of a style, oldest first, each with its ranks from the lowest up; retired ladders and ranks too. */
export async function laddersOf(tx: Tx, styleId: string): Promise<LadderWithRanks[]> {
  const rows = await tx
    .select({ ladder: ladders, rank: ranks })
    .from(ladders)
    .leftJoin(ranks, eq(ranks.ladder_id, ladders.id))
    .where(eq(ladders.style_id, styleId))
    .orderBy(asc(ladders.created_at), asc(ladders.id), asc(ranks.place))
  const all = new Map<string, LadderWithRanks>()
  for (const { ladder, rank } of rows) {
    const { ranks: ofLadder } = all.get(ladder.id) ?? { ...ladder, ranks: [] }
    all.set(ladder.id, { ...ladder, ranks: rank ? [...ofLadder, rank] : ofLadder })
  }
  return [...all.values()]
}

/** 404 where there is none. */
export async function styleById(tx: Tx, id: string): Promise<StyleRow> {
  const [style] = await tx.select().from(styles).where(eq(styles.id, id))
  if (!style) throw notFound('Style')
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
  const [found] = await tx
    .select({ style_id: ladders.style_id })
    .from(ladders)
    .where(eq(ladders.id, id))
  if (!found) throw notFound('Ladder')
  const style = await styleById(tx, found.style_id)
  const all = await laddersOf(tx, style.id)
  return { style, all, ladder: all.find((one) => one.id === id)! }
}
