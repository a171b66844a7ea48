/** The API and the screens use dollars. Calculations use whole cents. */

export const toCents = (dollars: number): number => Math.round(dollars * 100)
export const toDollars = (cents: number): number => cents / 100

export const sumCents = (amounts: readonly number[]): number =>
  amounts.reduce((sum, cents) => sum + cents, 0)

export const sumDollars = (amounts: readonly number[]): number =>
  toDollars(sumCents(amounts.map(toCents)))

export const percentOf = (cents: number, percent: number): number =>
  Math.round((cents * percent) / 100)

/** Returns `cents` × `part` ÷ `whole`. Half a cent is rounded up. The result is exact, because all
 *  steps before the division use whole numbers. */
export const shareOfCents = (cents: number, part: number, whole: number): number =>
  whole === 0 ? 0 : Math.floor((2 * cents * part + whole) / (2 * whole))

/** Returns the price of some of the days that `cents` is for. Half a cent is rounded up. */
export const prorateCents = (cents: number, days: number, totalDays: number): number =>
  shareOfCents(cents, days, totalDays)

/** Splits an amount into equal parts. The first part also gets the cents that are left over. */
export function splitCents(cents: number, count: number): number[] {
  const part = Math.trunc(cents / count)
  const firstPart = cents - part * (count - 1)
  return Array.from({ length: count }, (_, index) => (index === 0 ? firstPart : part))
}

const currencyFormat = (locale?: string, options?: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', ...options })
const localFormat = currencyFormat()
const wholeDollarFormat = currencyFormat(undefined, { maximumFractionDigits: 0 })
const usFormat = currencyFormat('en-US')

/** Returns, for example, "$120.50" in the reader's locale. Null counts as 0. */
export const formatMoney = (dollars: number | null): string => localFormat.format(dollars ?? 0)

/** Returns, for example, "$85" or "$99.50". */
export const formatShortMoney = (dollars: number): string =>
  (Number.isInteger(dollars) ? wholeDollarFormat : localFormat).format(dollars)

/** Returns "$120.50" for text messages and documents, where the reader's locale is unknown. */
export const formatMoneyInText = (dollars: number): string => usFormat.format(dollars)

/** Returns "120.50" for spreadsheets and input fields. */
export const formatDecimal = (dollars: number | null | undefined): string =>
  dollars?.toFixed(2) ?? ''

/** Returns, for example, "$50 of $95" or "$49.50 of $99.50". */
export function formatPartOfTotal(part: number, total: number): string {
  const areWholeDollars = Number.isInteger(part) && Number.isInteger(total)
  const { format } = areWholeDollars ? wholeDollarFormat : localFormat
  return `${format(part)} of ${format(total)}`
}

/** Rounds up to a whole dollar (specification, section 9), ignoring fractions of a cent. */
export const formatMoneyRoundedUp = (dollars: number): string =>
  wholeDollarFormat.format(Math.ceil(toDollars(toCents(dollars))))

/** Removes spaces, dollar signs and commas. Other characters stay, so that the field can report an
 *  invalid amount. */
export const cleanMoneyInput = (input: string): string => input.replace(/[\s$,]/g, '')

/** Removes everything but digits and the first decimal point (specification, section 5). */
export function sanitizeMoneyInput(input: string): string {
  const [dollars = '', ...decimals] = input.replace(/[^\d.]/g, '').split('.')
  return decimals.length > 0 ? `${dollars}.${decimals.join('')}` : dollars
}

const AMOUNT = /^-?(\d+\.?\d*|\.\d+)$/

/** Returns undefined for an empty field, and NaN for a text that is not an amount. */
export function parseMoney(input: string): number | undefined {
  if (input === '' || input === '.') return undefined
  return AMOUNT.test(input) ? Number(input) : NaN
}

/** Whether a text is an amount of zero or more. Nothing counts as zero. */
export const isAmount = (input: string): boolean => (parseMoney(input) ?? 0) >= 0

/** For totals while somebody is typing, to which a text that is no amount adds nothing. */
export const typedAmount = (input: string): number => parseMoney(input) || 0
