import type { PromotionPreview } from '@tatami/contract/belts/promotions'
import { firstName } from '@tatami/contract/lib/name-parts'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { formatWeekdayAndDay } from '../lib/dates.ts'
import { pluralize } from '../lib/text.ts'

function describeBeltTest(
  { held_on, names }: PromotionPreview['belt_tests'][number],
  today: string,
): string {
  const [name = '', ...otherNames] = names
  const subject =
    otherNames.length === 0
      ? `${firstName(name)} is`
      : `${firstName(name)} and ${pluralize(otherNames.length, 'other')} are`
  const dayText = held_on === today ? 'today' : `on ${formatWeekdayAndDay(held_on)}`
  return `${subject} in the ${schoolBeltTestName().singular} ${dayText}.`
}

/** "Ken and 6 others are in the belt test today." Empty without an upcoming belt test. */
export const describeBeltTests = ({ belt_tests }: PromotionPreview, today: string): string =>
  belt_tests.map((beltTest) => describeBeltTest(beltTest, today)).join(' ')
