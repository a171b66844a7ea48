import type { IncomingText, SimulatedText, TextState } from '@tatami/contract/texting/text-history'
import { serverTime } from '../lib/server-clock.ts'

/** A text from the dojo, an answer from the phone, or the automatic reply to that answer */
export type Bubble = { id: string; at: string; text: string } & (
  | { from: 'dojo'; state: TextState }
  | { from: 'phone' }
  | { from: 'reply' }
)
export type AutoReply = { id: string; phone: string; at: string; text: string }
export function autoReply(phone: string, text: string): AutoReply {
  const nowMs = serverTime(Date.now())
  return { id: `auto-reply ${nowMs}`, phone, text, at: new Date(nowMs).toISOString() }
}
export type SimulatedPhoneTexts = {
  phone: string
  students: SimulatedText['students']
  latest: string
  bubbles: Bubble[]
}

const isTo = (phone: string) => (text: { phone_number: string }) => text.phone_number === phone

/** Phones with their texts, the newest phone first. Siblings can share a phone. */
export function simulatedPhones(
  sentTexts: readonly SimulatedText[],
  incoming: readonly IncomingText[],
  autoReplies: readonly AutoReply[],
): SimulatedPhoneTexts[] {
  const bubblesOf = (phone: string): Bubble[] =>
    [
      ...sentTexts.filter(isTo(phone)).map(({ id, sent_at, text, state }) => ({
        id,
        at: sent_at,
        text,
        from: 'dojo' as const,
        state,
      })),
      ...incoming.filter(isTo(phone)).map(({ id, received_at, text }) => ({
        id,
        at: received_at,
        text,
        from: 'phone' as const,
      })),
      ...autoReplies
        .filter((reply) => reply.phone === phone)
        .map(({ id, at, text }) => ({ id, at, text, from: 'reply' as const })),
    ].toSorted((a, b) => a.at.localeCompare(b.at))
  const phones = [...new Set(sentTexts.map(({ phone_number }) => phone_number))].map((phone) => {
    const texts = sentTexts.filter(isTo(phone))
    const students = new Map(
      texts.flatMap((text) => text.students).map((student) => [student.student_id, student]),
    )
    return {
      phone,
      students: [...students.values()],
      latest: texts[0]!.id,
      bubbles: bubblesOf(phone),
    }
  })
  return phones.toSorted((a, b) => b.bubbles.at(-1)!.at.localeCompare(a.bubbles.at(-1)!.at))
}
