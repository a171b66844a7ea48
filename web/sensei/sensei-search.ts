import { joinWords } from '../lib/text.ts'
import {
  NEWEST_FIRST,
  type Sensei,
  SENSEI_SORTS,
  type SenseiSort,
  type SenseiSortKey,
} from '@tatami/contract/sensei/sensei'

/** The dojo's name as the super admin sees it, with the kind of branding (specification, section 2). */
export const dojoNameAndBranding = (name: string | null) =>
  name?.trim()
    ? { name, branding: 'Custom Branding' }
    : { name: 'Not Set', branding: 'Default Branding' }

export const cityAndState = ({ city, state }: Pick<Sensei, 'city' | 'state'>) =>
  joinWords([city, state])

/** The orders that may stand in the address; the first is the one without any. */
export const SORT_CHOICES: readonly [SenseiSort, ...SenseiSort[]] = [
  NEWEST_FIRST,
  ...SENSEI_SORTS.filter((sort) => sort !== NEWEST_FIRST),
]

/** Columns that sort descending at the first click: most students, newest first. */
const DESCENDING_FIRST: readonly SenseiSortKey[] = ['students', 'created']

/** A second click on the same column reverses the order. */
export function toggleSort(current: SenseiSort, column: SenseiSortKey): SenseiSort {
  if (current === column) return `-${column}`
  if (current === `-${column}`) return column
  return DESCENDING_FIRST.includes(column) ? `-${column}` : column
}

/** Which way a column is sorted, as aria-sort has it. */
export const directionOf = (sort: SenseiSort, column: SenseiSortKey) =>
  sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : undefined
