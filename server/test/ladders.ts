import type { Belt } from '@tatami/contract/lib/ranks'
import { type beltChanges, classStyles, ladders, ranks, skills, styles } from '../belts/tables.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'

type RankFields = Partial<Omit<typeof ranks.$inferInsert, 'id' | 'ladder_id' | 'place'>> & {
  skills?: { name: string; required?: boolean }[]
}

export async function insertStyle(
  tx: Tx,
  changes: Partial<typeof styles.$inferInsert> & { class_ids?: string[] } = {},
): Promise<string> {
  const { class_ids = [], ...fields } = changes
  const style_id = newId()
  await tx.insert(styles).values({ id: style_id, name: 'Karate', is_main: true, ...fields })
  if (class_ids.length > 0)
    await tx.insert(classStyles).values(class_ids.map((class_id) => ({ class_id, style_id })))
  return style_id
}

/** Inserts a ladder with a rank for each `rankFields`. Returns the ids of its ranks and skills. */
export async function insertLadder(
  tx: Tx,
  style_id: string,
  rankFields: RankFields[],
  changes: Partial<typeof ladders.$inferInsert> = {},
) {
  const ladder_id = newId()
  await tx.insert(ladders).values({ id: ladder_id, style_id, name: 'Juniors', ...changes })
  const rankRows = rankFields.map(({ skills: rankSkills = [], ...fields }, place) => ({
    rank: {
      id: newId(),
      ladder_id,
      place,
      name: `Rank ${place}`,
      colours: ['white' as const],
      pattern: 'solid' as const,
      belt_level: 'white' as const,
      ...fields,
    },
    skills: rankSkills.map((skill, index) => ({ id: newId(), place: index, ...skill })),
  }))
  await tx.insert(ranks).values(rankRows.map(({ rank }) => rank))
  const checklist = rankRows.flatMap(({ rank, skills: rankSkills }) =>
    rankSkills.map((skill) => ({ ...skill, rank_id: rank.id })),
  )
  if (checklist.length > 0) await tx.insert(skills).values(checklist)
  return {
    id: ladder_id,
    ranks: rankRows.map(({ rank, skills: rankSkills }) => ({
      id: rank.id,
      skills: rankSkills.map(({ id }) => id),
    })),
  }
}

export const beltChangeRow = (
  student_id: string,
  style_id: string,
  rank_id: string,
  given_on: string,
  changes: Partial<typeof beltChanges.$inferInsert> = {},
) => ({
  student_id,
  style_id,
  rank_id,
  given_on,
  belt_level: 'white' as Belt,
  previous_belt: 'white' as Belt,
  changed_by: student_id,
  ...changes,
})
