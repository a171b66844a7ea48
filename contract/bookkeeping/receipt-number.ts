/** Formats a number as "2026-0001". Numbers start at 1 every year. */
export const receiptNumber = (year: number, number: number): string =>
  `${year}-${String(number).padStart(4, '0')}`
