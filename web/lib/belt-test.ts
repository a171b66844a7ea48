import {
  type BeltTestName,
  beltTestLabels,
  DEFAULT_BELT_TEST_NAME,
} from '@tatami/contract/dojos/belt-test'

let currentForms = beltTestLabels(DEFAULT_BELT_TEST_NAME)

export function setBeltTestName(name: BeltTestName | null | undefined) {
  currentForms = beltTestLabels(name ?? DEFAULT_BELT_TEST_NAME)
}

/** The school's word for a belt test, in its forms: "grading", "Gradings". */
export const schoolBeltTestName = () => currentForms
