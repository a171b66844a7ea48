import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { studentsApi } from '@tatami/contract/students/students'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../lib/query.ts'

/** The ids of the students of a class date: enrolled, with a place, or on the waitlist. */
export function useStudentIds({
  class_id,
  students: studentsOnDate,
}: Pick<DatedClass, 'class_id' | 'students'>): string[] | undefined {
  const { data: students } = useQuery(endpointQuery(studentsApi.list))
  const enrolledIds = students
    ?.filter((student) => student.enrolled_classes.includes(class_id))
    .map(({ id }) => id)
  return (
    enrolledIds && [
      ...new Set([...enrolledIds, ...studentsOnDate.map(({ student_id }) => student_id)]),
    ]
  )
}
