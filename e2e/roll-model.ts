/** A simple model of one roll that is marked on a phone and elsewhere. Tests compare the real app
 *  with it after random taps and network failures. */
import type { MarkValue } from '@tatami/contract/attendance/attendance'
import { mustExist } from '@tatami/contract/lib/must-exist'
import type { RollRow } from './roll-page.ts'

/** The phone's last mark for one student, as long as the server may not have it. */
type OwnMark = {
  present: MarkValue
  /** True if "Rest present" made the mark, which does not replace marks made elsewhere. */
  yieldsToOthers: boolean
  /** The marks that it may replace without a conflict. */
  mayReplace: ReadonlySet<MarkValue>
  /** The server's marks that the phone may know. If a tap returns to such a mark before anything is
   *  sent, nothing needs to be sent. */
  knownMarks: ReadonlySet<MarkValue>
  /** True as long as the student has not been marked elsewhere since. */
  isLast: boolean
  /** True if the server may have accepted it, so later marks made elsewhere count. */
  mayBeSent: boolean
}
type Student = {
  /** The server's mark as the phone knew it when it last had nothing to send. */
  server: MarkValue
  own?: OwnMark
  /** The marks made elsewhere since the phone last had nothing to send. */
  elsewhere: MarkValue[]
  /** True if the phone asks which of two marks is right. */
  hasConflict: boolean
}

const newestServerMark = ({ server, elsewhere }: Student): MarkValue =>
  elsewhere.length > 0 ? (elsewhere.at(-1) ?? null) : server

/** True if the last tap returned to an earlier mark, so there may be nothing to send. */
const isReturned = ({ own, elsewhere }: Student) =>
  own !== undefined && [...own.knownMarks, ...elsewhere].includes(own.present)

/** The marks that the server may have in the end, with or without a conflict on the phone. Empty if
 *  the phone must not be in this state. */
function allowedMarks(student: Student, hasConflict: boolean): MarkValue[] {
  const { own, elsewhere } = student
  const serverMark = newestServerMark(student)
  if (own?.mayBeSent && !own.isLast && !hasConflict)
    return [
      serverMark,
      ...allowedMarks({ ...student, own: { ...own, mayBeSent: false } }, hasConflict),
    ]
  if (hasConflict) {
    const mayAsk = own && !own.yieldsToOthers && (elsewhere.length > 0 || student.hasConflict)
    return mayAsk ? [serverMark] : []
  }
  if (!own) return [serverMark]
  if (elsewhere.length === 0) return [own.present]
  if (own.yieldsToOthers) {
    if (serverMark === null) return [own.present]
    return own.mayReplace.has(serverMark) ? [own.present, serverMark] : [serverMark]
  }
  const mayWin = own.isLast || serverMark === own.present || own.mayReplace.has(serverMark)
  const marks: MarkValue[] = mayWin ? [own.present] : []
  if (isReturned(student)) marks.push(serverMark)
  return marks
}

export function createRollModel(names: readonly string[]) {
  const students = new Map<string, Student>(
    names.map((name) => [name, { server: null, elsewhere: [], hasConflict: false }]),
  )
  const findStudent = (name: string) => mustExist(students.get(name), name)
  let isOnline = true
  return {
    /** Sets whether the server's responses reach the phone from now on. */
    setOnline: (nextValue: boolean) => {
      isOnline = nextValue
      if (isOnline) for (const { own } of students.values()) if (own) own.mayBeSent = true
    },
    tap: (name: string, present: MarkValue, { yieldsToOthers = false } = {}) => {
      const student = findStudent(name)
      const valuesBefore =
        student.own && !student.hasConflict ? [...student.own.mayReplace, student.own.present] : []
      const mayReplace = new Set([student.server, ...student.elsewhere, ...valuesBefore])
      const { knownMarks = [], mayBeSent = false, present: lastMark = null } = student.own ?? {}
      const possiblyKnownMarks = mayBeSent ? [...knownMarks, lastMark] : knownMarks
      Object.assign(student, {
        own: {
          present,
          yieldsToOthers,
          mayReplace,
          knownMarks: new Set([student.server, ...student.elsewhere, ...possiblyKnownMarks]),
          isLast: true,
          mayBeSent: isOnline,
        },
        hasConflict: false,
      })
    },
    markElsewhere: (name: string, present: MarkValue) => {
      const student = findStudent(name)
      student.elsewhere.push(present)
      if (student.own) student.own.isLast = false
    },
    /** The marks that a phone shows offline because they may not have been sent. */
    unsentMarks: () =>
      new Map(
        [...students].flatMap(([name, student]) => {
          const { own, hasConflict, elsewhere } = student
          const isOverridden = own?.yieldsToOthers && elsewhere.length > 0
          const isShown = own && !hasConflict && !isReturned(student) && !isOverridden
          return isShown ? [[name, own.present] as const] : []
        }),
      ),
    /** Compares the server's marks and the phone's rows with the model when nothing is waiting to
     *  be sent. Returns what is wrong. */
    settle: (serverMarks: ReadonlyMap<string, MarkValue>, rows: readonly RollRow[]): string[] =>
      rows.flatMap(({ name, present, hasConflict }) => {
        const student = findStudent(name)
        const serverMark = serverMarks.get(name) ?? null
        const marks = allowedMarks(student, hasConflict)
        const problems = marks.includes(serverMark)
          ? []
          : [
              `${name} is ${serverMark}${hasConflict ? ' with a conflict' : ''}, ` +
                `allowed is ${marks.join(' or ') || 'nothing'}: ${describe(student)}`,
            ]
        const ownMark = hasConflict ? student.own : undefined
        // Without a conflict, the phone may not have loaded the marks from elsewhere yet.
        const server = hasConflict ? serverMark : present
        const elsewhere = server === serverMark ? [] : [serverMark]
        students.set(name, { server, elsewhere, hasConflict, ...(ownMark && { own: ownMark }) })
        return problems
      }),
  }
}

function describe({ server, own, elsewhere }: Student): string {
  const tap = own ? `${own.present}${own.yieldsToOthers ? ' with the rest' : ''}` : 'nothing'
  return `was ${server}, tapped ${tap}, elsewhere ${elsewhere.map(String).join(', ') || 'nothing'}`
}
