import { classDatesApi, type DatedClass } from '@tatami/contract/calendar/class-dates'
import type { Reply } from '@tatami/contract/lib/endpoint'
import { useState } from 'react'
import { errorMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { DATE_READS, dateName, targetOf, textsWords } from './dates.ts'
import type { Outcome } from './outcome-bar.tsx'
import { cancellationKind, textFailure, useTell } from './tell-students.ts'

type Cancellation = Reply<typeof classDatesApi.cancel>

/** Cancels a date and then texts whom it concerns. Where only the text fails, the class stays cancelled, and the text is sent alone. */
export function useCancelling(date: DatedClass, onDone: (outcome: Outcome) => void) {
  const [cancellation, setCancellation] = useState<Cancellation | null>(null)
  const [error, setError] = useState<string | null>(null)
  const cancel = useEndpointMutation(classDatesApi.cancel, { refreshes: DATE_READS })
  const sending = useTell()
  const outcome = (words: string, texts: number, studentIds: string[]): Outcome => ({
    words: `${dateName(date)} is cancelled. ${words}`.trim(),
    isTexted: texts > 0,
    undo: { act: 'restore', date, toldStudents: { texts, studentIds } },
  })
  /** Without a text whoever has the app gets a notice in it. */
  const run = async (reason: string, text: string | null) => {
    setError(null)
    let result = cancellation
    try {
      result ??= await cancel.mutateAsync({
        body: { ...targetOf(date), reason, gives_notice: text === null },
      })
    } catch (failure) {
      return setError(errorMessage(failure, 'The class could not be cancelled. Please try again.'))
    }
    const { student_ids: studentIds } = result
    if (text === null) return onDone(outcome('', 0, studentIds))
    if (studentIds.length === 0)
      return onDone(outcome('Nobody is in it, so no text goes out.', 0, []))
    try {
      const { total_texts } = await sending.tell(
        { kind: cancellationKind(reason), studentIds },
        text,
      )
      onDone(outcome(`${textsWords(total_texts)}.`, total_texts, studentIds))
    } catch (failure) {
      setCancellation(result)
      setError(`The class is cancelled. ${textFailure(failure)}`)
    }
  }
  return {
    run,
    isPending: cancel.isPending || sending.isPending,
    error,
    /** It is cancelled, and only the text has not gone out. */
    cancelled: cancellation,
    withoutText: outcome('No text has gone out.', 0, cancellation?.student_ids ?? []),
  }
}
