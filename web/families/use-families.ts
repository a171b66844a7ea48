import { conversationsApi } from '@tatami/contract/texting/conversations'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { familiesApi } from '@tatami/contract/families/families'
import { pricesApi } from '@tatami/contract/dues/prices'
import { studentConsentsApi } from '@tatami/contract/texting/student-consents'
import { studentsApi } from '@tatami/contract/students/students'
import { useQueryClient } from '@tanstack/react-query'
import { endpointQuery, keyOf, useRetryingQuery } from '../lib/query.ts'

export const familiesQuery = endpointQuery(familiesApi.list)
export const suggestionsQuery = endpointQuery(familiesApi.suggestions)
export const changesQuery = endpointQuery(familiesApi.changes)

/** What shows guardians and their links, or follows from them: where texts go, and what a sibling pays. */
const AFFECTED_ENDPOINTS: Endpoint[] = [
  familiesApi.list,
  familiesApi.suggestions,
  familiesApi.changes,
  studentsApi.list,
  studentsApi.show,
  studentConsentsApi.list,
  conversationsApi.phone,
  conversationsApi.studentPhones,
  pricesApi.reduced,
]

/** Reloads everything that shows families. A change that waits for it goes on showing what was chosen until the lists say so. */
export function useRefreshFamilies() {
  const cache = useQueryClient()
  return async () => {
    await Promise.all(
      AFFECTED_ENDPOINTS.map((endpoint) =>
        cache.invalidateQueries({ queryKey: [keyOf(endpoint)] }),
      ),
    )
  }
}

/** A guardian by id, as the list of families has them. */
export function useGuardian(id: string) {
  const families = useRetryingQuery(familiesQuery)
  return { ...families, guardian: families.data?.guardians.find((guardian) => guardian.id === id) }
}
