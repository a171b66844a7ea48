const dollars = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
})
const wholeDollars = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
})

/** "$120.50"; an unset fee counts as 0. */
export const formatMoney = (amount: number | null) => dollars.format(amount ?? 0)

/** "$50 of $95", "$49.50 of $99.50": cents where there are any. */
export const formatPart = (part: number, whole: number): string => {
  const isWhole = Number.isInteger(part) && Number.isInteger(whole)
  const { format } = isWhole ? wholeDollars : dollars
  return `${format(part)} of ${format(whole)}`
}

/** Rounded up to a whole dollar (specification, section 9); cents are settled first, so that 0.1 + 0.2 stays what it is. */
export const formatMoneyRoundedUp = (amount: number) =>
  wholeDollars.format(Math.ceil(Math.round(amount * 100) / 100))

/** What a money field keeps of what is typed: digits and one decimal point. */
export const sanitizeMoneyInput = (typed: string) => {
  const [whole = '', ...rest] = typed.replace(/[^\d.]/g, '').split('.')
  return rest.length > 0 ? `${whole}.${rest.join('')}` : whole
}

/** The amount that was typed; undefined while there is none. */
export const parseMoney = (typed: string) => (/\d/.test(typed) ? Number(typed) : undefined)

export const toCents = (amount: number): number => Math.round(amount * 100)
/** A sum of dollars, exact to the cent. */
export const sumOf = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + toCents(amount), 0) / 100
