import type { Preview } from '@tatami/contract/bulk-message'
import { counted } from '../lib/counted.ts'
import type { Weight } from './weight.ts'

/** "27 students get this · 3 do not" */
export function headline({ students, total_recipients: some }: Preview): string {
  if (students.length === 0) return 'Nobody gets this: you have no students yet'
  const others = students.length - some
  const get = some === 0 ? 'Nobody gets this' : some === 1 ? '1 student gets this' : `${some} students get this`
  return others === 0 ? get : `${get} · ${others === 1 ? '1 does' : `${others} do`} not`
}

const share = ({ least, most }: Weight) => (least === most ? counted(most, 'segment') : `${least} to ${most} segments`)

/** What makes texts longer, and by how much. */
export const CAUSES = {
  words: 'Because of an emoji or special character in the message, a segment holds 70 characters instead of 160.',
  name: 'Because of a special character in a name, a segment holds 70 characters instead of 160.',
}

/** "27 texts, 27 segments. 300 texts remain today.", or "2 texts of 2 segments each, 4 segments in all. …" */
export function amount(weight: Weight, remaining: number): string {
  const { texts, most, total } = weight
  const inAll = texts === 1 ? '' : ` each, ${counted(total, 'segment')} in all`
  const size = most === 0 ? '' : most === 1 ? `, ${counted(total, 'segment')}` : ` of ${share(weight)}${inAll}`
  const left = remaining === 1 ? '1 text remains' : `${remaining.toLocaleString()} texts remain`
  return `${counted(texts, 'text')}${size}. ${left} today.`
}
