import { session } from '../lib/session.ts'
import { MessageDialog } from '../ui/message-dialog.tsx'

/** The server has ended the session already, on every device; all that is left is to go. */
export const LogInAgain = () => (
  <MessageDialog title="Please log in again" role="alertdialog" button="OK" onClose={() => session.leaveTo('/')}>
    Your settings are saved. For security reasons you must log in again, here and on your other devices.
  </MessageDialog>
)
