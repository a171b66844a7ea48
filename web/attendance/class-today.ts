import type { Weekday } from '@tatami/contract/lib/calendar-day'
import { classesOn, type DojoClass } from '@tatami/contract/classes/classes'
import type { Student } from '@tatami/contract/students/students'

type EnrolledStudent = Pick<Student, 'enrolled_classes'>

/** Sorts the classes by how likely the student comes: the student's own classes come first, and
 *  today's classes come before others. */
export function sortForStudent(
  weekday: Weekday,
  student: EnrolledStudent,
  classes: readonly DojoClass[],
): DojoClass[] {
  const todaysClasses = classesOn(weekday, classes)
  const isEnrolled = ({ id }: DojoClass) => student.enrolled_classes.includes(id)
  return [
    ...new Set([
      ...todaysClasses.filter(isEnrolled),
      ...classes.filter(isEnrolled),
      ...todaysClasses,
      ...classes,
    ]),
  ]
}

/** Returns undefined if the student has no class or several classes on this weekday. */
export function findOnlyClassToday(
  weekday: Weekday,
  student: EnrolledStudent,
  classes: readonly DojoClass[],
): DojoClass | undefined {
  const todaysClasses = classesOn(weekday, classes).filter(({ id }) =>
    student.enrolled_classes.includes(id),
  )
  return todaysClasses.length === 1 ? todaysClasses[0] : undefined
}
