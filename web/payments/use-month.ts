import { FIRST_YEAR, LAST_YEAR } from '@tatami/contract/fields'
import { firstDayOf, type Month } from '@tatami/contract/month'
import { useAddress } from '../lib/use-address.ts'
import { thisMonth } from '../lib/month.ts'

const written = (month: Month) => firstDayOf(month).slice(0, 7)

function monthIn(words: string | null): Month | undefined {
  const [year = 0, month = 0] = /^\d{4}-\d\d$/.test(words ?? '') ? words!.split('-').map(Number) : []
  return month >= 1 && month <= 12 && year >= FIRST_YEAR && year <= LAST_YEAR ? { month: month - 1, year } : undefined
}

/** The month in the address, "?month=2026-03"; the current one where none stands there. */
export function useMonth() {
  const [query, change] = useAddress()
  const current = thisMonth()
  const month = monthIn(query.get('month')) ?? current
  const choose = (chosen: Month) => change({ month: written(chosen) === written(current) ? '' : written(chosen) })
  return [month, choose] as const
}
