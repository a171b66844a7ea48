/** A simple model of one roll that is marked on a phone and elsewhere. Tests compare the real app
 *  with it after random taps and network failures. */
import type { MarkValue } from '@tatami/contract/attendance/attendance'
import { mustExist } from '@tatami/contract/lib/must-exist'
import type { ShownRow } from './roll-page.ts'

/** The phone's last mark for one student, as long as the server may not have it. */
type OwnMark = {
  present: MarkValue
  /** True for "Rest present", which does not replace marks. */
  yields: boolean
  /** The marks that it may replace without a question. */
  mayReplace: ReadonlySet<MarkValue>
  /** The server's marks that the phone may know. If a tap returns to such a mark before anything is
   *  sent, nothing needs to be sent. */
  knownMarks: ReadonlySet<MarkValue>
  /** True as long as nobody else has marked the student since. */
  isLast: boolean
  /** The server may have accepted it, so that later marks of others count. */
  mayBeSent: boolean
}
type Student = {
  /** The server's mark as the phone knew it when it last had nothing to send. */
  server: MarkValue
  own?: OwnMark
  /** The marks that others have made since. */
  elsewhere: MarkValue[]
  /** True if the phone has asked which of two marks is right. */
  isAsked: boolean
}

const newestServerMark = ({ server, elsewhere }: Student): MarkValue =>
  elsewhere.length > 0 ? (elsewhere.at(-1) ?? null) : server

/** True if the last tap returned to an earlier mark, so that there may be nothing to send. */
const isReturned = ({ own, elsewhere }: Student) =>
  own !== undefined && [...own.knownMarks, ...elsewhere].includes(own.present)

/** The marks that the server may have in the end, if the phone asks or does not ask which mark is
 *  right. Empty if the phone must not be in this state. */
function allowedMarks(student: Student, isAsked: boolean): MarkValue[] {
  const { own, elsewhere } = student
  const theirs = newestServerMark(student)
  if (own?.mayBeSent && !own.isLast && !isAsked)
    return [theirs, ...allowedMarks({ ...student, own: { ...own, mayBeSent: false } }, false)]
  if (isAsked) {
    const mayAsk = own && !own.yields && (elsewhere.length > 0 || student.isAsked)
    return mayAsk ? [theirs] : []
  }
  if (!own) return [theirs]
  if (elsewhere.length === 0) return [own.present]
  if (own.yields) {
    if (theirs === null) return [own.present]
    return own.mayReplace.has(theirs) ? [own.present, theirs] : [theirs]
  }
  const mayWin = own.isLast || theirs === own.present || own.mayReplace.has(theirs)
  return [...(mayWin ? [own.present] : []), ...(isReturned(student) ? [theirs] : [])]
}

export function rollModel(names: readonly string[]) {
  const students = new Map<string, Student>(
    names.map((name) => [name, { server: null, elsewhere: [], isAsked: false }]),
  )
  const findStudent = (name: string) => mustExist(students.get(name), name)
  let isOnline = true
  return {
    /** Sets whether the server's answers reach the phone from now on. */
    setOnline: (nextValue: boolean) => {
      isOnline = nextValue
      if (isOnline) for (const { own } of students.values()) if (own) own.mayBeSent = true
    },
    tap: (name: string, present: MarkValue, yields = false) => {
      const student = findStudent(name)
      const valuesBefore =
        student.own && !student.isAsked ? [...student.own.mayReplace, student.own.present] : []
      const mayReplace = new Set([student.server, ...student.elsewhere, ...valuesBefore])
      const { knownMarks = [], mayBeSent = false, present: lastMark = null } = student.own ?? {}
      const possiblyKnownMarks = mayBeSent ? [...knownMarks, lastMark] : knownMarks
      Object.assign(student, {
        own: {
          present,
          yields,
          mayReplace,
          knownMarks: new Set([student.server, ...student.elsewhere, ...possiblyKnownMarks]),
          isLast: true,
          mayBeSent: isOnline,
        },
        isAsked: false,
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
          const { own, isAsked, elsewhere } = student
          const isOverridden = own?.yields && elsewhere.length > 0
          const isShown = own && !isAsked && !isReturned(student) && !isOverridden
          return isShown ? [[name, own.present] as const] : []
        }),
      ),
    /** Compares the server's marks and the phone's rows with the model when nothing is waiting to
     *  be sent. Returns what is wrong. */
    settle: (serverMarks: ReadonlyMap<string, MarkValue>, rows: readonly ShownRow[]): string[] =>
      rows.flatMap(({ name, present, isAsked }) => {
        const student = findStudent(name)
        const serverMark = serverMarks.get(name) ?? null
        const marks = allowedMarks(student, isAsked)
        const problems = marks.includes(serverMark)
          ? []
          : [
              `${name} is ${serverMark}${isAsked ? ' with a question' : ''}, ` +
                `allowed is ${marks.join(' or ') || 'nothing'}: ${describe(student)}`,
            ]
        const ownMark = isAsked ? student.own : undefined
        // Without a question, the phone may not have loaded the marks of others yet.
        const server = isAsked ? serverMark : present
        const elsewhere = server === serverMark ? [] : [serverMark]
        students.set(name, { server, elsewhere, isAsked, ...(ownMark && { own: ownMark }) })
        return problems
      }),
  }
}

function describe({ server, own, elsewhere }: Student): string {
  const tap = own ? `${own.present}${own.yields ? ' with the rest' : ''}` : 'nothing'
  return `was ${server}, tapped ${tap}, elsewhere ${elsewhere.map(String).join(', ') || 'nothing'}`
}
