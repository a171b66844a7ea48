import { utcDay } from '@tatami/contract/lib/calendar-day'
import {
  ACTIVITY_DAYS,
  NEWEST_FIRST,
  type Sensei,
  SENSEI_SORTS,
  type SenseiSort,
  type SenseiSortKey,
} from '@tatami/contract/sensei/sensei'
import { formatDate } from '../lib/dates.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'

/** The specification has these texts (section 2). */
export const describeDojo = (name: string | null) =>
  name?.trim()
    ? { name, branding: 'Custom Branding' }
    : { name: 'Not Set', branding: 'Default Branding' }

export const formatCityAndState = ({ city, state }: Pick<Sensei, 'city' | 'state'>) =>
  joinNonEmpty([city, state])

/** The first choice is the default, which does not appear in the URL. */
export const SORT_CHOICES: readonly [SenseiSort, ...SenseiSort[]] = [
  NEWEST_FIRST,
  ...SENSEI_SORTS.filter((sort) => sort !== NEWEST_FIRST),
]

const DESCENDING_FIRST: readonly SenseiSortKey[] = ['students', 'created']

export function toggleSort(sort: SenseiSort, column: SenseiSortKey): SenseiSort {
  if (sort === column) return `-${column}`
  if (sort === `-${column}`) return column
  return DESCENDING_FIRST.includes(column) ? `-${column}` : column
}

export function findSortDirection(sort: SenseiSort, column: SenseiSortKey) {
  if (sort === column) return 'ascending'
  return sort === `-${column}` ? 'descending' : undefined
}

type Activity = Sensei['activity']

export function formatLastLogin({ last_seen_on }: Activity, now = new Date()): string {
  if (last_seen_on === null) return 'Never'
  return last_seen_on === utcDay(now) ? 'Today' : formatDate(last_seen_on)
}

export const formatTextCount = ({ texts }: Activity): string =>
  `${pluralize(texts, 'text')} in ${ACTIVITY_DAYS} days`
