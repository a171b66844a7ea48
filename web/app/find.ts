import { classMatches, type DojoClass } from '@tatami/contract/classes/classes'
import { nameStartsWith } from '@tatami/contract/lib/name-search'
import { studentMatches } from '@tatami/contract/students/student-search'
import type { NeededRight } from '@tatami/contract/needed-rights'
import type { Student } from '@tatami/contract/students/students'
import type { LinkPath } from '../lib/paths.ts'

const MAX_STUDENTS = 8
const MAX_FORMER_STUDENTS = 4
const MAX_CLASSES = 4
const MAX_ACTIONS = 6

/** Shorter searches look only at a class's name. */
const MIN_DETAIL_LETTERS = 3

/** True if a word in the name starts with the search, or another detail contains it. */
const classMatchesSearch = (dojoClass: DojoClass, search: string) =>
  nameStartsWith(search)(dojoClass.class_name) ||
  (search.length >= MIN_DETAIL_LETTERS && classMatches(dojoClass, search))

export type Destination = { path: LinkPath; title: string }
/** Something that people want to do, and the screen where they do it. */
export type Action = Destination & {
  /** Other words that people may search for. */
  words: string
  /** The right that the action needs besides the right to open the screen. */
  right?: NeededRight
  /** What to do on the screen. */
  details?: string
}

type SearchedLists = {
  students: readonly Student[]
  formerStudents: readonly Student[]
  classes: readonly DojoClass[]
  screens: readonly Destination[]
  actions: readonly Action[]
}

export function findAnything(text: string, lists: SearchedLists) {
  const search = text.trim()
  if (search === '')
    return {
      students: [],
      hiddenStudentCount: 0,
      formerStudents: [],
      hiddenFormerStudentCount: 0,
      classes: [],
      screens: [...lists.screens],
      actions: [],
    }
  const startsWithSearch = nameStartsWith(search)
  const students = lists.students
    .filter((student) => studentMatches(student, search))
    .toSorted((a, b) => Number(startsWithSearch(b.name)) - Number(startsWithSearch(a.name)))
  const formerStudents = lists.formerStudents.filter((student) =>
    studentMatches(student, search, 'former'),
  )
  return {
    students: students.slice(0, MAX_STUDENTS),
    hiddenStudentCount: Math.max(0, students.length - MAX_STUDENTS),
    formerStudents: formerStudents.slice(0, MAX_FORMER_STUDENTS),
    hiddenFormerStudentCount: Math.max(0, formerStudents.length - MAX_FORMER_STUDENTS),
    classes: lists.classes
      .filter((dojoClass) => classMatchesSearch(dojoClass, search))
      .slice(0, MAX_CLASSES),
    screens: lists.screens.filter(({ title }) => startsWithSearch(title)),
    actions: findActions(search, lists.actions),
  }
}

/** Lists actions whose title matches before those with a matching word. */
function findActions(search: string, actions: readonly Action[]) {
  const startsWithSearch = nameStartsWith(search)
  return actions
    .filter(({ title, words }) => startsWithSearch(`${title} ${words}`))
    .toSorted((a, b) => Number(startsWithSearch(b.title)) - Number(startsWithSearch(a.title)))
    .slice(0, MAX_ACTIONS)
}
