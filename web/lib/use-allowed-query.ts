import type { Endpoint } from '@tatami/contract/lib/endpoint'
import type { Args } from './api.ts'
import { useCan } from './current-user.ts'
import { endpointQuery, useRetryingQuery } from './query.ts'

/** For an endpoint that needs a right. Without the right, there is no data, and the query is
 *  neither pending nor unavailable. */
export function useAllowedQuery<const CalledEndpoint extends Endpoint>(
  endpoint: CalledEndpoint,
  ...input: Args<CalledEndpoint>
) {
  const isAllowed = useCan()(endpoint.right ?? 'any')
  const query = useRetryingQuery({
    ...endpointQuery(endpoint, ...input),
    enabled: isAllowed,
  })
  return isAllowed ? query : { ...query, isPending: false, isUnavailable: false }
}
