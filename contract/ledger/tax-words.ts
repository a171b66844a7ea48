import { formatMoney } from '../lib/money.ts'

/** "8.25%" */
export const formatPercent = (percent: number): string => `${percent}%`

/** "Includes $6.20 sales tax (8.25%)", or null if the charge is not taxed. */
export const taxWords = (
  { tax, tax_percent }: { tax: number | null; tax_percent: number | null },
  format: (dollars: number) => string = formatMoney,
): string | null =>
  tax === null || tax_percent === null
    ? null
    : `Includes ${format(Math.abs(tax))} sales tax (${formatPercent(tax_percent)})`
