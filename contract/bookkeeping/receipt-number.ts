/** "2026-0001": numbers begin anew each year. */
export const receiptNumber = (year: number, number: number): string =>
  `${year}-${String(number).padStart(4, '0')}`
