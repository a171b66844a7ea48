/** Splits lines of test inputs, so that a test can list many short inputs in a few lines. */
export const splitInputs = (lines: readonly string[], separator = ', '): string[] =>
  lines.flatMap((line) => line.split(separator))
