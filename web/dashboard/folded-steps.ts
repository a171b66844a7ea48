const FOLDED_KEY = 'first-steps-folded'

/** Only a person folds the list, and it stays folded on this device. */
export const areStepsFolded = (): boolean => localStorage.getItem(FOLDED_KEY) !== null

export const rememberFold = (isFolded: boolean): void =>
  isFolded ? localStorage.setItem(FOLDED_KEY, 'yes') : localStorage.removeItem(FOLDED_KEY)
