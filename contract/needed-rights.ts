import type { Right } from './rights.ts'

/** What a call needs of a member of staff: a right, several, or none. `own` is for calls about the
 *  caller alone, such as their calendar. */
export type NeededRight = Right | readonly [Right, Right, ...Right[]] | 'any' | 'own'

export const rightsNeededBy = (neededRight: NeededRight): readonly Right[] => {
  if (neededRight === 'any' || neededRight === 'own') return []
  return typeof neededRight === 'string' ? [neededRight] : neededRight
}

/** The first needed right that somebody lacks. */
export const missingRight = (
  neededRight: NeededRight,
  rights: ReadonlySet<Right>,
): Right | undefined => rightsNeededBy(neededRight).find((right) => !rights.has(right))
