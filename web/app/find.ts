import { classMatches, type DojoClass } from '@tatami/contract/classes/classes'
import { nameBegins } from '@tatami/contract/lib/name-search'
import { studentMatches } from '@tatami/contract/students/student-search'
import type { Student } from '@tatami/contract/students/students'
import type { LinkPath } from '../lib/paths.ts'

/** How many students a search shows; more are told apart by typing more. */
const MAX_STUDENTS = 8
const MAX_CLASSES = 4

/** By the beginning of its name's words; what else is said of a class finds it once more than a syllable is typed. */
const isClassFound = (c: DojoClass, search: string) =>
  nameBegins(search)(c.class_name) || (search.length >= 3 && classMatches(c, search))

/** A place to go to by its name. */
export type Destination = { path: LinkPath; title: string }

/** What a search finds: students whose names begin so first, classes, screens. Nothing typed finds every screen, and nobody. */
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
  const isBeginning = nameBegins(search)
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
