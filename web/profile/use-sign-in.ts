import { useQueryClient } from '@tanstack/react-query'
import type { Reply } from '@tatami/contract/lib/endpoint'
import { profileApi } from '@tatami/contract/profile/profile'
import { endpointQuery } from '../lib/query.ts'
import { session } from '../lib/session.ts'

export function useSignIn() {
  const cache = useQueryClient()
  return ({ token, user }: Reply<typeof profileApi.login>) => {
    // The new user must not see data of the previous user of this tab.
    cache.removeQueries()
    cache.setQueryData(endpointQuery(profileApi.show).queryKey, user)
    session.start(token)
  }
}
