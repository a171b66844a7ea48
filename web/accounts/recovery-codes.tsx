import { Button, Stack, Text } from '@mantine/core'
import { CopyField } from '../ui/copy-field.tsx'
import { Sheet } from '../ui/sheet.tsx'
import styles from './sign-in.module.css'

export const RecoveryCodes = ({ codes }: { codes: readonly string[] }) => (
  <Stack gap="md">
    <Text>
      Write these recovery codes down or print them. Each logs you in once if you don’t have your
      phone. You won’t see them again.
    </Text>
    <ol className={styles.codes} aria-label="Recovery codes">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ol>
    <CopyField label="All codes" value={codes.join(' ')} />
  </Stack>
)

type SheetProps = { title: string; codes: string[]; onClose: () => void }

export const RecoveryCodesSheet = ({ title, codes, onClose }: SheetProps) => (
  <Sheet
    opened
    onClose={onClose}
    title={title}
    size="small"
    actions={<Button onClick={onClose}>I saved them</Button>}
  >
    <RecoveryCodes codes={codes} />
  </Sheet>
)
