import {
  type BeltTestName,
  beltTestLabels,
  DEFAULT_BELT_TEST_NAME,
} from '@tatami/contract/dojos/belt-test'

let currentLabels = beltTestLabels(DEFAULT_BELT_TEST_NAME)

export function setBeltTestName(name: BeltTestName | null | undefined) {
  currentLabels = beltTestLabels(name ?? DEFAULT_BELT_TEST_NAME)
}

/** The school's word for a belt test, in singular and plural, lowercase and capitalized. */
export const schoolBeltTestName = () => currentLabels
