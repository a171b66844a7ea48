import { Stack, TextInput } from '@mantine/core'
import { kioskForm, kiosksApi, LINK_MINUTES } from '@tatami/contract/kiosk/kiosks'
import { failureMessage, progressProps } from '../lib/api.ts'
import { formatTimeOrDate } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { kioskCredential } from './kiosk-credential.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { logout } from '../accounts/logout.ts'
import { CopyField } from '../ui/copy-field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import styles from './kiosks.module.css'

const NEW_KIOSK = { name: 'Front door' }

type NameProps = { form: ReturnType<typeof useSchemaForm<typeof NEW_KIOSK>> }
const NameField = ({ form }: NameProps) => (
  <TextInput
    {...form.getInputProps('name')}
    label="Name"
    description="So you can tell your kiosks apart"
    required
    autoComplete="off"
  />
)

export function KioskHereDialog({ onClose }: { onClose: () => void }) {
  const form = useSchemaForm(kioskForm, NEW_KIOSK)
  useDraft('new-kiosk', form)
  const create = useEndpointMutation(kiosksApi.create, {
    onSuccess: ({ token }) => {
      kioskCredential.start(token)
      void logout('/kiosk')
    },
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title="Set up this device"
      onClose={onClose}
      // After a success the dialog stays busy until the kiosk page is open.
      onSubmit={form.send(
        (body) => create.isPending || create.isSuccess || create.mutate({ body }),
      )}
      isDirty={form.isDirty() && !create.isSuccess}
      busy={create.isPending || create.isSuccess}
      error={failureMessage(create, 'The kiosk could not be started. Please try again.')}
      submitLabel="Set up this device"
      busyLabel="Setting up..."
    >
      <p>
        This device will become a kiosk, and you’ll be logged out. To leave the kiosk, log in again.
      </p>
      <NameField form={form} />
    </FormDialog>
  )
}

export function KioskLinkDialog({ onClose }: { onClose: () => void }) {
  const form = useSchemaForm(kioskForm, NEW_KIOSK)
  useDraft('new-kiosk', form)
  const createLink = useEndpointMutation(kiosksApi.createLink, {
    refreshes: [kiosksApi.list],
    onError: form.showRefusal,
  })
  if (createLink.data) return <LinkSheet {...createLink.data} onClose={onClose} />
  return (
    <FormDialog
      title="Set up another device"
      onClose={onClose}
      onSubmit={form.send((body) => createLink.isPending || createLink.mutate({ body }))}
      isDirty={form.isDirty()}
      {...progressProps(createLink, 'The link could not be created. Please try again.')}
      submitLabel="Create link"
      busyLabel="Creating..."
    >
      <p>
        You’ll get a link and a QR code for the tablet. They work once, for {LINK_MINUTES} minutes.
      </p>
      <NameField form={form} />
    </FormDialog>
  )
}

type LinkProps = { link: string; qr: string; expires_at: string; onClose: () => void }

const LinkSheet = ({ link, qr, expires_at, onClose }: LinkProps) => (
  <Sheet
    opened
    title="Set up another device"
    onClose={onClose}
    actions={<CancelButton>Close</CancelButton>}
  >
    <Stack gap="md">
      <p>
        Open this on the tablet, or scan it with the tablet’s camera. It works once, until{' '}
        {formatTimeOrDate(expires_at)}.
      </p>
      <img className={styles.qr} src={qr} alt="QR code for the link" />
      <CopyField label="Link for the tablet" value={link} />
    </Stack>
  </Sheet>
)
