import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Sheet } from '../ui/sheet.tsx'
import { Done } from '../ui/done.tsx'

/** `children` are the server's words on what happens next. */
export const RegistrationReceived = ({ onClose, children }: { onClose: () => void; children: ReactNode }) => (
  <Sheet opened onClose={onClose} title="Registration received" size="small" actions={<Button onClick={onClose}>Close</Button>}>
    <Done>{children}</Done>
  </Sheet>
)
