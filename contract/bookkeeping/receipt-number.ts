export const receiptNumber = (year: number, number: number): string =>
  `${year}-${String(number).padStart(4, '0')}`
