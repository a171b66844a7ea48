import { classMatches, type DojoClass } from '@tatami/contract/classes/classes'
import { nameStartsWith } from '@tatami/contract/lib/name-search'
import { studentMatches } from '@tatami/contract/students/student-search'
import type { Student } from '@tatami/contract/students/students'
import type { LinkPath } from '../lib/paths.ts'

const MAX_STUDENTS = 8
const MAX_CLASSES = 4

/** A name matches from the start of a word; other details of a class only from 3 letters. */
const isClassFound = (c: DojoClass, search: string) =>
  nameStartsWith(search)(c.class_name) || (search.length >= 3 && classMatches(c, search))

export type Destination = { path: LinkPath; title: string }

/** Students whose name starts with the search come first. An empty search finds all screens. */
export function findAnything(
  text: string,
  lists: {
    students: readonly Student[]
    classes: readonly DojoClass[]
    screens: readonly Destination[]
  },
) {
  const search = text.trim()
  if (search === '')
    return { students: [], moreStudents: 0, classes: [], screens: [...lists.screens] }
  const isBeginning = nameStartsWith(search)
  const matching = lists.students.filter((student) => studentMatches(student, search, 'all'))
  const matches = matching.toSorted(
    (a, b) => Number(isBeginning(b.name)) - Number(isBeginning(a.name)),
  )
  return {
    students: matches.slice(0, MAX_STUDENTS),
    moreStudents: Math.max(0, matches.length - MAX_STUDENTS),
    classes: lists.classes.filter((c) => isClassFound(c, search)).slice(0, MAX_CLASSES),
    screens: lists.screens.filter(({ title }) => isBeginning(title)),
  }
}
