import { cleanText } from '@tatami/contract/lib/clean-text'
import { type MentionedStudent, fillTemplate } from '@tatami/contract/texting/message-types'
import { segmentsOf } from '@tatami/contract/texting/segments'

/** Carriers bill by segment. A segment has 160 characters, or 70 if the text needs Unicode. */
export type SegmentCount = {
  textCount: number
  minSegments: number
  maxSegments: number
  totalSegments: number
  unicodeCause: 'message' | 'name' | null
}

export function countSegments(
  template: string,
  recipients: readonly (readonly MentionedStudent[])[],
): SegmentCount {
  // Many texts are the same, because many students share a first name.
  const segmentsByText = new Map<string, ReturnType<typeof segmentsOf>>()
  const findSegments = (text: string) => {
    const result = segmentsByText.get(text) ?? segmentsOf(text)
    segmentsByText.set(text, result)
    return result
  }
  const cleanTemplate = cleanText(template).trim()
  const results = recipients.map((students) => findSegments(fillTemplate(cleanTemplate, students)))
  const isLongerInUnicode = results.some(
    ({ encoding, segments }) => encoding === 'Unicode' && segments > 1,
  )
  const cause = segmentsOf(template).encoding === 'Unicode' ? 'message' : 'name'
  const segmentCounts = results.map(({ segments }) => segments)
  return {
    textCount: recipients.length,
    minSegments: Math.min(Infinity, ...segmentCounts),
    maxSegments: Math.max(0, ...segmentCounts),
    totalSegments: segmentCounts.reduce((sum, count) => sum + count, 0),
    unicodeCause: isLongerInUnicode ? cause : null,
  }
}

/** Returns the number of segments now and with plain characters, or null if plain characters save
 *  none. */
export function findSegmentSaving(
  template: string,
  plainTemplate: string,
  recipients: readonly (readonly MentionedStudent[])[],
): { currentCount: number; plainCount: number } | null {
  if (template === plainTemplate) return null
  const currentCount = countSegments(template, recipients).totalSegments
  const plainCount = countSegments(plainTemplate, recipients).totalSegments
  return plainCount < currentCount ? { currentCount, plainCount } : null
}
