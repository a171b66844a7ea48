import { studentsApi } from '@tatami/contract/students'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, call, gotNoAnswer } from '../lib/api.ts'
import { logFailure } from '../lib/log-failure.ts'
import { type NewStudentBody, realClasses } from './student-form.ts'

/** Creates the student, then enrols class by class; a class that fails is only logged (specification, section 4). */
async function enrol(body: NewStudentBody) {
  const { student } = await call(studentsApi.create, { body })
  // What is not a student's record fails here, before anything is said to be done.
  const { id } = student
  const joined: string[] = []
  for (const classId of realClasses(body.class_preferences ?? [])) {
    try {
      await call(studentsApi.enrol, { params: { id, classId } })
      joined.push(classId)
    } catch (error) {
      logFailure(studentsApi.enrol, error)
    }
  }
  return { student, joined }
}

/** The student, and the classes that really took them. */
export type Enrolled = Awaited<ReturnType<typeof enrol>>

export function useEnrolment() {
  const cache = useQueryClient()
  // Lists, figures and birthdays of every screen may have one more.
  const refresh = () => void cache.invalidateQueries()
  return useMutation({
    mutationFn: enrol,
    onSuccess: refresh,
    onError: (error) => {
      const mayBeDone = !(error instanceof ApiError) || gotNoAnswer(error)
      if (mayBeDone) refresh()
    },
  })
}
