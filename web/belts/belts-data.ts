import type { Ladder, Style } from '@tatami/contract/belts/belts'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { useQueryClient } from '@tanstack/react-query'
import { refreshAll, useEndpointMutation } from '../lib/query.ts'

/** A mutation that refreshes everything, because ranks show on many screens. */
export function useRankMutation<const RankEndpoint extends Endpoint>(
  endpoint: RankEndpoint,
  options: Parameters<typeof useEndpointMutation<RankEndpoint>>[1] = {},
) {
  const client = useQueryClient()
  return useEndpointMutation(endpoint, {
    ...options,
    onSuccess: (...args) => {
      refreshAll(client)
      return options.onSuccess?.(...args)
    },
  })
}

export const countStudents = ({ ranks }: Pick<Ladder, 'ranks'>): number =>
  ranks.reduce((sum, { students }) => sum + students, 0)

export const countOtherStudents = ({ ladders }: Style, { id }: Ladder): number =>
  ladders
    .filter((otherLadder) => otherLadder.id !== id)
    .reduce((sum, otherLadder) => sum + countStudents(otherLadder), 0)
