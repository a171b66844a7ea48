import { conversationsApi } from '@tatami/contract/texting/conversations'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { familiesApi } from '@tatami/contract/families/families'
import { pricesApi } from '@tatami/contract/dues/prices'
import { studentConsentsApi } from '@tatami/contract/texting/student-consents'
import { studentsApi } from '@tatami/contract/students/students'
import { useQueryClient } from '@tanstack/react-query'
import { endpointQuery, endpointKey, useRetryingQuery } from '../lib/query.ts'

export const familiesQuery = endpointQuery(familiesApi.list)
export const suggestionsQuery = endpointQuery(familiesApi.suggestions)
export const changesQuery = endpointQuery(familiesApi.changes)

/** These endpoints return guardians or links, or depend on them, such as sibling prices. */
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

export function useRefreshFamilies() {
  const cache = useQueryClient()
  return async () => {
    await Promise.all(
      AFFECTED_ENDPOINTS.map((endpoint) =>
        cache.invalidateQueries({ queryKey: [endpointKey(endpoint)] }),
      ),
    )
  }
}

export function useGuardian(id: string) {
  const families = useRetryingQuery(familiesQuery)
  return { ...families, guardian: families.data?.guardians.find((guardian) => guardian.id === id) }
}
