import { type DojoClass, timeRange } from '@tatami/contract/classes/classes'
import type { Student } from '@tatami/contract/students/students'
import { rankName } from '../ui/rank-name.ts'
import { joinNonEmpty } from './text.ts'

export type ClassGroup = {
  id: string
  name: string
  time: string | null
  count: number
  students: Student[]
}

export const studentsInClass = ({ id }: DojoClass, students: readonly Student[]) =>
  students.filter((student) => student.enrolled_classes.includes(id))

export function groupByClass(
  students: readonly Student[],
  classes: readonly DojoClass[],
): ClassGroup[] {
  const classIds = new Set(classes.map(({ id }) => id))
  const hasOnlyUnknownClasses = (student: Student) =>
    student.enrolled_classes.length > 0 &&
    !student.enrolled_classes.some((classId) => classIds.has(classId))
  const groups = [
    ...classes.map((dojoClass) => ({
      id: dojoClass.id,
      name: dojoClass.class_name,
      time: timeRange(dojoClass),
      students: studentsInClass(dojoClass, students),
    })),
    {
      id: 'unknown',
      name: 'Unknown class',
      time: null,
      students: students.filter(hasOnlyUnknownClasses),
    },
    {
      id: 'unassigned',
      name: 'Unassigned',
      time: null,
      students: students.filter((student) => student.enrolled_classes.length === 0),
    },
  ]
  return groups
    .filter((group) => group.students.length > 0)
    .map((group) => ({ ...group, count: group.students.length }))
}

export type UniqueGroup = ClassGroup & { listedAbove: Student[] }

/** Keeps students only in their first group. In their other groups, they are `listedAbove`. */
export function listStudentsOnce(groups: readonly ClassGroup[]): UniqueGroup[] {
  const listedIds = new Set<string>()
  return groups.map((group) => {
    const students = group.students.filter(({ id }) => !listedIds.has(id))
    const listedAbove = group.students.filter(({ id }) => listedIds.has(id))
    for (const { id } of students) listedIds.add(id)
    return { ...group, students, listedAbove }
  })
}

/** Keeps the first `maxStudents` students across all groups. Each group keeps its full count. */
export function limitStudents<Group extends ClassGroup>(
  groups: readonly Group[],
  maxStudents: number,
): Group[] {
  let remainingCount = maxStudents
  return groups.flatMap((group) => {
    if (remainingCount === 0) return []
    const students = group.students.slice(0, remainingCount)
    remainingCount -= students.length
    return [{ ...group, students }]
  })
}

export const enrolledClassNames = (student: Student, classes: readonly DojoClass[]): string =>
  classes
    .filter(({ id }) => student.enrolled_classes.includes(id))
    .map((dojoClass) => dojoClass.class_name)
    .join(', ')

/** Returns the student's classes, such as "Teens, Adults", except the class whose students are
 *  listed. */
export const otherClassNames = (
  student: Student,
  classes: readonly DojoClass[],
  listedClassId: string,
): string =>
  enrolledClassNames(
    student,
    classes.filter(({ id }) => id !== listedClassId),
  )

/** Describes a student so that the user can tell students with the same name apart, as in "Green
 *  belt · Little Dragons · ann@example.com". */
export const describeStudent = (
  student: Student,
  classes: readonly DojoClass[] | undefined,
): string =>
  joinNonEmpty(
    [
      rankName(student.rank, student.belt_level),
      classes && (enrolledClassNames(student, classes) || 'No classes'),
      student.email,
    ],
    ' · ',
  )
