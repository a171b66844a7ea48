import { useQueryClient } from '@tanstack/react-query'
import { classesApi } from '@tatami/contract/classes/classes'
import { useEndpointMutation } from '../lib/query.ts'

export function useDeleteClass(callbacks: { onDone?: () => void; onError?: () => void } = {}) {
  const cache = useQueryClient()
  return useEndpointMutation(classesApi.remove, {
    refreshes: [classesApi.list],
    onSuccess: () => {
      // Any other screen may show the class, so its data reloads when the screen opens.
      void cache.invalidateQueries({ refetchType: 'none' })
      callbacks.onDone?.()
    },
    onError: () => callbacks.onError?.(),
  })
}
