/** What an act for one student changes for the brothers and sisters, whose discounts depend on who
 *  pays in a month. */

import type { ActPreview } from '@tatami/contract/memberships/act-preview'
import { formatShortMoney } from '@tatami/contract/lib/money'
import { formatDayFrom } from '@tatami/contract/plans/plan-days'
import { and, eq, inArray, isNull, ne } from 'drizzle-orm'
import { byName } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { siblingPriceRuleOf } from '../dues/prices/prices.ts'
import { guardianships } from '../guardians/tables.ts'
import { groupRows, pick } from '../lib/rows.ts'
import { isCurrentStudent, students } from '../students/tables.ts'
import { findUpcomingCharges } from './upcoming-charges.ts'

type Sibling = { id: string; name: string }
type MonthSum = { due_on: string; amount: number }
/** By the name of the month. */
type MonthSums = ReadonlyMap<string, MonthSum>

/** A payer of more students is a club rather than a family. Comparing the months of all of them
 *  would take seconds. */
const LARGEST_FAMILY = 12
const OTHERS_MAY_CHANGE = 'The family prices of the other students of this payer may change, too.'

/** Adds a sentence for each brother or sister whose sums the act changes. */
export async function withFamilySums<Preview extends ActPreview>(
  tx: Tx,
  dojoId: string,
  studentId: string,
  act: () => Promise<Preview>,
): Promise<Preview> {
  const siblings = await findSiblings(tx, studentId)
  if (siblings.length === 0) return act()
  if (siblings.length > LARGEST_FAMILY) {
    const preview = await act()
    return { ...preview, sentences: [...preview.sentences, OTHERS_MAY_CHANGE] }
  }
  const today = await todayOf(tx, dojoId)
  const sumsBefore = await readSums(tx, dojoId, siblings, today)
  const preview = await act()
  const sumsAfter = await readSums(tx, dojoId, siblings, today)
  const sentences = siblings.flatMap(({ id, name }) =>
    describeChanges(name, sumsBefore.get(id), sumsAfter.get(id), today),
  )
  return { ...preview, sentences: [...preview.sentences, ...sentences] }
}

/** The other students of the same payer. None if the school has no family prices. */
async function findSiblings(tx: Tx, studentId: string): Promise<Sibling[]> {
  if ((await siblingPriceRuleOf(tx)).prices.length === 0) return []
  const isOfPayer = and(eq(guardianships.pays, true), isNull(guardianships.ended_at))
  const payers = tx
    .select({ id: guardianships.guardian_id })
    .from(guardianships)
    .where(and(isOfPayer, eq(guardianships.student_id, studentId)))
  return tx
    .select(pick(students, 'id', 'name'))
    .from(guardianships)
    .innerJoin(students, eq(students.id, guardianships.student_id))
    .where(
      and(
        isOfPayer,
        isCurrentStudent,
        ne(students.id, studentId),
        inArray(guardianships.guardian_id, payers),
      ),
    )
    .orderBy(...byName(students))
}

async function readSums(
  tx: Tx,
  dojoId: string,
  siblings: readonly Sibling[],
  today: string,
): Promise<ReadonlyMap<string, MonthSums>> {
  const sums = new Map<string, MonthSums>()
  for (const { id } of siblings) {
    const charges = await findUpcomingCharges(tx, dojoId, id, today)
    const months = charges.filter(({ kind }) => kind === 'month')
    sums.set(id, new Map(months.map((month) => [month.name, pick(month, 'due_on', 'amount')])))
  }
  return sums
}

type ChangedSum = MonthSum & { amountBefore: number }

function describeChanges(
  name: string,
  sumsBefore: MonthSums = new Map(),
  sumsAfter: MonthSums = new Map(),
  today: string,
): string[] {
  const changedSums: ChangedSum[] = [...sumsAfter].flatMap(([month, sum]) => {
    const amountBefore = sumsBefore.get(month)?.amount ?? 0
    return amountBefore === sum.amount ? [] : [{ ...sum, amountBefore }]
  })
  const lastSum = [...sumsAfter.values()].at(-1)
  const groups = groupRows(
    changedSums,
    ({ amount, amountBefore }) => `${amount} instead of ${amountBefore}`,
  )
  return [...groups.values()].map(([firstSum, ...otherSums]) => {
    const { amount, amountBefore, due_on } = firstSum
    const sums = `${formatShortMoney(amount)} instead of ${formatShortMoney(amountBefore)}`
    const goesOn = otherSums.at(-1)?.due_on === lastSum?.due_on
    if (goesOn) return `${name} pays ${sums} from ${formatDayFrom(due_on, today)} on.`
    const days = [firstSum, ...otherSums].map((sum) => formatDayFrom(sum.due_on, today))
    return `${name} pays ${sums} on ${days.join(', ')}.`
  })
}
