import { hmac, isEqual } from '../lib/secrets.ts'
import { removeHyphens, restoreHyphens } from './settings.ts'

/** How the student was found. After a search by `name`, the kiosk may ask for a PIN. A student who
 *  entered a PIN or showed a check-in code is `sure`. */
type PassKind = 'name' | 'sure'
const KIND_LETTERS = { name: 'n', sure: 's' } as const

type PassContext = { secret: string; kioskId: string; day: string }

const ID_DIGITS = 32
const SIGNATURE_LETTERS = 22

const sign = ({ secret, kioskId, day }: PassContext, studentId: string, kind: PassKind) =>
  hmac(secret, 'pass', kioskId, day, kind, studentId).slice(0, SIGNATURE_LETTERS)

/** A pass is signed with the dojo's secret, so that only the server can make one. */
export const makePass = (context: PassContext, studentId: string, kind: PassKind): string =>
  `${removeHyphens(studentId)}${KIND_LETTERS[kind]}${sign(context, studentId, kind)}`

/** Returns null for a pass of another kiosk or day. */
export function readPass(
  context: PassContext,
  pass: string,
): { studentId: string; kind: PassKind } | null {
  const studentId = restoreHyphens(pass.slice(0, ID_DIGITS))
  const kind = pass[ID_DIGITS] === KIND_LETTERS.sure ? 'sure' : 'name'
  return isEqual(pass, makePass(context, studentId, kind)) ? { studentId, kind } : null
}
