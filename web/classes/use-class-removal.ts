import { useQueryClient } from '@tanstack/react-query'
import { classesApi } from '@tatami/contract/classes'
import { useEndpointMutation } from '../lib/query.ts'

/** Deletes a class. Whatever else named it, a student's classes for one, is asked again when it is next shown. */
export function useClassRemoval(on: { onDone?: () => void; onError?: () => void } = {}) {
  const cache = useQueryClient()
  return useEndpointMutation(classesApi.remove, {
    refreshes: [classesApi.list],
    onSuccess: () => {
      void cache.invalidateQueries({ refetchType: 'none' })
      on.onDone?.()
    },
    onError: () => on.onError?.(),
  })
}
