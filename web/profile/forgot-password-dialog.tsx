import { Text } from '@mantine/core'
import { forgotPassword, profileApi } from '@tatami/contract/profile/profile'
import { EmailField } from '../accounts/email-field.tsx'
import { progressProps } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { DoneNotice } from '../ui/notices.tsx'
import { MessageDialog } from '../ui/message-dialogs.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'

/** The response is the same for every email, so it doesn't reveal who has an account. */
export function ForgotPasswordDialog({ title, onClose }: { title: string; onClose: () => void }) {
  const form = useSchemaForm(forgotPassword, { email: '' })
  const request = useEndpointMutation(profileApi.forgotPassword, { onError: form.showRefusal })
  if (request.data) {
    return (
      <MessageDialog title={title} button="Close" onClose={onClose}>
        <DoneNotice>{request.data.message}</DoneNotice>
      </MessageDialog>
    )
  }
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      size="small"
      onSubmit={form.send((body) => request.isPending || request.mutate({ body }))}
      {...progressProps(request, 'The link could not be sent. Please try again.')}
      submitLabel="Send link"
      busyLabel="Sending the link..."
    >
      <Text>We’ll email you a link to set a new password. It works once, within 30 minutes.</Text>
      <EmailField {...form.getInputProps('email')} />
    </FormDialog>
  )
}
