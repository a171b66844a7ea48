import { type Month, monthKey } from '@tatami/contract/lib/calendar-day'
import { isPaying, matchesPaymentFilter, PAYMENT_FILTERS } from '@tatami/contract/dues/payments'
import { studentMatches } from '@tatami/contract/students/student-search'
import type { Student } from '@tatami/contract/students/students'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { useSearchText, useUrlChoice } from '../lib/url-query.ts'
import { matchesOnlineFilter, ONLINE_FILTERS, type OnlineFilter } from './online-words.ts'
import { usePlanFilter } from './plan-filter.ts'
import type { GetStudentMonth, Payments } from './use-payments.ts'

/** The filters of the specification, 'paying' (the first tile, without students on trial), and the
 *  filters for online payment. */
const LIST_FILTERS = [...PAYMENT_FILTERS, 'paying', ...ONLINE_FILTERS] as const
export type ListFilter = (typeof LIST_FILTERS)[number]

const isOnlineFilter = (filter: ListFilter): filter is OnlineFilter =>
  ONLINE_FILTERS.some((onlineFilter) => onlineFilter === filter)

function matchesFilter(
  filter: ListFilter,
  student: Student,
  getStudentMonth: GetStudentMonth,
): boolean {
  if (filter === 'paying') return isPaying(student)
  const { state, online } = getStudentMonth(student)
  if (isOnlineFilter(filter)) return matchesOnlineFilter(filter, online)
  // A month whose record could not be loaded counts as unpaid.
  return matchesPaymentFilter(filter, state === 'unconfirmed' ? 'unpaid' : state)
}

export function useListFilter({ students, getStudentMonth }: Payments, month: Month) {
  const [filter, setFilter] = useUrlChoice('filter', LIST_FILTERS)
  const [search, setSearch] = useSearchText()
  const deferredSearch = useDeferredValue(search)
  const planFilter = usePlanFilter()
  const matchingStudents = useMemo(
    () => students.filter((student) => studentMatches(student, deferredSearch, 'all')),
    [students, deferredSearch],
  ).filter(planFilter.matches)
  // Students who were just marked stay in the list, so that rows do not move while the user taps.
  const pinnedIds = useIdSet(`${filter} ${monthKey(month)} ${deferredSearch}`)
  const changeFilter = (newFilter: ListFilter) => {
    pinnedIds.clear()
    setFilter(newFilter)
  }
  return {
    filter,
    setFilter: changeFilter,
    search,
    setSearch,
    planFilter,
    isFiltered: filter !== 'all' || deferredSearch.trim() !== '' || planFilter.value !== '',
    showAll: () => {
      changeFilter('all')
      setSearch('')
      planFilter.setValue('')
    },
    pin: (ids: readonly string[]) => pinnedIds.setIncluded(ids, true),
    visibleStudents: matchingStudents.filter(
      (student) => pinnedIds.ids.has(student.id) || matchesFilter(filter, student, getStudentMonth),
    ),
    countMatching: (choice: ListFilter) =>
      matchingStudents.filter((student) => matchesFilter(choice, student, getStudentMonth)).length,
  }
}

export type ListFilterState = ReturnType<typeof useListFilter>

const NO_IDS: ReadonlySet<string> = new Set()

/** A set of ids, such as the selected students. It is emptied when `listKey` changes. */
export function useIdSet(listKey: string) {
  const [state, setState] = useState({ listKey, ids: NO_IDS })
  const ids = state.listKey === listKey ? state.ids : NO_IDS
  const setIncluded = useCallback(
    (changedIds: readonly string[], isIncluded: boolean) =>
      setState((previousState) => {
        const oldIds = previousState.listKey === listKey ? [...previousState.ids] : []
        const otherIds = oldIds.filter((id) => !changedIds.includes(id))
        return { listKey, ids: new Set(isIncluded ? [...otherIds, ...changedIds] : otherIds) }
      }),
    [listKey],
  )
  const clear = useCallback(() => setState({ listKey, ids: NO_IDS }), [listKey])
  return { ids, setIncluded, clear }
}
