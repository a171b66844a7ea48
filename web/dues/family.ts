import { sumDollars } from '@tatami/contract/lib/money'
import type { Student } from '@tatami/contract/students/students'
import type { FactsOf } from './use-payments.ts'

/** What a payer's line says: whose month is not paid, what that takes, and what is owed over all months. */
export function familyFigures(students: readonly Student[], factsOf: FactsOf) {
  const facts = students.map(factsOf)
  const unpaid = students.filter((_, index) => facts[index]!.state === 'unpaid')
  const owed = facts.flatMap(({ balance }) => (balance && balance.owed > 0 ? [balance] : []))
  return {
    unpaid,
    isPaid: unpaid.length === 0,
    due: sumDollars(unpaid.map((student) => factsOf(student).due)),
    fees: sumDollars(
      students.map(
        (student, index) => facts[index]!.price?.amount ?? student.monthly_payment_amount ?? 0,
      ),
    ),
    balance: {
      owed: sumDollars(owed.map((each) => each.owed)),
      credit: sumDollars(facts.map(({ balance }) => balance?.credit ?? 0)),
      owed_since:
        owed.flatMap((each) => each.owed_since ?? []).toSorted((a, b) => (a < b ? -1 : 1))[0] ??
        null,
    },
  }
}
