export type SetupPlace = 'top' | 'below today'

const LAST_PLACE_KEY = 'first-steps'
/** Stored if all first steps are done or skipped. */
const NO_PLACE = 'none'

/** Returns where the checklist of first steps was on the last visit. */
export const readLastSetupPlace = (): string | null => localStorage.getItem(LAST_PLACE_KEY)
export const mayShowSetup = (): boolean => readLastSetupPlace() !== NO_PLACE
export const rememberSetupPlace = (place: SetupPlace | null): void =>
  localStorage.setItem(LAST_PLACE_KEY, place ?? NO_PLACE)
