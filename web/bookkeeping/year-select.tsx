import { NativeSelect } from '@mantine/core'
import { thisMonth } from '../lib/month.ts'
import { useUrlQuery } from '../lib/url-query.ts'

/** How many years back can be chosen. */
const YEARS = 10

/** The year in the address, "?year=2026"; else this one. */
export function useYear() {
  const [query, change] = useUrlQuery()
  const now = thisMonth().year
  const asked = Number(query.get('year'))
  const year = asked > now - YEARS && asked <= now ? asked : now
  return [year, (chosen: number) => change({ year: String(chosen) })] as const
}

type Props = { value: number; onChange: (year: number) => void }

export const YearSelect = ({ value, onChange }: Props) => (
  <NativeSelect
    label="Year"
    w="8rem"
    value={value}
    onChange={(event) => onChange(Number(event.currentTarget.value))}
    data={Array.from({ length: YEARS }, (_, step) => String(thisMonth().year - step))}
  />
)
