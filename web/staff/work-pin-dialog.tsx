import { Button, Stack, Text } from '@mantine/core'
import { hoursApi } from '@tatami/contract/staff/hours'
import { workPinsApi } from '@tatami/contract/staff/work-pins'
import { failureMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'

const REFRESH_OPTIONS = { refreshes: [hoursApi.own] }

type Props = { hasPin: boolean; onClose: () => void }

/** Creates a PIN for the user to start and end work at the kiosk. */
export function WorkPinDialog({ hasPin, onClose }: Props) {
  const create = useEndpointMutation(workPinsApi.set, REFRESH_OPTIONS)
  const remove = useEndpointMutation(workPinsApi.remove, { ...REFRESH_OPTIONS, onSuccess: onClose })
  const busy = create.isPending || remove.isPending
  const newPin = create.data?.pin
  const getLabel = hasPin ? 'Get a new PIN' : 'Get a PIN'
  return (
    <FormDialog
      title="Work PIN"
      size="small"
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        if (newPin) onClose()
        else if (!busy) create.mutate()
      }}
      busy={busy}
      error={failureMessage(
        { error: create.error ?? remove.error },
        'We couldn’t change the PIN. Please try again.',
      )}
      submitLabel={newPin ? 'Done' : getLabel}
      busyLabel="Getting your PIN..."
      extraAction={
        hasPin &&
        !newPin && (
          <Button
            variant="subtle"
            color="red"
            disabled={busy}
            onClick={() => busy || remove.mutate()}
          >
            Remove PIN
          </Button>
        )
      }
    >
      {newPin ? (
        <NewPin pin={newPin} />
      ) : (
        <Text>
          {hasPin
            ? 'You’ll get a new PIN, and the old one will stop working.'
            : 'At the kiosk, tap Staff and enter the PIN to start and end your work.'}
        </Text>
      )}
    </FormDialog>
  )
}

const NewPin = ({ pin }: { pin: string }) => (
  <Stack gap="xs" align="center">
    <Text fz={40} fw={700} lts="0.2em" aria-label={`Your PIN is ${pin.split('').join(' ')}`}>
      {pin}
    </Text>
    <Text>Write it down. We can’t show it again, but you can always get a new one.</Text>
  </Stack>
)
