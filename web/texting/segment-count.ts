import { cleanText } from '@tatami/contract/lib/clean-text'
import { type TextSubject, fillTemplate } from '@tatami/contract/texting/message-types'
import { segmentsOf } from '@tatami/contract/texting/segments'

/** `cause` says why texts need Unicode, if that makes them longer. */
export type SegmentCount = {
  texts: number
  least: number
  most: number
  total: number
  cause: 'words' | 'name' | null
}

export function countSegments(
  template: string,
  recipients: readonly (readonly TextSubject[])[],
): SegmentCount {
  const segmentsByText = new Map<string, ReturnType<typeof segmentsOf>>()
  const segmentsOnce = (text: string) => {
    const result = segmentsByText.get(text) ?? segmentsOf(text)
    segmentsByText.set(text, result)
    return result
  }
  const words = cleanText(template).trim()
  const texts = recipients.map((ofText) => segmentsOnce(fillTemplate(words, ofText)))
  const isLonger = texts.some((text) => text.encoding === 'Unicode' && text.segments > 1)
  const segments = texts.map((text) => text.segments)
  return {
    texts: recipients.length,
    least: Math.min(Infinity, ...segments),
    most: Math.max(0, ...segments),
    total: segments.reduce((sum, count) => sum + count, 0),
    cause: !isLonger ? null : segmentsOf(template).encoding === 'Unicode' ? 'words' : 'name',
  }
}

export function savedSegments(
  template: string,
  otherWords: string,
  recipients: readonly (readonly TextSubject[])[],
): { now: number; plain: number } | null {
  if (template === otherWords) return null
  const total = countSegments(template, recipients).total
  const plain = countSegments(otherWords, recipients).total
  return plain < total ? { now: total, plain } : null
}
