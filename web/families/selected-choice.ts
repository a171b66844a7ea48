import { mustExist } from '@tatami/contract/lib/must-exist'

export const selectedChoice = <V extends string>(choices: readonly V[], value: string): V =>
  mustExist(
    choices.find((choice) => choice === value),
    `The choice ${value}`,
  )
