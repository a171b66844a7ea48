import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { studentsApi } from '@tatami/contract/students/students'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../lib/query.ts'

/** Returns the ids of the students who are enrolled, have a place or are on the waitlist. */
export function useStudentIds({
  class_id,
  students: studentsOnDate,
}: Pick<DatedClass, 'class_id' | 'students'>): string[] | undefined {
  const { data: students } = useQuery(endpointQuery(studentsApi.list))
  if (!students) return undefined
  const enrolledIds = students
    .filter((student) => student.enrolled_classes.includes(class_id))
    .map(({ id }) => id)
  const idsOnDate = studentsOnDate.map(({ student_id }) => student_id)
  return [...new Set([...enrolledIds, ...idsOnDate])]
}
