import { addDays } from '@tatami/contract/lib/calendar-day'
import { type Belt, BELTS } from '@tatami/contract/lib/ranks'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { Refusal } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'
import { KYU_RANKS, createMainLadder, createSecondStyle } from '../test/belt-dojo.ts'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'
import { findCurrentRanks, readShownRanks } from './current-ranks.ts'
import { promote } from './promotions.ts'
import { giveStripes } from './stripes.ts'
import { recordStartingRanks } from './change-belt.ts'
import { findMainStyle, type RankRow } from './styles.ts'
import { undoBatch, undoPromotion } from './undo.ts'

const server = await startTestServer()
const TODAY = '2027-03-10'

/** A simple model of the history. Its rows are in the order in which they were written. */
type Row = {
  id: string
  act: string
  kind: 'start' | 'rank' | 'stripe'
  rank: RankRow
  stripes: number
  day: string
  isUndone: boolean
}
type Style = { id: string; is_main: boolean; ranks: RankRow[]; rows: Row[] }

const listEffectiveRows = ({ rows }: Style) => rows.filter(({ isUndone }) => !isUndone)

/** Sorts by date, and rows of the same day in the order in which they were entered. The starting
 *  rank comes first. */
const sortRows = (style: Style) => {
  const sortKey = ({ kind, day }: Row) => (kind === 'start' ? '' : day)
  return listEffectiveRows(style).toSorted((a, b) => {
    if (sortKey(a) === sortKey(b)) return 0
    return sortKey(a) < sortKey(b) ? -1 : 1
  })
}
function findCurrentRank(style: Style) {
  const orderedRows = sortRows(style)
  const row = orderedRows.findLast(({ kind }) => kind !== 'stripe')
  if (!row) return undefined
  const stripes = orderedRows
    .slice(orderedRows.indexOf(row))
    .findLast(({ kind, rank }) => kind === 'stripe' && rank.id === row.rank.id)
  return {
    rank: row.rank.name,
    since: row.day,
    stripes: stripes?.stripes ?? 0,
    belt: row.rank.belt_level,
    row,
  }
}

const daysAgo = (days: number) => addDays(TODAY, -days)
const anyStyleIndex = fc.integer({ min: 0, max: 1 })
const randomStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      style: anyStyleIndex,
      rank: fc.nat(4),
      givenDaysAgo: fc.constantFrom(0, 0, 1, 30, 400),
      isImport: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ style: anyStyleIndex, stripe: fc.constant(true) }) },
  {
    weight: 3,
    arbitrary: fc.record({ style: anyStyleIndex, undo: fc.nat(3), isWholeBatch: fc.boolean() }),
  },
)
type Step = typeof randomStep extends fc.Arbitrary<infer RandomStep> ? RandomStep : never
type PromotionStep = Extract<Step, { rank: number }>
type UndoStep = Extract<Step, { undo: number }>

/** Resolves to the result, or to the status of a refusal. A refused change writes nothing. */
const resultOrStatus = <Result>(change: Promise<Result>): Promise<Result | number> =>
  change.catch((error: unknown) => {
    if (error instanceof Refusal) return error.status
    throw error
  })

type Scenario = { tx: Tx; caller: { id: string; dojoId: string }; student: string; styles: Style[] }

async function runStep(scenario: Scenario, step: Step): Promise<void> {
  const style = scenario.styles[step.style]!
  if ('stripe' in step) return giveStripe(scenario, style)
  if ('undo' in step) return undoRow(scenario, style, step)
  return promoteStudent(scenario, style, step)
}

async function giveStripe({ tx, caller, student }: Scenario, style: Style): Promise<void> {
  const heldRank = findCurrentRank(style)
  const reply = await resultOrStatus(
    giveStripes(tx, caller, { student_ids: [student], style_id: style.id }),
  )
  const hasFreeStripe = heldRank && heldRank.stripes < heldRank.row.rank.stripes
  if (!hasFreeStripe) return expect(reply).toBe(422)
  if (typeof reply === 'number') throw new Error(`A stripe was refused with ${reply}`)
  style.rows.push({
    ...heldRank.row,
    ...toRowIds(reply),
    kind: 'stripe',
    stripes: heldRank.stripes + 1,
    day: TODAY,
    isUndone: false,
  })
}

async function undoRow({ tx, caller }: Scenario, style: Style, step: UndoStep): Promise<void> {
  const row = style.rows.filter(({ kind }) => kind !== 'start').at(-1 - step.undo)
  if (!row) return
  const undoResult = await resultOrStatus(
    step.isWholeBatch ? undoBatch(tx, caller, row.act) : undoPromotion(tx, caller, row.id),
  )
  const mayUndo = sortRows(style).at(-1) === row || listEffectiveRows(style).at(-1) === row
  if (row.isUndone) expect(undoResult).toEqual({ undone: 0 })
  else expect(undoResult).toEqual(mayUndo ? { undone: 1 } : 409)
  if (mayUndo) row.isUndone = true
}

