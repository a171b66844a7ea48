import { type DojoClass, timeRange } from '@tatami/contract/classes'
import type { Student } from '@tatami/contract/students'

export type ClassGroup = { id: string; name: string; time: string | null; students: Student[] }

/** The students class by class, in the order of the classes; whoever is in several stands in each. Empty groups are left out. */
export function groupByClass(students: readonly Student[], classes: readonly DojoClass[]): ClassGroup[] {
  const known = new Set(classes.map(({ id }) => id))
  return [
    ...classes.map((c) => ({ id: c.id, name: c.class_name, time: timeRange(c), students: students.filter((s) => s.enrolled_classes.includes(c.id)) })),
    { id: 'unknown', name: 'Class not known', time: null, students: students.filter((s) => s.enrolled_classes.length > 0 && !s.enrolled_classes.some((id) => known.has(id))) },
    { id: 'unassigned', name: 'Unassigned', time: null, students: students.filter((s) => s.enrolled_classes.length === 0) },
  ].filter((group) => group.students.length > 0)
}

/** The names of the classes one is in; a class that is not in the list is left out. */
export const classNames = (student: Student, classes: readonly DojoClass[]): string =>
  classes.filter(({ id }) => student.enrolled_classes.includes(id)).map((c) => c.class_name).join(', ')
