import { EVEN_TO_MANY } from '@tatami/contract/texting/bulk-message'
import { EVEN_ON_VACATION } from '@tatami/contract/texting/conversations'
import { ApiError, errorMessage, isNetworkError } from '../lib/api.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { NO_ANSWER } from './send-dialog.tsx'

/** The server sent nothing, because a recipient is on vacation. The instructor may still send. */
export const isVacationRefusal = (error: Error | null): error is ApiError =>
  error instanceof ApiError && error.errors.some(({ field }) => field === EVEN_ON_VACATION)

/** The server sent nothing, because it asks before a message goes to so many people. */
export const goesToMany = (error: Error): boolean =>
  error instanceof ApiError && error.errors.some(({ field }) => field === EVEN_TO_MANY)

/** Why a message was not sent. Null if `VacationQuestion` shows the reason. */
export function sendFailure(error: Error | null): string | null {
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
