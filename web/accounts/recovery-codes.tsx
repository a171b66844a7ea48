import { Stack, Text } from '@mantine/core'
import { CopyField } from '../ui/copy-field.tsx'
import styles from './sign-in.module.css'

export const RecoveryCodes = ({ codes }: { codes: readonly string[] }) => (
  <Stack gap="md">
    <Text>
      Write these recovery codes down, or print them. Each lets you in once when your phone is not
      at hand. They are not shown again.
    </Text>
    <ol className={styles.codes} aria-label="Recovery codes">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ol>
    <CopyField label="All codes" value={codes.join(' ')} />
  </Stack>
)
