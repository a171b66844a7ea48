import { useQueryClient } from '@tanstack/react-query'
import type { Vacation } from '@tatami/contract/students/student-page'
import { studentsApi } from '@tatami/contract/students/students'
import { refreshAll, useEndpointMutation } from '../lib/query.ts'

type Callbacks = { onSuccess?: () => void; onError?: (error: Error) => void }

export function useVacation(id: string) {
  const cache = useQueryClient()
  const { mutate, isPending, error } = useEndpointMutation(studentsApi.setVacation, {
    onSuccess: () => refreshAll(cache),
  })
  return {
    save: (body: Vacation, callbacks: Callbacks = {}) =>
      mutate({ params: { id }, body }, callbacks),
    isPending,
    error,
  }
}
