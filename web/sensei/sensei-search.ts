import type { Sensei, SenseiFilter } from '@tatami/contract/sensei'

/** Whether the stat card's filter and the search (name, dojo, email, city, state) match a sensei. */
export function senseiMatches(sensei: Sensei, search: string, filter: SenseiFilter): boolean {
  if (filter !== 'all' && sensei.is_active !== (filter === 'active')) return false
  const searched = search.trim().toLowerCase()
  return [sensei.full_name, sensei.dojo_name, sensei.email, sensei.city, sensei.state].some((text) =>
    text?.toLowerCase().includes(searched),
  )
}

/** The dojo's name as the super admin sees it, with the kind of branding (specification, section 2). */
export const dojoNameAndBranding = (name: string | null) =>
  name?.trim() ? { name, branding: 'Custom Branding' } : { name: 'Not Set', branding: 'Default Branding' }

export type SortKey = 'name' | 'dojo' | 'place' | 'students' | 'status' | 'created'
type Sorting = { by: SortKey; isAscending: boolean }

export const cityAndState = ({ city, state }: Pick<Sensei, 'city' | 'state'>) => [city, state].filter(Boolean).join(', ')

const { compare } = new Intl.Collator(undefined, { numeric: true })
const byText = (textOf: (sensei: Sensei) => string) => (a: Sensei, b: Sensei) => compare(textOf(a), textOf(b))
const byNumber = (numberOf: (sensei: Sensei) => number) => (a: Sensei, b: Sensei) => numberOf(a) - numberOf(b)

const COMPARE: Record<SortKey, (a: Sensei, b: Sensei) => number> = {
  name: byText(({ full_name }) => full_name),
  dojo: byText(({ dojo_name }) => dojoNameAndBranding(dojo_name).name),
  place: byText(cityAndState),
  students: byNumber(({ total_students }) => total_students),
  status: byText(({ is_active }) => (is_active ? 'Active' : 'Inactive')),
  created: byNumber(({ created_at }) => Date.parse(created_at)),
}
/** Columns that sort descending at the first click: most students, newest first. */
const DESCENDING_FIRST: readonly SortKey[] = ['students', 'created']

/** The order in which the server lists sensei. */
export const NEWEST_FIRST: Sorting = { by: 'created', isAscending: false }

/** A second click on the same column reverses the order. */
export const toggleSorting = (current: Sorting, by: SortKey): Sorting => ({
  by,
  isAscending: current.by === by ? !current.isAscending : !DESCENDING_FIRST.includes(by),
})

/** Equal rows keep the server's order, newest first. */
export const sortSensei = (sensei: readonly Sensei[], { by, isAscending }: Sorting): Sensei[] =>
  sensei.toSorted((a, b) => (isAscending ? COMPARE[by](a, b) : COMPARE[by](b, a)))
