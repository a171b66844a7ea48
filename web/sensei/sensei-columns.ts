import { joinNonEmpty } from '../lib/text.ts'
import {
  NEWEST_FIRST,
  type Sensei,
  SENSEI_SORTS,
  type SenseiSort,
  type SenseiSortKey,
} from '@tatami/contract/sensei/sensei'

/** Section 2 of the specification gives these texts. */
export const dojoNameAndBranding = (name: string | null) =>
  name?.trim()
    ? { name, branding: 'Custom Branding' }
    : { name: 'Not Set', branding: 'Default Branding' }

export const cityAndState = ({ city, state }: Pick<Sensei, 'city' | 'state'>) =>
  joinNonEmpty([city, state])

/** The first one is the default, which does not appear in the URL. */
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

export function directionOf(sort: SenseiSort, column: SenseiSortKey) {
  if (sort === column) return 'ascending'
  return sort === `-${column}` ? 'descending' : undefined
}
