import type { Student } from '@tatami/contract/students/students'

const MAX_FEES = 3

type PayingStudent = Pick<Student, 'is_trial' | 'monthly_payment_amount' | 'enrolled_classes'>

/** Finds the most common fees in these classes, most common first. Without classes, finds them in
 *  the whole school. */
export function findUsualFees(
  students: readonly PayingStudent[],
  classIds: readonly string[],
): number[] {
  const counts = new Map<number, number>()
  for (const { is_trial, monthly_payment_amount: fee, enrolled_classes } of students) {
    const isClassmate =
      classIds.length === 0 || enrolled_classes.some((id) => classIds.includes(id))
    if (fee && !is_trial && isClassmate) counts.set(fee, (counts.get(fee) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([, firstCount], [, secondCount]) => secondCount - firstCount)
    .slice(0, MAX_FEES)
    .map(([fee]) => fee)
}
