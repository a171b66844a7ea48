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
import { ladderForAge, rankForBelt } from '../belts/rank-for-belt.ts'
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

/** Finds the ladders in use, which are the seven belts until the dojo changes them. */
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
  find: BeltLookup
  /** Undefined only for a dojo without any rank. */
  rankOf: (person: ImportedPerson) => RankRow | undefined
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
  const findRank = createRankFinder(ownLadders, today)
  return {
    find: (belt, birthday) =>
      meaningByKey.get(beltKey(belt)) ?? findRank(belt, birthday) ?? findBelt(belt),
    rankOf: ({ rank_id, belt_level, date_of_birth }) => {
      const ladder = ladderForAge(ladders, today, date_of_birth)
      return rankById.get(rank_id ?? '') ?? rankForBelt(ladder?.ranks ?? [], belt_level ?? 'white')
    },
  }
}

type NamedRank = { ladder: LadderWithRanks; rank: RankRow }

/** Finds a rank by its name, by the grade in its name ("8th kyu"), or by the bar on a black belt
 *  that shows degrees. */
function createRankFinder(ladders: readonly LadderWithRanks[], today: string) {
  const ranks = ladders.flatMap((ladder) => ladder.ranks.map((rank) => ({ ladder, rank })))
  const ranksByName = groupByName(ranks)
  const rankGrades = ranks.map((namedRank) => ({
    namedRank,
    grade: parseGrade(namedRank.rank.name),
  }))
  const chooseRank = (candidates: readonly NamedRank[], birthday: string | null) => {
    // A school with its own ladder rarely uses the seven default belts as well.
    const ownCandidates = candidates.filter(({ ladder }) => ladder.template !== SEVEN_BELTS_ID)
    const choices = ownCandidates.length > 0 ? ownCandidates : candidates
    const ladder = ladderForAge(pluck(choices, 'ladder'), today, birthday)
    return choices.find((candidate) => candidate.ladder === ladder)?.rank
  }
  return (belt: string, birthday: string | null): MatchedBelt | null => {
    const grade = parseGrade(belt)
    const ranksOfGrade = rankGrades
      .filter((rankGrade) => grade !== null && isSameGrade(grade, rankGrade.grade))
      .map(({ namedRank }) => namedRank)
    const namedRanks = ranksByName.get(rankNameKey(belt)) ?? []
    const rank = chooseRank(namedRanks, birthday) ?? chooseRank(ranksOfGrade, birthday)
    if (rank) return toMeaning(rank)
    if (grade?.unit !== 'dan') return null
    const barRanks = ranks.filter(
      ({ rank: { pattern, stripes } }) => pattern === 'red-bar' && stripes >= grade.number,
    )
    const barRank = chooseRank(barRanks, birthday)
    return barRank ? { ...toMeaning(barRank), stripes: grade.number } : null
  }
}

function groupByName(ranks: readonly NamedRank[]): Map<string, NamedRank[]> {
  const namedRanks = ranks.flatMap((namedRank) =>
    [namedRank.rank.name, namedRank.rank.short ?? namedRank.rank.name].map((name) => ({
      ...namedRank,
      name,
    })),
  )
  return Map.groupBy(namedRanks, ({ name }) => rankNameKey(name))
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
export function keepDegreeInNotes(
  { person, beltText }: UncheckedRow,
  { rankOf }: BeltReader,
): void {
  const degree = parseGrade(beltText ?? '')
  if (person.belt_level === null || !isHighDegree(degree) || person.stripes !== null) return
  if (isSameGrade(degree, parseGrade(rankOf(person)?.name ?? ''))) return
  person.private_notes = [person.private_notes, `Belt: ${beltText}`].filter(Boolean).join('\n')
}

/** Lists the belts of the imported rows, starting with unknown belts. */
export function listBeltsInSheet(
  rows: readonly SheetRow[],
  { find }: BeltReader,
): ImportPlan['belts_in_sheet'] {
  const beltByKey = new Map<string, { belt: string; rows: number; birthday: string | null }>()
  for (const { belt, person } of rows) {
    if (belt === null || belt.length > MAX_BELT_LENGTH) continue
    const sheetBelt = beltByKey.get(beltKey(belt))
    if (sheetBelt) sheetBelt.rows += 1
    else beltByKey.set(beltKey(belt), { belt, rows: 1, birthday: person.date_of_birth })
  }
  const belts = [...beltByKey.values()].map(({ belt, rows: rowCount, birthday }) => {
    const meaning = find(belt, birthday)
    const { belt_level, rank_id } = meaning ?? NO_BELT
    return { belt, rows: rowCount, belt_level, rank_id, is_known: meaning !== null }
  })
  return [
    ...belts.filter(({ is_known }) => !is_known),
    ...belts.filter(({ is_known }) => is_known),
  ].slice(0, MAX_BELTS)
}
