export type SetupPlace = 'top' | 'below today'

const LAST_PLACE_KEY = 'first-steps'
/** Stored when all first steps are done or skipped. */
const NO_PLACE = 'none'

/** Where the checklist of first steps was at the last visit. */
export const lastSetupPlace = (): string | null => localStorage.getItem(LAST_PLACE_KEY)
export const mayShowSetup = (): boolean => lastSetupPlace() !== NO_PLACE
export const rememberSetupPlace = (place: SetupPlace | null): void =>
  localStorage.setItem(LAST_PLACE_KEY, place ?? NO_PLACE)
