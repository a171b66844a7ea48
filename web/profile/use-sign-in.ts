import { useQueryClient } from '@tanstack/react-query'
import type { Reply } from '@tatami/contract/lib/endpoint'
import { profileApi } from '@tatami/contract/profile/profile'
import { endpointQuery } from '../lib/query.ts'
import { session } from '../lib/session.ts'

/** Starts the session of a user whom the server has just signed in. The guards react to the session and navigate. */
export function useSignIn() {
  const cache = useQueryClient()
  return ({ token, user }: Reply<typeof profileApi.login>) => {
    // Another user of this tab must not see cached answers of the one before.
    cache.removeQueries()
    cache.setQueryData(endpointQuery(profileApi.show).queryKey, user)
    session.start(token)
  }
}
