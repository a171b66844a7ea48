import { type Student, studentsApi } from '@tatami/contract/students'
import { useQueryClient } from '@tanstack/react-query'
import { explain } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'

const FAILED = 'Failed to delete student. Please try again.'

export type StudentRemoval = ReturnType<typeof useStudentRemoval>

/** Deletes a student with everything of theirs. A failure is said by the browser, too (specification, section 8). */
export function useStudentRemoval({ id }: Student) {
  const cache = useQueryClient()
  const { mutate, isPending, error, reset } = useEndpointMutation(studentsApi.remove, { onSuccess: () => void cache.invalidateQueries() })
  return {
    isPending,
    failure: error && explain(error, FAILED),
    remove: (onSuccess: () => void) => mutate({ params: { id } }, { onSuccess, onError: () => alert(FAILED) }),
    reset,
  }
}
