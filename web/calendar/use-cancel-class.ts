import { classDatesApi, type DatedClass } from '@tatami/contract/calendar/class-dates'
import type { Reply } from '@tatami/contract/lib/endpoint'
import { useState } from 'react'
import { errorMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { CLASS_DATE_QUERIES, describeDate, dateTarget, describeSentTexts } from './dates.ts'
import type { DateOutcome } from './outcome-bar.tsx'
import { chooseMessageType, describeTextFailure, useSendClassText } from './text-students.ts'

type Cancellation = Reply<typeof classDatesApi.cancel>

/** Cancels a class and texts its students. If only the text fails, the class stays canceled, and
 *  the user can send the text again. */
export function useCancelClass(date: DatedClass, onDone: (outcome: DateOutcome) => void) {
  const [cancellation, setCancellation] = useState<Cancellation | null>(null)
  const [error, setError] = useState<string | null>(null)
  const cancel = useEndpointMutation(classDatesApi.cancel, { refreshes: CLASS_DATE_QUERIES })
  const { sendText, isPending: isSending } = useSendClassText()
  const createOutcome = (note: string, textCount: number, studentIds: string[]): DateOutcome => ({
    message: `${describeDate(date)} is canceled. ${note}`.trim(),
    isTexted: textCount > 0,
    undo: { action: 'restore', date, sentTexts: { count: textCount, studentIds } },
  })
  /** If `text` is null, students only get a notification in the app. */
  const cancelAndText = async (reason: string, text: string | null) => {
    setError(null)
    let result = cancellation
    try {
      result ??= await cancel.mutateAsync({
        body: { ...dateTarget(date), reason, gives_notice: text === null },
      })
    } catch (failure) {
      return setError(errorMessage(failure, 'The class could not be canceled. Please try again.'))
    }
    const { student_ids: studentIds } = result
    if (text === null) return onDone(createOutcome('', 0, studentIds))
    if (studentIds.length === 0)
      return onDone(createOutcome('It has no students, so no text was sent.', 0, []))
    try {
      const { total_texts } = await sendText(
        { messageType: chooseMessageType(reason), studentIds },
        text,
      )
      onDone(createOutcome(`${describeSentTexts(total_texts)}.`, total_texts, studentIds))
    } catch (failure) {
      setCancellation(result)
      setError(`The class is canceled. ${describeTextFailure(failure)}`)
    }
  }
  return {
    cancelAndText,
    isPending: cancel.isPending || isSending,
    error,
    isCanceled: cancellation !== null,
    outcomeWithoutText: createOutcome('No text was sent.', 0, cancellation?.student_ids ?? []),
  }
}
