import { NativeSelect } from '@mantine/core'
import { thisMonth } from '../lib/month.ts'
import { useUrlQuery } from '../lib/url-query.ts'

const YEAR_COUNT = 10
export const listRecentYears = () =>
  Array.from({ length: YEAR_COUNT }, (_, yearsAgo) => String(thisMonth().year - yearsAgo))

export function useYear() {
  const [query, changeQuery] = useUrlQuery()
  const currentYear = thisMonth().year
  const yearParam = Number(query.get('year'))
  const year =
    yearParam > currentYear - YEAR_COUNT && yearParam <= currentYear ? yearParam : currentYear
  return [year, (newYear: number) => changeQuery({ year: String(newYear) })] as const
}

type Props = { value: number; onChange: (year: number) => void }

export const YearSelect = ({ value, onChange }: Props) => (
  <NativeSelect
    label="Year"
    w="8rem"
    value={value}
    onChange={(event) => onChange(Number(event.currentTarget.value))}
    data={listRecentYears()}
  />
)
