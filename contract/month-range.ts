/** Of how many months figures can be asked for at once. */
export const MAX_MONTHS = 60

const numberOf = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1

/** How many months there are from one to another, both included: "2026-01" to "2026-12" are 12. */
export const monthsBetween = (from: string, to: string): number => numberOf(to) - numberOf(from) + 1

/** The month so many months later, or earlier: "2026-01" and -1 is "2025-12". */
export function addMonths(month: string, count: number): string {
  const number = numberOf(month) + count
  return `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((((number % 12) + 12) % 12) + 1).padStart(2, '0')}`
}

/** The first days of the months from one to another, both included. */
export const firstDaysBetween = (from: string, to: string): string[] =>
  Array.from({ length: monthsBetween(from, to) }, (_, step) => `${addMonths(from, step)}-01`)
