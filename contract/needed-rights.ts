import type { Right } from './rights.ts'

/** The rights that staff need for a call: one, several, or none (`any`). `own` is for calls about
 *  only the caller, such as their calendar. */
export type NeededRight = Right | readonly [Right, Right, ...Right[]] | 'any' | 'own'

export const rightsNeededBy = (neededRight: NeededRight): readonly Right[] => {
  if (neededRight === 'any' || neededRight === 'own') return []
  return typeof neededRight === 'string' ? [neededRight] : neededRight
}

/** Returns the first needed right that is not among `rights`. */
export const missingRight = (
  neededRight: NeededRight,
  rights: ReadonlySet<Right>,
): Right | undefined => rightsNeededBy(neededRight).find((right) => !rights.has(right))
