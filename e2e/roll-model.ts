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
type StudentModel = {
  /** The server's mark when the phone last had nothing to send. */
  serverMarkBefore: MarkValue
  ownMark?: OwnMark
  /** The marks made elsewhere since the phone last had nothing to send. */
  marksElsewhere: MarkValue[]
  /** True if the phone asks which of two marks is right. */
  hasConflict: boolean
}

const newestServerMark = ({ serverMarkBefore, marksElsewhere }: StudentModel): MarkValue =>
  marksElsewhere.length > 0 ? (marksElsewhere.at(-1) ?? null) : serverMarkBefore

/** True if the last tap returned to an earlier mark, so there may be nothing to send. */
const isReturned = ({ ownMark, marksElsewhere }: StudentModel) =>
  ownMark !== undefined && [...ownMark.knownMarks, ...marksElsewhere].includes(ownMark.present)

/** The marks that the server may have in the end, with or without a conflict on the phone. Empty if
 *  the phone must not be in this state. */
function allowedMarks(student: StudentModel, hasConflict: boolean): MarkValue[] {
  const { ownMark, marksElsewhere } = student
  const serverMark = newestServerMark(student)
  if (ownMark?.mayBeSent && !ownMark.isLast && !hasConflict)
    return [
      serverMark,
      ...allowedMarks({ ...student, ownMark: { ...ownMark, mayBeSent: false } }, hasConflict),
    ]
  if (hasConflict) {
    const mayAsk =
      ownMark && !ownMark.yieldsToOthers && (marksElsewhere.length > 0 || student.hasConflict)
    return mayAsk ? [serverMark] : []
  }
  if (!ownMark) return [serverMark]
  if (marksElsewhere.length === 0) return [ownMark.present]
  if (ownMark.yieldsToOthers) {
    if (serverMark === null) return [ownMark.present]
    return ownMark.mayReplace.has(serverMark) ? [ownMark.present, serverMark] : [serverMark]
  }
  const mayWin =
    ownMark.isLast || serverMark === ownMark.present || ownMark.mayReplace.has(serverMark)
  const marks: MarkValue[] = mayWin ? [ownMark.present] : []
  if (isReturned(student)) marks.push(serverMark)
  return marks
}

export function createRollModel(names: readonly string[]) {
  const students = new Map<string, StudentModel>(
    names.map((name) => [name, { serverMarkBefore: null, marksElsewhere: [], hasConflict: false }]),
  )
  const findStudent = (name: string) => mustExist(students.get(name), name)
  let isOnline = true
  return {
    /** Sets whether the server's responses reach the phone from now on. */
    setOnline: (nextValue: boolean) => {
      isOnline = nextValue
      if (isOnline)
        for (const { ownMark } of students.values()) if (ownMark) ownMark.mayBeSent = true
    },
    tap: (name: string, present: MarkValue, { yieldsToOthers = false } = {}) => {
      const student = findStudent(name)
      const valuesBefore =
        student.ownMark && !student.hasConflict
          ? [...student.ownMark.mayReplace, student.ownMark.present]
          : []
      const mayReplace = new Set([
        student.serverMarkBefore,
        ...student.marksElsewhere,
        ...valuesBefore,
      ])
      const { knownMarks = [], mayBeSent = false, present: lastMark = null } = student.ownMark ?? {}
      const possiblyKnownMarks = mayBeSent ? [...knownMarks, lastMark] : knownMarks
      Object.assign(student, {
        ownMark: {
          present,
          yieldsToOthers,
          mayReplace,
          knownMarks: new Set([
            student.serverMarkBefore,
            ...student.marksElsewhere,
            ...possiblyKnownMarks,
          ]),
          isLast: true,
          mayBeSent: isOnline,
        },
        hasConflict: false,
      })
    },
    markElsewhere: (name: string, present: MarkValue) => {
      const student = findStudent(name)
      student.marksElsewhere.push(present)
      if (student.ownMark) student.ownMark.isLast = false
    },
    /** The marks that a phone shows offline because they may not have been sent. */
    unsentMarks: () =>
      new Map(
        [...students].flatMap(([name, student]) => {
          const { ownMark, hasConflict, marksElsewhere } = student
          const isOverridden = ownMark?.yieldsToOthers && marksElsewhere.length > 0
          const isShown = ownMark && !hasConflict && !isReturned(student) && !isOverridden
          return isShown ? [[name, ownMark.present] as const] : []
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
        const keptMark = hasConflict ? student.ownMark : undefined
        // Without a conflict, the phone may not have loaded the marks from elsewhere yet.
        const serverMarkBefore = hasConflict ? serverMark : present
        const marksElsewhere = serverMarkBefore === serverMark ? [] : [serverMark]
        students.set(name, {
          serverMarkBefore,
          marksElsewhere,
          hasConflict,
          ...(keptMark && { ownMark: keptMark }),
        })
        return problems
      }),
  }
}

function describe({ serverMarkBefore, ownMark, marksElsewhere }: StudentModel): string {
  const tap = ownMark
    ? `${ownMark.present}${ownMark.yieldsToOthers ? ' with the rest' : ''}`
    : 'nothing'
  return `was ${serverMarkBefore}, tapped ${tap}, elsewhere ${marksElsewhere.map(String).join(', ') || 'nothing'}`
}
