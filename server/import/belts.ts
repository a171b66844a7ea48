import {
  beltKey,
  type BeltLookup,
  type BeltMeaning,
  findBelt,
  NO_BELT,
  rankNameKey,
} from '@tatami/contract/import/belts'
import type { ImportPlan } from '@tatami/contract/import/import-plan'
import { type ImportForm, MAX_BELTS } from '@tatami/contract/import/import-form'
import type { ImportedPerson } from '@tatami/contract/import/rows'
import { SEVEN_BELTS } from '../belts/ladder-templates.ts'
import { ladderForAge, rankForBelt } from '../belts/rank-for-belt.ts'
import { findLadders, findMainStyle, type LadderWithRanks, type RankRow } from '../belts/styles.ts'
import type { Tx } from '../db/database.ts'
import { invalid } from '../lib/refusal.ts'
import { pluck } from '../lib/rows.ts'
import type { SheetRow } from './rows.ts'

const MAX_BELT_LENGTH = 200

/** The ladders in use. Empty for a dojo that still has the default belts. */
async function findOwnLadders(tx: Tx): Promise<LadderWithRanks[]> {
  const style = await findMainStyle(tx)
  const ladders = style ? await findLadders(tx, style.id) : []
  return ladders
    .filter(({ retired_at }) => retired_at === null)
    .map((ladder) => ({
      ...ladder,
      ranks: ladder.ranks.filter(({ retired_at }) => retired_at === null),
    }))
}

const toMeaning = ({ id, belt_level }: RankRow): BeltMeaning => ({ rank_id: id, belt_level })

export type BeltReader = {
  find: BeltLookup
  /** How many stripes the student's rank can have. */
  maxStripes: (person: ImportedPerson) => number
}

/** Finds ranks by the names of belts. If several ladders have a name, the student's age decides. */
export async function createBeltReader(
  tx: Tx,
  form: ImportForm,
  today: string,
): Promise<BeltReader> {
  const ladders = await findOwnLadders(tx)
  const rankById = new Map(ladders.flatMap(({ ranks }) => ranks).map((rank) => [rank.id, rank]))
  const meaningByKey = readChoices(form, rankById)
  const ranksByName = groupByName(ladders)
  const findRank = (belt: string, birthday: string | null): RankRow | undefined => {
    const candidates = ranksByName.get(rankNameKey(belt)) ?? []
    // A school with a ladder of its own rarely uses the seven default belts, too.
    const ownCandidates = candidates.filter(({ ladder }) => ladder.template !== SEVEN_BELTS)
    const choices = ownCandidates.length > 0 ? ownCandidates : candidates
    const ladder = ladderForAge(pluck(choices, 'ladder'), today, birthday)
    return choices.find((candidate) => candidate.ladder === ladder)?.rank
  }
  return {
    find: (belt, birthday) => {
      const choice = meaningByKey.get(beltKey(belt))
      if (choice) return choice
      const rank = findRank(belt, birthday)
      return rank ? toMeaning(rank) : findBelt(belt)
    },
    maxStripes: ({ rank_id, belt_level, date_of_birth }) => {
      const ladder = ladderForAge(ladders, today, date_of_birth)
      const inferredRank = rankForBelt(ladder?.ranks ?? [], belt_level ?? 'white')
      return (rankById.get(rank_id ?? '') ?? inferredRank)?.stripes ?? 0
    },
  }
}

type NamedRank = { ladder: LadderWithRanks; rank: RankRow }

function groupByName(ladders: readonly LadderWithRanks[]): Map<string, NamedRank[]> {
  const namedRanks = ladders.flatMap((ladder) =>
    ladder.ranks.flatMap((rank) =>
      [rank.name, rank.short ?? rank.name].map((name) => ({ ladder, rank, name })),
    ),
  )
  return Map.groupBy(namedRanks, ({ name }) => rankNameKey(name))
}

/** What the user chose for each belt. 422 for a retired rank, or one of another dojo or style. */
function readChoices(
  { belts = [] }: ImportForm,
  rankById: ReadonlyMap<string, RankRow>,
): Map<string, BeltMeaning> {
  return new Map(
    belts.map(({ belt, rank_id, belt_level }) => {
      if (!rank_id) return [beltKey(belt), { ...NO_BELT, belt_level: belt_level ?? null }]
      const rank = rankById.get(rank_id)
      if (!rank) throw invalid('belts', 'Rank is not valid')
      return [beltKey(belt), toMeaning(rank)]
    }),
  )
}

/** If the rank cannot have that many stripes, saves them in the notes instead. */
export function moveExtraStripesToNotes(
  { person, belt, beltText, notices }: SheetRow,
  { maxStripes }: BeltReader,
): void {
  const { stripes } = person
  if (!stripes || stripes <= maxStripes(person)) return
  const isInBeltCell = beltText !== null && beltText !== belt
  const line = isInBeltCell ? `Belt: ${beltText}` : `Stripes: ${stripes}`
  const stripesText = stripes === 1 ? '1 stripe' : `${stripes} stripes`
  person.stripes = null
  person.private_notes = [person.private_notes, line].filter(Boolean).join('\n')
  notices.push({
    field: isInBeltCell ? 'belt_level' : 'stripes',
    message: `This belt can’t have ${stripesText}. Saved in notes: “${line}”`,
  })
}

/** The belts of the rows that are imported, unknown ones first. */
export function listBeltsInSheet(
  rows: readonly SheetRow[],
  { find }: BeltReader,
): ImportPlan['belts_in_sheet'] {
  const beltByKey = new Map<string, { belt: string; rows: number; birthday: string | null }>()
  for (const { belt, person } of rows) {
    if (belt === null || belt.length > MAX_BELT_LENGTH) continue
    const entry = beltByKey.get(beltKey(belt))
    if (entry) entry.rows += 1
    else beltByKey.set(beltKey(belt), { belt, rows: 1, birthday: person.date_of_birth })
  }
  const belts = [...beltByKey.values()].map(({ birthday, ...entry }) => {
    const meaning = find(entry.belt, birthday)
    return { ...entry, ...(meaning ?? NO_BELT), is_known: meaning !== null }
  })
  return [
    ...belts.filter(({ is_known }) => !is_known),
    ...belts.filter(({ is_known }) => is_known),
  ].slice(0, MAX_BELTS)
}
