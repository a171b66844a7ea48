import type { Weekday } from '@tatami/contract/lib/calendar-day'
import { classesOn, type DojoClass } from '@tatami/contract/classes/classes'
import type { Student } from '@tatami/contract/students/students'

type EnrolledStudent = Pick<Student, 'enrolled_classes'>

export function sortByLikelihood(
  weekday: Weekday,
  student: EnrolledStudent,
  classes: readonly DojoClass[],
): DojoClass[] {
  const todaysClasses = classesOn(weekday, classes)
  const isOwn = ({ id }: DojoClass) => student.enrolled_classes.includes(id)
  return [
    ...new Set([
      ...todaysClasses.filter(isOwn),
      ...classes.filter(isOwn),
      ...todaysClasses,
      ...classes,
    ]),
  ]
}

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
