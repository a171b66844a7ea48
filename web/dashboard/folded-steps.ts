const FOLDED_KEY = 'first-steps-folded'

/** True if the user has folded the list of first steps on this device. */
export const areStepsFolded = (): boolean => localStorage.getItem(FOLDED_KEY) !== null

export const rememberFold = (isFolded: boolean): void =>
  isFolded ? localStorage.setItem(FOLDED_KEY, 'yes') : localStorage.removeItem(FOLDED_KEY)
