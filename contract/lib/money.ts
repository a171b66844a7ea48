/** Everything that computes with money or formats it. Amounts are dollars on the wire and on the
 *  screen, and whole cents wherever they are added, split or compared. */

export const toCents = (dollars: number): number => Math.round(dollars * 100)
export const toDollars = (cents: number): number => cents / 100

export const sumCents = (amounts: readonly number[]): number =>
  amounts.reduce((sum, cents) => sum + cents, 0)

export const sumDollars = (amounts: readonly number[]): number =>
  toDollars(sumCents(amounts.map(toCents)))

/** Half a cent is rounded up. */
export const percentOf = (cents: number, percent: number): number =>
  Math.round((cents * percent) / 100)

/** The first parts get the remaining cents, so that the sum is exact. */
export function splitCents(cents: number, parts: number): number[] {
  const part = Math.trunc(cents / parts)
  return Array.from({ length: parts }, (_, index) =>
    index === 0 ? cents - part * (parts - 1) : part,
  )
}

const currency = (locale?: string, options?: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', ...options })
const readerFormat = currency()
const wholeFormat = currency(undefined, { maximumFractionDigits: 0 })
const textFormat = currency('en-US')

/** "$120.50" in the reader's locale; an unset fee counts as 0. */
export const formatMoney = (dollars: number | null): string => readerFormat.format(dollars ?? 0)

/** "$120.50" for texts and documents. */
export const formatMoneyInText = (dollars: number): string => textFormat.format(dollars)

/** "120.50" for spreadsheets and input fields. */
export const formatDecimal = (dollars: number | null | undefined): string =>
  dollars?.toFixed(2) ?? ''

/** "$50 of $95", "$49.50 of $99.50" */
export function formatPartOfTotal(part: number, whole: number): string {
  const isWhole = Number.isInteger(part) && Number.isInteger(whole)
  const { format } = isWhole ? wholeFormat : readerFormat
  return `${format(part)} of ${format(whole)}`
}

/** Rounded up to a whole dollar (specification, section 9), ignoring fractions of a cent. */
export const formatMoneyRoundedUp = (dollars: number): string =>
  wholeFormat.format(Math.ceil(toDollars(toCents(dollars))))

/** Keeps digits and one decimal point. */
export function sanitizeMoneyInput(input: string): string {
  const [whole = '', ...decimals] = input.replace(/[^\d.]/g, '').split('.')
  return decimals.length > 0 ? `${whole}.${decimals.join('')}` : whole
}

/** Undefined for an empty field. */
export const parseMoney = (input: string): number | undefined =>
  /\d/.test(input) ? Number(input) : undefined
