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
export function toggleSort(current: SenseiSort, by: SenseiSortKey): SenseiSort {
  if (current === by) return `-${by}`
  if (current === `-${by}`) return by
  return DESCENDING_FIRST.includes(by) ? `-${by}` : by
}

/** Which way a column is sorted, as aria-sort has it. */
export const directionOf = (sort: SenseiSort, by: SenseiSortKey) =>
  sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : undefined
