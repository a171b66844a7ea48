import { Button, Stack, Text } from '@mantine/core'
import { kiosksApi } from '@tatami/contract/kiosk/kiosks'
import { failureMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { firstName } from '@tatami/contract/lib/name-parts'
import { FormDialog } from '../ui/form-dialog.tsx'

type Props = {
  student: { id: string; name: string }
  hasPin: boolean
  onClose: () => void
}

const REFRESHED_ENDPOINTS = [kiosksApi.own]

export function OwnPinDialog({ student: { id, name }, hasPin, onClose }: Props) {
  const createPin = useEndpointMutation(kiosksApi.setOwnPin, { refreshes: REFRESHED_ENDPOINTS })
  const remove = useEndpointMutation(kiosksApi.removeOwnPin, {
    refreshes: REFRESHED_ENDPOINTS,
    onSuccess: onClose,
  })
  const busy = createPin.isPending || remove.isPending
  const error = createPin.error ?? remove.error
  const newPin = createPin.data?.pin
  const createLabel = hasPin ? 'Get a new PIN' : 'Get a PIN'
  return (
    <FormDialog
      title={`${firstName(name)}’s PIN`}
      size="small"
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        if (newPin) onClose()
        else if (!busy) createPin.mutate({ params: { id } })
      }}
      busy={busy}
      error={failureMessage({ error }, 'We couldn’t change the PIN. Please try again.')}
      submitLabel={newPin ? 'Done' : createLabel}
      busyLabel="Getting your PIN..."
      extraAction={
        hasPin &&
        !newPin && (
          <Button
            variant="subtle"
            color="red"
            disabled={busy}
            onClick={() => busy || remove.mutate({ params: { id } })}
          >
            Remove PIN
          </Button>
        )
      }
    >
      {newPin ? (
        <NewPin pin={newPin} owner={firstName(name)} />
      ) : (
        <Text>{hasPin ? REPLACES_PIN : NO_PIN_YET}</Text>
      )}
    </FormDialog>
  )
}

const NO_PIN_YET = 'We’ll create a PIN for you.'
const REPLACES_PIN = 'You’ll get a new PIN, and the old one will stop working.'

const NewPin = ({ pin, owner }: { pin: string; owner: string }) => (
  <Stack gap="xs" align="center">
    <Text fz={40} fw={700} lts="0.2em" aria-label={`${owner}’s PIN is ${pin.split('').join(' ')}`}>
      {pin}
    </Text>
    <Text>Write it down. We can’t show it again, but you can always get a new one.</Text>
  </Stack>
)
