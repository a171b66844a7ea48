import { useQueryClient } from '@tanstack/react-query'
import { classesApi } from '@tatami/contract/classes/classes'
import { reloadOnOpen, useEndpointMutation } from '../lib/query.ts'

export function useDeleteClass(callbacks: { onDone?: () => void; onError?: () => void } = {}) {
  const client = useQueryClient()
  return useEndpointMutation(classesApi.remove, {
    refreshes: [classesApi.list],
    onSuccess: () => {
      reloadOnOpen(client)
      callbacks.onDone?.()
    },
    onError: () => callbacks.onError?.(),
  })
}
