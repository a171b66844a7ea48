import {
  beltKey,
  type BeltLookup,
  type BeltMeaning,
  findBelt,
  type MatchedBelt,
  NO_BELT,
  rankNameKey,
} from '@tatami/contract/import/belts'
import { parseGrade, isHighDegree, isSameGrade } from '@tatami/contract/import/grades'
import type { ImportPlan } from '@tatami/contract/import/import-plan'
import { type ImportForm, MAX_BELTS } from '@tatami/contract/import/import-form'
import type { ImportedPerson } from '@tatami/contract/import/rows'
import { SEVEN_BELTS_ID } from '../belts/ladder-templates.ts'
import { findLadderForAge, findRankForBelt } from '../belts/rank-for-belt.ts'
import {
  findLadders,
  findMainStyle,
  type LadderWithRanks,
  type RankRow,
  findStyleOrMain,
} from '../belts/styles.ts'
import type { Tx } from '../db/database.ts'
import { invalid } from '../lib/refusal.ts'
import { pluck } from '../lib/rows.ts'
import type { SheetRow, UncheckedRow } from './rows.ts'

const MAX_BELT_LENGTH = 200

/** Returns the ladders in use. Until the dojo changes its belts, these are the seven default belts.
 *  */
async function findCurrentLadders(tx: Tx): Promise<LadderWithRanks[]> {
  const style = await findStyleOrMain(tx, undefined)
  const ladders = await findLadders(tx, style.id)
  return ladders
    .filter(({ retired_at }) => retired_at === null)
    .map((ladder) => ({
      ...ladder,
      ranks: ladder.ranks.filter(({ retired_at }) => retired_at === null),
    }))
}

const toMeaning = ({ id, belt_level }: RankRow): BeltMeaning => ({ rank_id: id, belt_level })

export type BeltReader = {
  findMeaning: BeltLookup
  /** Undefined only if the dojo has no ranks at all. */
  findRank: (person: ImportedPerson) => RankRow | undefined
}

/** Finds ranks by the names of belts. If several ladders have a name, the student's age decides. */
export async function createBeltReader(
  tx: Tx,
  form: ImportForm,
  today: string,
): Promise<BeltReader> {
  const ladders = await findCurrentLadders(tx)
  const rankById = new Map(ladders.flatMap(({ ranks }) => ranks).map((rank) => [rank.id, rank]))
  const meaningByKey = readChoices(form, rankById)
  // Until the seven belts are changed, students have belts without ranks.
  const ownLadders = (await findMainStyle(tx)) ? ladders : []
  const findOwnRank = createRankFinder(ownLadders, today)
  return {
    findMeaning: (belt, birthday) =>
      meaningByKey.get(beltKey(belt)) ?? findOwnRank(belt, birthday) ?? findBelt(belt),
    findRank: ({ rank_id, belt_level, date_of_birth }) => {
      const ladder = findLadderForAge(ladders, today, date_of_birth)
      return (
        rankById.get(rank_id ?? '') ?? findRankForBelt(ladder?.ranks ?? [], belt_level ?? 'white')
      )
    },
  }
}

type RankOfLadder = { ladder: LadderWithRanks; rank: RankRow }

/** Finds a rank by its name, by the grade in its name ("8th kyu"), or, for a degree of black belt,
 *  by a bar with enough stripes. */
function createRankFinder(ladders: readonly LadderWithRanks[], today: string) {
  const ranks = ladders.flatMap((ladder) => ladder.ranks.map((rank) => ({ ladder, rank })))
  const ranksByName = groupByName(ranks)
  const gradeById = new Map(ranks.map(({ rank }) => [rank.id, parseGrade(rank.name)]))
  const chooseRank = (candidates: readonly RankOfLadder[], birthday: string | null) => {
    // A school with its own ladder rarely uses the seven default belts as well.
    const ownRanks = candidates.filter(({ ladder }) => ladder.template !== SEVEN_BELTS_ID)
    const likelyRanks = ownRanks.length > 0 ? ownRanks : candidates
    const ladder = findLadderForAge(pluck(likelyRanks, 'ladder'), today, birthday)
    return likelyRanks.find((candidate) => candidate.ladder === ladder)?.rank
  }
  return (belt: string, birthday: string | null): MatchedBelt | null => {
    const grade = parseGrade(belt)
    const ranksOfGrade = ranks.filter(
      ({ rank }) => grade !== null && isSameGrade(grade, gradeById.get(rank.id) ?? null),
    )
    const ranksOfName = ranksByName.get(rankNameKey(belt)) ?? []
    const rank = chooseRank(ranksOfName, birthday) ?? chooseRank(ranksOfGrade, birthday)
    if (rank) return toMeaning(rank)
    if (grade?.unit !== 'dan') return null
    const barRanks = ranks.filter(
      ({ rank: { pattern, stripes } }) => pattern === 'red-bar' && stripes >= grade.number,
    )
    const barRank = chooseRank(barRanks, birthday)
    return barRank ? { ...toMeaning(barRank), stripes: grade.number } : null
  }
}

/** Each rank is found by its name and its short name. */
function groupByName(ranks: readonly RankOfLadder[]): Map<string, RankOfLadder[]> {
  const ranksByName = new Map<string, RankOfLadder[]>()
  for (const rankOfLadder of ranks) {
    const { name, short } = rankOfLadder.rank
    for (const key of new Set([rankNameKey(name), rankNameKey(short ?? name)]))
      ranksByName.set(key, [...(ranksByName.get(key) ?? []), rankOfLadder])
  }
  return ranksByName
}

/** Reads what the user chose for each belt. Throws 422 for a rank that is retired or belongs to
 *  another dojo or style. */
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

/** Saves the degree of a black belt in the notes if the chosen rank does not show it. */
export function saveDegreeInNotes(
  { person, beltText }: UncheckedRow,
  { findRank }: BeltReader,
): void {
  const degree = parseGrade(beltText ?? '')
  if (person.belt_level === null || !isHighDegree(degree) || person.stripes !== null) return
  if (isSameGrade(degree, parseGrade(findRank(person)?.name ?? ''))) return
  person.private_notes = [person.private_notes, `Belt: ${beltText}`].filter(Boolean).join('\n')
}

/** Lists the belts of the imported rows, starting with unknown belts. */
export function listBeltsInSheet(
  rows: readonly SheetRow[],
  { findMeaning }: BeltReader,
): ImportPlan['belts_in_sheet'] {
  const beltByKey = new Map<string, { belt: string; rowCount: number; birthday: string | null }>()
  for (const { belt, person } of rows) {
    if (belt === null || belt.length > MAX_BELT_LENGTH) continue
    const sameBelt = beltByKey.get(beltKey(belt))
    if (sameBelt) sameBelt.rowCount += 1
    else beltByKey.set(beltKey(belt), { belt, rowCount: 1, birthday: person.date_of_birth })
  }
  const belts = [...beltByKey.values()].map(({ belt, rowCount, birthday }) => {
    const meaning = findMeaning(belt, birthday)
    const { belt_level, rank_id } = meaning ?? NO_BELT
    return { belt, rows: rowCount, belt_level, rank_id, is_known: meaning !== null }
  })
  return [
    ...belts.filter(({ is_known }) => !is_known),
    ...belts.filter(({ is_known }) => is_known),
  ].slice(0, MAX_BELTS)
}
