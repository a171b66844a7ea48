/** "1st", "2nd", "11th" */
export const ordinal = (n: number): string =>
  `${n}${['th', 'st', 'nd', 'rd'][n % 100 > 10 && n % 100 < 14 ? 0 : n % 10] ?? 'th'}`
