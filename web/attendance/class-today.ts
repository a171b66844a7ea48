import type { Weekday } from '@tatami/contract/lib/calendar-day'
import { classesOn, type DojoClass } from '@tatami/contract/classes/classes'
import type { Student } from '@tatami/contract/students/students'

type Enrolled = Pick<Student, 'enrolled_classes'>

/** The student's classes of today, then their others, then what else is on today, then the rest. */
export function classesByLikelihood(
  weekday: Weekday,
  student: Enrolled,
  classes: readonly DojoClass[],
): DojoClass[] {
  const onToday = classesOn(weekday, classes)
  const isOwn = ({ id }: DojoClass) => student.enrolled_classes.includes(id)
  return [...new Set([...onToday.filter(isOwn), ...classes.filter(isOwn), ...onToday, ...classes])]
}

/** The only class of the student today; undefined where there is none, or more than one. */
export function onlyClassToday(
  weekday: Weekday,
  student: Enrolled,
  classes: readonly DojoClass[],
): DojoClass | undefined {
  const own = classesOn(weekday, classes).filter(({ id }) => student.enrolled_classes.includes(id))
  return own.length === 1 ? own[0] : undefined
}
