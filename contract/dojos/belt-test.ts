export const BELT_TEST_NAMES = ['belt test', 'grading', 'promotion'] as const
export type BeltTestName = (typeof BELT_TEST_NAMES)[number]
export const DEFAULT_BELT_TEST_NAME: BeltTestName = 'belt test'

/** Returns the forms that sentences need. All names take "a", not "an". */
export function beltTestLabels(name: BeltTestName) {
  const capitalName = name.charAt(0).toUpperCase() + name.slice(1)
  return {
    singular: name,
    plural: `${name}s`,
    capitalized: capitalName,
    capitalizedPlural: `${capitalName}s`,
  }
}
export type BeltTestLabels = ReturnType<typeof beltTestLabels>
