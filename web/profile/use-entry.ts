import { useQueryClient } from '@tanstack/react-query'
import type { Reply } from '@tatami/contract/endpoint'
import { profileApi } from '@tatami/contract/profile'
import { endpointQuery } from '../lib/query.ts'
import { session } from '../lib/session.ts'

/** Lets in whom the server has just signed in. Where that leads is for those who watch the session. */
export function useEntry() {
  const cache = useQueryClient()
  return ({ token, user }: Reply<typeof profileApi.login>) => {
    // Nothing that an earlier person saw in this tab.
    cache.removeQueries()
    cache.setQueryData(endpointQuery(profileApi.show).queryKey, user)
    session.start(token)
  }
}
