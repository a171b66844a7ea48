const SUFFIXES = ['th', 'st', 'nd', 'rd']

/** Returns, for example, "1st", "2nd" or "11th". */
export function ordinal(number: number): string {
  const lastTwoDigits = number % 100
  const isTeen = lastTwoDigits > 10 && lastTwoDigits < 14
  const suffix = isTeen ? 'th' : (SUFFIXES[number % 10] ?? 'th')
  return `${number}${suffix}`
}
