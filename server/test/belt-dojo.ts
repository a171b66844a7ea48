import type { Belt } from '@tatami/contract/lib/ranks'
import { saveMainStyle, type RankRow } from '../belts/styles.ts'
import { ladders, ranks, styles } from '../belts/tables.ts'
import { newId } from '../db/columns.ts'
import type { Database, Tx } from '../db/database.ts'

type RankFields = { name: string; belt_level: Belt; stripes?: number }

/** The ranks of a ladder, from the lowest to the highest. Two of them count as yellow. */
export const KYU_RANKS: RankFields[] = [
  { name: '9th kyu', belt_level: 'white', stripes: 2 },
  { name: '8th kyu', belt_level: 'yellow', stripes: 2 },
  { name: '7th kyu', belt_level: 'yellow', stripes: 2 },
  { name: '6th kyu', belt_level: 'green' },
  { name: 'Shodan', belt_level: 'black' },
]

export async function addLadder(
  tx: Tx,
  style_id: string,
  rankList: RankFields[],
  ladderFields: object = {},
): Promise<RankRow[]> {
  const ladder_id = newId()
  await tx.insert(ladders).values({ id: ladder_id, style_id, name: 'Kyu', ...ladderFields })
  const rows = rankList.map((rank, place) => ({
    stripes: 0,
    ...rank,
    ladder_id,
    place,
    colours: [rank.belt_level],
    pattern: 'solid' as const,
  }))
  return tx.insert(ranks).values(rows).returning()
}

export const createMainLadder = (
  db: Database,
  dojoId: string,
  rankList = KYU_RANKS,
): Promise<RankRow[]> =>
  db.inDojo(dojoId, async (tx) => {
    const [style] = await tx.insert(styles).values({ name: 'Karate', is_main: true }).returning()
    return addLadder(tx, style!.id, rankList)
  })

export const createDefaultBelts = (db: Database, dojoId: string) =>
  db.inDojo(dojoId, (tx) => saveMainStyle(tx))

export const createSecondStyle = (db: Database, dojoId: string, rankList: RankFields[]) =>
  db.inDojo(dojoId, async (tx) => {
    const [style] = await tx.insert(styles).values({ name: 'Judo', is_main: false }).returning()
    return { style: style!, ranks: await addLadder(tx, style!.id, rankList) }
  })
