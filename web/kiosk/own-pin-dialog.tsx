import { Button, Stack, Text } from '@mantine/core'
import { kiosksApi } from '@tatami/contract/kiosks'
import { errorMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'

type Props = {
  student: { id: string; name: string }
  hasPin: boolean
  onClose: () => void
}

const REFRESHES = [kiosksApi.own]

/** Gives a student or guardian a PIN that the server has chosen, and shows it once. */
export function OwnPinDialog({ student: { id, name }, hasPin, onClose }: Props) {
  const give = useEndpointMutation(kiosksApi.setOwnPin, { refreshes: REFRESHES })
  const remove = useEndpointMutation(kiosksApi.removeOwnPin, {
    refreshes: REFRESHES,
    onSuccess: onClose,
  })
  const busy = give.isPending || remove.isPending
  const error = give.error ?? remove.error
  const newPin = give.data?.pin
  return (
    <FormDialog
      title={`PIN of ${name}`}
      size="small"
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        if (newPin) onClose()
        else if (!busy) give.mutate({ params: { id } })
      }}
      busy={busy}
      error={error && errorMessage(error, 'The PIN could not be changed. Please try again.')}
      submit={newPin ? 'Done' : 'Get a PIN'}
      submitting="Getting a PIN..."
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
      {newPin ? <NewPin pin={newPin} /> : <Text>{hasPin ? REPLACES : NO_PIN_YET}</Text>}
    </FormDialog>
  )
}

const NO_PIN_YET = 'You get a PIN that nobody else at your dojo has.'
const REPLACES = 'You get a new PIN. The old one stops working.'

const NewPin = ({ pin }: { pin: string }) => (
  <Stack gap="xs" align="center">
    <Text fz={40} fw={700} lts="0.2em" aria-label={`Your PIN is ${pin.split('').join(' ')}`}>
      {pin}
    </Text>
    <Text>Please write it down. You will not see it again, but you can get a new one.</Text>
  </Stack>
)
