import type { DojoClass } from '@tatami/contract/classes/classes'
import { studentMatches, STUDENT_FILTERS } from '@tatami/contract/students/student-search'
import type { Student } from '@tatami/contract/students/students'
import { useDeferredValue, useMemo } from 'react'
import { useOpenPage } from '../lib/layout-link.tsx'
import { studentPath } from '../lib/paths.ts'
import { useSearchText, useUrlChoice, useUrlQuery } from '../lib/url-query.ts'

/** The selected class is in the URL, so that Back returns to it. */
export function useClassFilter(classes: readonly DojoClass[]) {
  const [query, changeQuery] = useUrlQuery()
  const selectedId = classes.find(({ id }) => id === query.get('class'))?.id ?? ''
  return { selectedId, onSelect: (classId: string) => changeQuery({ class: classId }) }
}
export type ClassFilter = ReturnType<typeof useClassFilter>

export function useStudentSearch(students: readonly Student[]) {
  const openPage = useOpenPage()
  const [search, setSearch] = useSearchText()
  // An unknown value in the URL is ignored (specification, section 2).
  const [filter, setFilter] = useUrlChoice('filter', STUDENT_FILTERS)
  const deferredSearch = useDeferredValue(search)
  const matches = useMemo(
    () => students.filter((student) => studentMatches(student, deferredSearch, filter)),
    [students, deferredSearch, filter],
  )
  const openSingleMatch = () => {
    // Does not use the deferred matches, which may lag behind the search text.
    const [match, ...otherMatches] = students.filter((student) =>
      studentMatches(student, search, filter),
    )
    if (search.trim() && match && otherMatches.length === 0) openPage(studentPath(match.id))
  }
  const showAll = () => {
    setSearch('')
    setFilter('all')
  }
  return { search, setSearch, filter, setFilter, openSingleMatch, matches, showAll }
}
