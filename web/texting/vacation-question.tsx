import { EVEN_TO_MANY } from '@tatami/contract/texting/bulk-message'
import { EVEN_ON_VACATION } from '@tatami/contract/texting/conversations'
import { ApiError, errorMessage, isNetworkError } from '../lib/api.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { NO_ANSWER } from './send-dialog.tsx'

/** True if the server sent nothing, because a recipient is on vacation. The instructor may still
 *  send the text. */
export const isVacationRefusal = (error: Error | null): error is ApiError =>
  error instanceof ApiError && error.errors.some(({ field }) => field === EVEN_ON_VACATION)

/** True if the server sent nothing, because it asks before it sends a message to many people. */
export const isManyRecipientsRefusal = (error: Error): boolean =>
  error instanceof ApiError && error.errors.some(({ field }) => field === EVEN_TO_MANY)

/** Says why a message was not sent. Returns null if `VacationQuestion` shows the reason. */
export function describeSendFailure(error: Error | null): string | null {
  if (!error || isVacationRefusal(error)) return null
  return isNetworkError(error)
    ? NO_ANSWER
    : errorMessage(error, 'The message could not be sent. Please try again.')
}

type Props = {
  error: Error | null
  busy: boolean
  onSend: () => void
  onClose: () => void
}

export const VacationQuestion = ({ error, busy, onSend, onClose }: Props) => (
  <ConfirmDialog
    opened={isVacationRefusal(error)}
    onClose={onClose}
    onConfirm={onSend}
    title="On vacation"
    confirmLabel="Send anyway"
    busy={busy}
    busyLabel="Sending anyway..."
  >
    {isVacationRefusal(error) && error.message}
  </ConfirmDialog>
)
