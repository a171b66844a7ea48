import {
  type BeltTestName,
  beltTestLabels,
  DEFAULT_BELT_TEST_NAME,
} from '@tatami/contract/dojos/belt-test'

let words = beltTestLabels(DEFAULT_BELT_TEST_NAME)

/** Set with the dojo's time zone, before any screen of the dojo is drawn (guards.tsx). */
export function setBeltTestName(name: BeltTestName | null | undefined) {
  words = beltTestLabels(name ?? DEFAULT_BELT_TEST_NAME)
}

export const beltTest = () => words