async function promoteStudent(
  { tx, caller, student }: Scenario,
  style: Style,
  step: PromotionStep,
): Promise<void> {
  const rank = style.ranks[Math.min(step.rank, style.ranks.length - 1)]!
  const heldRank = findCurrentRank(style)
  const form = {
    promotions: [{ student_id: student, rank_id: rank.id }],
    given_on: daysAgo(step.givenDaysAgo),
  }
  const reply = await resultOrStatus(
    promote(tx, caller, { ...form, ...(step.isImport && { kind: 'import' as const }) }),
  )
  const isSameRank =
    heldRank &&
    heldRank.row.kind !== 'start' &&
    heldRank.since <= form.given_on &&
    heldRank.row.rank.id === rank.id
  if (isSameRank && !step.isImport) return expect(reply).toBe(422)
  if (typeof reply === 'number') throw new Error(`A promotion was refused with ${reply}`)
  style.rows.push({
    ...toRowIds(reply),
    kind: 'rank',
    rank,
    stripes: 0,
    day: form.given_on,
    isUndone: false,
  })
}

const toRowIds = ({ act_id, students: [student] }: Awaited<ReturnType<typeof promote>>) => ({
  id: student!.promotion_id,
  act: act_id,
})

test(
  'computes the same rank, day and stripes as a simple model after random changes',
  { timeout: 60_000 },
  async () => {
    setClock(`${TODAY}T18:00:00Z`)
    const { id, dojoId } = await server.createSensei()
    const kyu = await createMainLadder(server.db, dojoId)
    const judo = await createSecondStyle(server.db, dojoId, KYU_RANKS.slice(0, 3))
    const mainStyle = (await server.db.inDojo(dojoId, findMainStyle))!
    const caller = { id, dojoId }
    const runSteps = (steps: Step[]) =>
      server.db.inDojo(dojoId, async (tx) => {
        const student = newId()
        await tx
          .insert(students)
          .values({ id: student, name: 'Ken Adams', date_of_birth: '2000-01-01' })
        await recordStartingRanks(tx, caller, TODAY, [{ id: student, belt_level: 'white' }])
        const start = {
          id: '',
          act: '',
          kind: 'start' as const,
          rank: kyu[0]!,
          stripes: 0,
          day: TODAY,
          isUndone: false,
        }
        const styles: Style[] = [
          { id: mainStyle.id, is_main: true, ranks: kyu, rows: [start] },
          { id: judo.style.id, is_main: false, ranks: judo.ranks, rows: [] },
        ]
        for (const step of steps) {
          await runStep({ tx, caller, student, styles }, step)
          for (const style of styles.filter(
            (_, index) => index === step.style || step === steps.at(-1),
          )) {
            const currentRank = (await findCurrentRanks(tx, style, [student])).get(student)
            const heldRank = findCurrentRank(style)
            expect(
              currentRank && [currentRank.rank.name, currentRank.since, currentRank.stripes],
            ).toEqual(heldRank && [heldRank.rank, heldRank.since, heldRank.stripes])
          }
          const mainRank = findCurrentRank(styles[0]!)!
          const [row] = await tx.select().from(students).where(eq(students.id, student))
          const shownRank = (await readShownRanks(tx, [student])).get(student)!
          expect([shownRank.name, shownRank.stripes]).toEqual([mainRank.rank, mainRank.stripes])
          expect(row!.belt_level).toBe(mainRank.belt)
        }
      })
    await fc.assert(
      fc.asyncProperty(fc.array(randomStep, { minLength: 3, maxLength: 7 }), runSteps),
      { numRuns: 30 },
    )
  },
)

test('undoes belt changes of a dojo without ladders', async () => {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei, { belt_level: 'green' })
  const setBelt = (belt_level: Belt) =>
    sensei.put(`/students/${student.id}`, {
      ...student,
      class_preferences: ['saturday'],
      belt_level,
    })
  const readPage = async () => (await sensei.get(`/students/${student.id}`)).body
  await setBelt(BELTS[4])
  await setBelt(BELTS[5])
  const undoLast = async () =>
    (await sensei.post(`/promotions/${(await readPage()).belt_changes[0].id}/undo`)).body
  expect([await undoLast(), (await readPage()).student.belt_level]).toEqual([{ undone: 1 }, 'blue'])
  expect([
    await undoLast(),
    (await readPage()).student.belt_level,
    (await readPage()).belt_changes,
  ]).toEqual([{ undone: 1 }, 'green', []])
})

test('undoes a conversion, and restores the ladder that it retired', async () => {
  const sensei = await server.createSensei()
  const people = await Promise.all(
    [1, 2].map(() => server.createStudent(sensei, { belt_level: 'orange' })),
  )
  const [style] = (await sensei.get('/belts')).body.styles
  const ladder = (await sensei.post(`/styles/${style.id}/ladders`, { template: 'karate-shotokan' }))
    .body
  type Preview = { from_rank_id: string; suggested_rank_id: string }
  const { belts } = (await sensei.get(`/ladders/${ladder.id}/conversion`)).body
  const conversions = belts.map((belt: Preview) => ({
    from_rank_id: belt.from_rank_id,
    to_rank_id: belt.suggested_rank_id,
  }))
  const readState = async () => {
    const [{ ladders }] = (await sensei.get('/belts')).body.styles
    const { rank, belt_level } = (await sensei.get(`/students/${people[0]!.id}`)).body.student
    return [rank.name, belt_level, ladders[0].is_retired]
  }
  const { act_id } = (await sensei.post(`/ladders/${ladder.id}/conversion`, { belts: conversions }))
    .body
  expect(await readState()).toEqual([expect.stringMatching(/kyu$/), 'orange', true])
  const undo = async () => (await sensei.post(`/promotions/acts/${act_id}/undo`)).body
  expect([await undo(), await undo(), await readState()]).toEqual([
    { undone: 2 },
    { undone: 0 },
    ['Orange', 'orange', false],
  ])
  expect((await people[0]!.get('/notifications')).body).toEqual([])
})
