import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { loadNewVersion } from '../lib/shell.ts'
import { hasNewVersion } from '../lib/offline.ts'
import { FootBar } from '../ui/foot-bar.tsx'
import { OfflineNote } from '../ui/offline-note.tsx'
import styles from './offline-notes.module.css'

function NewVersionNote() {
  const [isDismissed, setDismissed] = useState(false)
  const isReady = hasNewVersion.use()
  if (!isReady || isDismissed) return null
  const reload = () => {
    drafts.storeOpenForms()
    void loadNewVersion()
  }
  return (
    <FootBar place="version">
      <aside className={styles.versionNote} aria-label="New version">
        <p role="status">A new version is ready</p>
        <Button variant="subtle" onClick={reload}>
          Reload
        </Button>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label="Later"
          onClick={() => setDismissed(true)}
        >
          <IconX size={20} />
        </ActionIcon>
      </aside>
    </FootBar>
  )
}

export const OfflineNotes = () => (
  <>
    <div className={styles.offlineNote} data-layout={useLayout()}>
      <OfflineNote />
    </div>
    <NewVersionNote />
  </>
)
