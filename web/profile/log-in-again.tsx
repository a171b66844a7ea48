import { Button } from '@mantine/core'
import { session } from '../kernel/session.ts'
import { Sheet } from '../ui/sheet.tsx'

const leave = () => session.leaveTo('/')

/** The server has ended the session already, on every device; all that is left is to go. */
export const LogInAgain = () => (
  <Sheet
    opened
    onClose={leave}
    title="Please log in again"
    size="small"
    role="alertdialog"
    actions={
      <Button onClick={leave} data-autofocus>
        OK
      </Button>
    }
  >
    Your settings are saved. For security reasons you must log in again, here and on your other devices.
  </Sheet>
)
