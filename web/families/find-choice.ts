import { mustExist } from '@tatami/contract/lib/must-exist'

/** Finds the choice that a select element returned as a string. */
export const findChoice = <Choice extends string>(
  choices: readonly Choice[],
  value: string,
): Choice =>
  mustExist(
    choices.find((choice) => choice === value),
    `The choice ${value}`,
  )
