import type { MarkValue } from '@tatami/contract/attendance/attendance'
import type { ShownRow } from './roll-page.ts'

/** What a phone's last taps on one student came to that have not been seen at the server since. */
type OwnMark = {
  present: MarkValue
  yields: boolean
  mayReplace: ReadonlySet<MarkValue>
  /** What the phone may have seen at the server before: a tap back to it that never left the phone
   *  leaves nothing to send. */
  maySee: ReadonlySet<MarkValue>
  /** Nobody else has marked since. */
  isLast: boolean
  /** The server may have answered for it: what others mark afterwards stands. */
  mayBeDone: boolean
}
type Student = {
  /** What the phone took for the server's mark when nothing waited last. */
  server: MarkValue
  own?: OwnMark
  /** What others marked since. */
  elsewhere: MarkValue[]
  /** The phone has asked which of two marks is right. */
  isAsked: boolean
}

const newest = ({ server, elsewhere }: Student) =>
  elsewhere.length > 0 ? elsewhere.at(-1)! : server

/** Whether the last tap went back to what stood: then there may be none. */
const isBack = ({ own, elsewhere }: Student) =>
  own !== undefined && [...own.maySee, ...elsewhere].includes(own.present)

/** What the server may have, where the phone asks or does not ask which is right; nothing where it
 *  may not. */
function outcomes(student: Student, isAsked: boolean): MarkValue[] {
  const { own, elsewhere } = student
  const theirs = newest(student)
  if (own?.mayBeDone && !own.isLast && !isAsked)
    return [theirs, ...outcomes({ ...student, own: { ...own, mayBeDone: false } }, false)]
  if (isAsked)
    return own && !own.yields && (elsewhere.length > 0 || student.isAsked) ? [theirs] : []
  if (!own) return [theirs]
  if (elsewhere.length === 0) return [own.present]
  // "Rest present" touches nobody who is marked.
  if (own.yields)
    return theirs === null
      ? [own.present]
      : own.mayReplace.has(theirs)
        ? [own.present, theirs]
        : [theirs]
  const mayStand = own.isLast || theirs === own.present || own.mayReplace.has(theirs)
  return [...(mayStand ? [own.present] : []), ...(isBack(student) ? [theirs] : [])]
}

/** A plain account of one roll: what was tapped on a phone, what others marked, and what has to
 *  come of it. */
export function rollModel(names: readonly string[]) {
  const students = new Map<string, Student>(
    names.map((name) => [name, { server: null, elsewhere: [], isAsked: false }]),
  )
  const studentNamed = (name: string) => students.get(name)!
  let isUp = true
  return {
    /** Whether the server's answers come from here on. */
    setUp: (next: boolean) => {
      isUp = next
      if (isUp) for (const { own } of students.values()) if (own) own.mayBeDone = true
    },
    tap: (name: string, present: MarkValue, yields = false) => {
      const student = studentNamed(name)
      const valuesBefore =
        student.own && !student.isAsked ? [...student.own.mayReplace, student.own.present] : []
      const mayReplace = new Set([student.server, ...student.elsewhere, ...valuesBefore])
      const { maySee = [], mayBeDone = false, present: last = null } = student.own ?? {}
      const ownMarks = mayBeDone ? [...maySee, last] : maySee
      Object.assign(student, {
        own: {
          present,
          yields,
          mayReplace,
          maySee: new Set([student.server, ...student.elsewhere, ...ownMarks]),
          isLast: true,
          mayBeDone: isUp,
        },
        isAsked: false,
      })
    },
    markElsewhere: (name: string, present: MarkValue) => {
      const student = studentNamed(name)
      student.elsewhere.push(present)
      if (student.own) student.own.isLast = false
    },
    /** What a phone without a network shows of taps that may not have arrived. */
    tapped: () =>
      new Map(
        [...students].flatMap(([name, student]) => {
          const { own, isAsked, elsewhere } = student
          return own && !isAsked && !isBack(student) && !(own.yields && elsewhere.length > 0)
            ? [[name, own.present] as const]
            : []
        }),
      ),
    /** Nothing waits any more: what stands and is asked has to be what may. Says what is wrong;
     *  nothing where all is right. */
    settle: (standing: ReadonlyMap<string, MarkValue>, rows: readonly ShownRow[]): string[] =>
      rows.flatMap(({ name, present, isAsked }) => {
        const student = studentNamed(name)
        const now = standing.get(name) ?? null
        const may = outcomes(student, isAsked)
        const wrong = may.includes(now)
          ? []
          : [
              `${name} is ${now}${isAsked ? ', and asked about' : ''}, which may be ${may.join(' or ') || 'not at all'}: ${describe(student)}`,
            ]
        // What others marked the phone may not have read yet.
        if (isAsked) students.set(name, { server: now, elsewhere: [], isAsked, own: student.own! })
        else
          students.set(name, { server: present, elsewhere: present === now ? [] : [now], isAsked })
        return wrong
      }),
  }
}

const describe = ({ server, own, elsewhere }: Student) =>
  `was ${server}, tapped ${own ? `${own.present}${own.yields ? ' as the rest' : ''}` : 'nothing'}, elsewhere ${elsewhere.map(String).join(', ') || 'nothing'}`
