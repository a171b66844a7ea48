import type { IncomingText, SimulatedText, TextState } from '@tatami/contract/texting/text-history'
import { serverTime } from '../lib/server-clock.ts'

export type AutoReply = { id: string; phone: string; at: string; text: string }
export function createAutoReply(phone: string, text: string): AutoReply {
  const nowMs = serverTime(Date.now())
  return { id: `auto-reply ${nowMs}`, phone, text, at: new Date(nowMs).toISOString() }
}

export type SimulatedPhoneTexts = {
  phone: string
  students: SimulatedText['students']
  latestId: string
  bubbles: { id: string; at: string; text: string; isOwn: boolean; state: TextState | null }[]
}

const newestTime = ({ bubbles }: SimulatedPhoneTexts) => bubbles.at(-1)?.at ?? ''

/** Groups texts by phone, starting with the phone of the newest text. `sentTexts` must start with
 *  the newest. */
export function groupTextsByPhone(
  sentTexts: readonly SimulatedText[],
  incomingTexts: readonly IncomingText[],
  autoReplies: readonly AutoReply[],
): SimulatedPhoneTexts[] {
  const textsByPhone = Map.groupBy(sentTexts, ({ phone_number }) => phone_number)
  const phones = [...textsByPhone].map(([phone, texts]) => {
    const receivedTexts = incomingTexts.filter(({ phone_number }) => phone_number === phone)
    const replies = autoReplies.filter((reply) => reply.phone === phone)
    const bubbles = [
      ...texts.map((text) => ({ ...text, at: text.sent_at, isOwn: false })),
      ...receivedTexts.map((text) => ({ ...text, at: text.received_at, isOwn: true, state: null })),
      ...replies.map((reply) => ({ ...reply, isOwn: false, state: null })),
    ]
    const students = texts.flatMap((text) => text.students)
    return {
      phone,
      students: [...new Map(students.map((student) => [student.student_id, student])).values()],
      latestId: texts[0]?.id ?? '',
      bubbles: bubbles.toSorted((a, b) => a.at.localeCompare(b.at)),
    }
  })
  return phones.toSorted((a, b) => newestTime(b).localeCompare(newestTime(a)))
}
