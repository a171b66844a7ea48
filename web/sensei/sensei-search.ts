import type { Sensei, SenseiFilter } from '@tatami/contract/sensei'

/** Whom a stat card counts, and of them who has the typed words in name, dojo, e-mail or place. */
export function senseiMatches(sensei: Sensei, typed: string, filter: SenseiFilter): boolean {
  if (filter !== 'all' && sensei.is_active !== (filter === 'active')) return false
  const word = typed.trim().toLowerCase()
  return [sensei.full_name, sensei.dojo_name, sensei.email, sensei.city, sensei.state].some((text) => text?.toLowerCase().includes(word))
}

/** What the super admin sees of a dojo's name (specification, section 2). */
export const dojoShown = (name: string | null) =>
  name?.trim() ? { name, branding: 'Custom Branding' } : { name: 'Not Set', branding: 'Default Branding' }

export type SortKey = 'name' | 'dojo' | 'place' | 'students' | 'status' | 'created'
type Sorting = { by: SortKey; isAscending: boolean }

export const placeOf = ({ city, state }: Pick<Sensei, 'city' | 'state'>) => [city, state].filter(Boolean).join(', ')

const { compare } = new Intl.Collator(undefined, { numeric: true })
const byText = (textOf: (sensei: Sensei) => string) => (a: Sensei, b: Sensei) => compare(textOf(a), textOf(b))
const byNumber = (numberOf: (sensei: Sensei) => number) => (a: Sensei, b: Sensei) => numberOf(a) - numberOf(b)

const COMPARE: Record<SortKey, (a: Sensei, b: Sensei) => number> = {
  name: byText(({ full_name }) => full_name),
  dojo: byText(({ dojo_name }) => dojoShown(dojo_name).name),
  place: byText(placeOf),
  students: byNumber(({ total_students }) => total_students),
  status: byText(({ is_active }) => (is_active ? 'Active' : 'Inactive')),
  created: byNumber(({ created_at }) => Date.parse(created_at)),
}
/** What is asked for first of a column: most students, the newest, words from A. */
const STARTS_DESCENDING: readonly SortKey[] = ['students', 'created']

/** The order in which the server lists sensei. */
export const NEWEST_FIRST: Sorting = { by: 'created', isAscending: false }

/** A second press on the same column turns the order round. */
export const sortingAfterPress = (now: Sorting, by: SortKey): Sorting => ({
  by,
  isAscending: now.by === by ? !now.isAscending : !STARTS_DESCENDING.includes(by),
})

/** Equal ones keep the server's order, the newest first. */
export const sortSensei = (sensei: readonly Sensei[], { by, isAscending }: Sorting): Sensei[] =>
  sensei.toSorted((a, b) => (isAscending ? COMPARE[by](a, b) : COMPARE[by](b, a)))
