import { hmac, isEqual, packId, unpackId } from './secret.ts'

type PassKind = 'name' | 'sure'
const LETTERS = { name: 'n', sure: 's' } as const

type PassContext = { secret: string; kioskId: string; day: string }
const MAC_LETTERS = 22

const macOf = ({ secret, kioskId, day }: PassContext, studentId: string, kind: PassKind) =>
  hmac(secret, 'pass', kioskId, day, kind, studentId).slice(0, MAC_LETTERS)

/** A kiosk learns no other id of a student, and cannot make a pass itself. */
export const makePass = (context: PassContext, studentId: string, kind: PassKind): string =>
  `${packId(studentId)}${LETTERS[kind]}${macOf(context, studentId, kind)}`

export function readPass(
  context: PassContext,
  pass: string,
): { studentId: string; kind: PassKind } | null {
  const studentId = unpackId(pass.slice(0, 32))
  const kind = pass[32] === LETTERS.sure ? 'sure' : 'name'
  return isEqual(pass, makePass(context, studentId, kind)) ? { studentId, kind } : null
}
