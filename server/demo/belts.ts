import { MONTHS, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { ladderForm } from '@tatami/contract/belts/ladder-form'
import { findCurrentRanks } from '../belts/current-ranks.ts'
import { changeLadder } from '../belts/ladders.ts'
import { giveStripes } from '../belts/stripes.ts'
import { readBelts } from '../belts/read-belts.ts'
import { readReadyList } from '../belts/ready-list.ts'
import { saveMainStyle } from '../belts/styles.ts'
import type { Tx } from '../db/database.ts'
import { pay } from '../dues/payment-acts.ts'
import { answerInvitation } from '../gradings/answers.ts'
import { createGrading } from '../gradings/gradings.ts'
import { inviteCandidates } from '../gradings/invitations.ts'
import type { DojoCaller } from '../http/serve.ts'
import { pluck } from '../lib/rows.ts'

const STRIPES_PER_BELT = 2
const REQUIREMENTS = { min_months: 4, min_classes: 24 }
/** The months in which a third of the students get a stripe, counted back from the last month. */
const STRIPE_MONTHS_AGO = [1, 4]
export const TEST_TIME = '18:30'
export const TEST_PLACE = 'Main hall'
const MAX_CANDIDATES = 12
const TEST_FEE = 40
const FEE_METHODS = ['cash', 'cash', 'card'] as const

/** Gives stripes to every belt except black, and requirements to every belt except the first. */
export async function defineBelts(tx: Tx, sensei: DojoCaller): Promise<void> {
  await saveMainStyle(tx)
  for (const ladder of (await readBelts(tx)).styles.flatMap((style) => style.ladders)) {
    const ranks = ladder.ranks.map((rank, index) => ({
      ...rank,
      ...(index > 0 && REQUIREMENTS),
      stripes: rank.belt_level === 'black' ? 0 : STRIPES_PER_BELT,
    }))
    await changeLadder(tx, sensei, ladder.id, ladderForm.parse({ ...ladder, ranks }))
  }
}

export async function giveMonthlyStripes(
  tx: Tx,
  sensei: DojoCaller,
  students: { id: string }[],
  monthsAgo: number,
): Promise<void> {
  if (!STRIPE_MONTHS_AGO.includes(monthsAgo)) return
  const currentRanks = await findCurrentRanks(tx, await saveMainStyle(tx), null)
  const canGetStripe = ({ id }: { id: string }) => {
    const currentRank = currentRanks.get(id)
    return currentRank !== undefined && currentRank.stripes < currentRank.rank.stripes
  }
  const student_ids = pluck(
    students.filter((student, index) => index % 3 === 0 && canGetStripe(student)),
    'id',
  )
  if (student_ids.length > 0) await giveStripes(tx, sensei, { student_ids })
}

/** Plans a belt test for this evening. Of six students, five have answered and three have paid. */
export async function planTonightsTest(tx: Tx, sensei: DojoCaller, today: string): Promise<void> {
  const { students } = await readReadyList(tx, sensei.dojoId, {})
  const candidates = students
    .filter(({ readiness }) => readiness === 'ready')
    .slice(0, MAX_CANDIDATES)
    .flatMap(({ student_id, next }) => (next ? [{ student_id, to_rank_id: next.id }] : []))
  const { id } = await createGrading(tx, sensei, {
    name: `${MONTHS[monthOfDate(today).month]} belt test`,
    held_on: today,
    held_at: TEST_TIME,
    place: TEST_PLACE,
    fee: TEST_FEE,
    examiner: 'Aiko Tanaka',
    candidates,
  })
  const student_ids = pluck(candidates, 'student_id')
  await inviteCandidates(tx, sensei, id, { student_ids, text: null })
  for (const [index, student_id] of student_ids.entries()) {
    const place = index % 6
    if (place < 5) await answerInvitation(tx, sensei, id, student_id, place === 4 ? 'no' : 'yes')
    if (place < 3)
      await pay(tx, sensei, { student_id, amount: TEST_FEE, method: FEE_METHODS[index % 3] })
  }
}
