import { useQueryClient } from '@tanstack/react-query'
import type { Vacation } from '@tatami/contract/students/student-page'
import { studentsApi } from '@tatami/contract/students/students'
import { refreshAll, useEndpointMutation } from '../lib/query.ts'

type Answers = { onSuccess?: () => void; onError?: (error: Error) => void }

export function useVacation(id: string) {
  const cache = useQueryClient()
  const { mutate, isPending, error } = useEndpointMutation(studentsApi.setVacation, {
    onSuccess: () => refreshAll(cache),
  })
  return {
    save: (body: Vacation, answers: Answers = {}) => mutate({ params: { id }, body }, answers),
    isPending,
    error,
  }
}
