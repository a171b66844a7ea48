import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { calendarDate, flag, oneOf } from '../lib/fields.ts'
import { shareOfCents, toDollars } from '../lib/money.ts'
import { CHARGE_KINDS, type ChargeKind } from './ledger.ts'

const MAX_PERCENT = 30
const MAX_DECIMALS = 3
export const INVALID_TAX_PERCENT = `Sales tax must be more than 0 and at most ${MAX_PERCENT}%`
const TOO_MANY_DECIMALS = `Sales tax must have at most ${MAX_DECIMALS} decimal places`
const ENDS_BEFORE_START = 'The last day must not be before the first'
const OVERLAP = 'Two taxes for the same kind of charge must not overlap'
const MAX_TAXES = 100

/** Some places need three decimals: the sales tax of New York City is 8.875%. */
const hasThreeDecimals = (percent: number) => percent === Number(percent.toFixed(MAX_DECIMALS))

const taxFields = {
  kind: oneOf('Kind of charge', CHARGE_KINDS),
  percent: z
    .number(INVALID_TAX_PERCENT)
    .gt(0, INVALID_TAX_PERCENT)
    .max(MAX_PERCENT, INVALID_TAX_PERCENT)
    .refine(hasThreeDecimals, TOO_MANY_DECIMALS),
  /** True if the tax is added to the price. False if the price already includes it. */
  is_added: flag('Added to the price'),
  starts_on: calendarDate('First day'),
  /** The last day. Null if the tax has no end. */
  ends_on: calendarDate('Last day').nullable(),
}
const salesTax = z
  .object(taxFields, 'A tax must be an object')
  .refine(({ starts_on, ends_on }) => ends_on === null || starts_on <= ends_on, {
    error: ENDS_BEFORE_START,
    path: ['ends_on'],
  })
export type SalesTax = z.output<typeof salesTax>

const isInForce = ({ starts_on, ends_on }: SalesTax, day: string): boolean =>
  starts_on <= day && (ends_on === null || day <= ends_on)

export const findSalesTax = (
  taxes: readonly SalesTax[],
  kind: ChargeKind,
  day: string,
): SalesTax | undefined => taxes.find((tax) => tax.kind === kind && isInForce(tax, day))

const overlaps = (tax: SalesTax, otherTax: SalesTax): boolean =>
  tax.kind === otherTax.kind &&
  (isInForce(tax, otherTax.starts_on) || isInForce(otherTax, tax.starts_on))

/** What a charge costs in total: a tax that is added to the price, rounded half a cent up. */
export const withAddedTax = (cents: number, tax: SalesTax | undefined): number =>
  tax?.is_added
    ? cents + shareOfCents(cents, toThousandths(tax.percent), toThousandths(100))
    : cents

/**
 * The tax in a total. For an added tax, this is exactly the tax that `withAddedTax` added, so
 * charges store only the total and the percentage.
 */
export const taxInTotal = (totalCents: number, percent: number): number =>
  shareOfCents(totalCents, toThousandths(percent), toThousandths(100) + toThousandths(percent))

/** As in API replies: the tax in a price, in dollars. */
export const describeTax = (
  totalCents: number,
  percent: number | null | undefined,
): { tax: number | null; tax_percent: number | null } =>
  percent === null || percent === undefined
    ? { tax: null, tax_percent: null }
    : { tax: toDollars(taxInTotal(totalCents, percent)), tax_percent: percent }

const toThousandths = (percent: number): number => Math.round(percent * 1000)

export const salesTaxes = z.object({
  taxes: z
    .array(salesTax, 'Taxes must be a list')
    .max(MAX_TAXES, `At most ${MAX_TAXES} taxes`)
    .refine(
      (taxes) =>
        taxes.every(
          (tax, index) => !taxes.slice(index + 1).some((laterTax) => overlaps(tax, laterTax)),
        ),
      OVERLAP,
    ),
})
export type SalesTaxes = z.output<typeof salesTaxes>

export const salesTaxApi = {
  list: {
    method: 'GET',
    path: '/sales-taxes',
    access: 'instructor',
    right: 'money.take',
    summary: 'The sales taxes by kind of charge. Without any, nothing is taxed',
    reply: salesTaxes,
  },
  set: {
    method: 'PUT',
    path: '/sales-taxes',
    access: 'instructor',
    right: 'settings',
    summary: 'Replace the sales taxes. Existing charges keep the tax that they were charged with',
    body: salesTaxes,
    reply: salesTaxes,
  },
} as const satisfies Api
