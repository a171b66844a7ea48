import { Stack } from '@mantine/core'
import type { Sensei } from '@tatami/contract/sensei'
import { CopyField } from '../ui/copy-field.tsx'
import { Done } from '../ui/done.tsx'
import { MessageDialog } from '../ui/message-dialog.tsx'

/** The password is there to be passed on; it stands nowhere else. */
export const PasswordDone = ({ sensei, password, onClose }: { sensei: Sensei; password: string; onClose: () => void }) => (
  <MessageDialog title={sensei.full_name} button="Close" onClose={onClose}>
    <Stack gap="md">
      <Done>The password was reset. {sensei.full_name} is logged out everywhere and will be notified, without the password itself.</Done>
      <CopyField label="New password" value={password} />
    </Stack>
  </MessageDialog>
)
