import { formatMoney } from '@tatami/contract/lib/money'

/** "$4.50 is missing.": what counted cash is more or less than expected. */
export const differenceWords = (difference: number): string =>
  difference === 0
    ? 'It is right.'
    : difference < 0
      ? `${formatMoney(0 - difference)} is missing.`
      : `${formatMoney(difference)} is too much.`
