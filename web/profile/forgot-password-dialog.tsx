import { Stack, Text } from '@mantine/core'
import { forgotPassword, profileApi } from '@tatami/contract/profile'
import { EmailField } from '../accounts/email-field.tsx'
import { errorMessage } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { Done } from '../ui/done.tsx'
import { FormNotice } from '../ui/form-notice.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { MessageDialog } from '../ui/message-dialog.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'

/** Asks for a link that sets a new password. The answer is the same for every address. */
export function ForgotPasswordDialog({ title, onClose }: { title: string; onClose: () => void }) {
  const form = useSchemaForm(forgotPassword, { email: '' })
  const ask = useEndpointMutation(profileApi.forgotPassword, { onError: form.showRefusal })
  if (ask.data) {
    return (
      <MessageDialog title={title} button="Close" onClose={onClose}>
        <Done>{ask.data.message}</Done>
      </MessageDialog>
    )
  }
  return (
    <Sheet
      opened
      onClose={onClose}
      title={title}
      size="small"
      busy={ask.isPending}
      onSubmit={form.send((body) => ask.isPending || ask.mutate({ body }))}
      actions={
        <>
          <FormNotice>{ask.isError && errorMessage(ask.error, 'The link could not be sent. Please try again.')}</FormNotice>
          <CancelButton />
          <BusyButton type="submit" busy={ask.isPending} busyLabel="Sending the link...">
            Send link
          </BusyButton>
        </>
      }
    >
      <Stack gap="md">
        <Text>We send you a link that sets a new password. It works once, for 30 minutes.</Text>
        <EmailField {...form.getInputProps('email')} />
      </Stack>
    </Sheet>
  )
}
