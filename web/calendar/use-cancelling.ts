import { classDatesApi, type DatedClass } from '@tatami/contract/calendar/class-dates'
import type { Reply } from '@tatami/contract/lib/endpoint'
import { useState } from 'react'
import { errorMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { DATE_READS, dateName, targetOf, textsWords } from './dates.ts'
import type { Outcome } from './outcome-bar.tsx'
import { cancellationKind, textFailure, useTell } from './tell-students.ts'

type Cancellation = Reply<typeof classDatesApi.cancel>

/**
 * Cancels a date, then texts its students. If only the text fails, the class stays canceled and the
 * text can be sent again.
 */
export function useCancelling(date: DatedClass, onDone: (outcome: Outcome) => void) {
  const [cancellation, setCancellation] = useState<Cancellation | null>(null)
  const [error, setError] = useState<string | null>(null)
  const cancel = useEndpointMutation(classDatesApi.cancel, { refreshes: DATE_READS })
  const sending = useTell()
  const outcome = (words: string, texts: number, studentIds: string[]): Outcome => ({
    words: `${dateName(date)} is canceled. ${words}`.trim(),
    isTexted: texts > 0,
    undo: { act: 'restore', date, toldStudents: { texts, studentIds } },
  })
  /** If `text` is null, students get a notification in the app instead. */
  const run = async (reason: string, text: string | null) => {
    setError(null)
    let result = cancellation
    try {
      result ??= await cancel.mutateAsync({
        body: { ...targetOf(date), reason, gives_notice: text === null },
      })
    } catch (failure) {
      return setError(errorMessage(failure, 'The class could not be canceled. Please try again.'))
    }
    const { student_ids: studentIds } = result
    if (text === null) return onDone(outcome('', 0, studentIds))
    if (studentIds.length === 0)
      return onDone(outcome('It has no students, so no text was sent.', 0, []))
    try {
      const { total_texts } = await sending.tell(
        { kind: cancellationKind(reason), studentIds },
        text,
      )
      onDone(outcome(`${textsWords(total_texts)}.`, total_texts, studentIds))
    } catch (failure) {
      setCancellation(result)
      setError(`The class is canceled. ${textFailure(failure)}`)
    }
  }
  return {
    run,
    isPending: cancel.isPending || sending.isPending,
    error,
    cancelled: cancellation,
    withoutText: outcome('No text was sent.', 0, cancellation?.student_ids ?? []),
  }
}
