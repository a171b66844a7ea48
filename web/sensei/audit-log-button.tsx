import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Skeletons } from '../ui/skeletons.tsx'

const LOADING = 'Loading the audit log...'
const AuditLogDialog = lazyPart(
  () => import('./audit-log-dialog.tsx').then((part) => part.AuditLogDialog),
  <Skeletons count={0} label={LOADING} />,
)

export function AuditLogButton() {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        px="sm"
        aria-haspopup="dialog"
        leftSection={<IconHistory size={20} aria-hidden />}
        onPointerEnter={AuditLogDialog.preload}
        onClick={() => setOpened(true)}
      >
        Audit log
      </Button>
      {opened && <AuditLogDialog loading={LOADING} onClose={() => setOpened(false)} />}
    </>
  )
}
