import { Button, Title } from '@mantine/core'
import { IconDownload, IconListDetails } from '@tabler/icons-react'
import { exportsApi } from '@tatami/contract/exports/exports'
import { drafts } from '../lib/drafts.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import styles from './dojo-data.module.css'
import { useDownload } from '../ui/use-download.ts'
import kit from '../ui/kit.module.css'

/** In an instructor's settings: all of the dojo's data to take along, and the way to the audit log. */
export function DojoData({ onLeave }: { onLeave: () => void }) {
  const file = useDownload(exportsApi.everything)
  const leave = () => {
    drafts.keep()
    onLeave()
  }
  return (
    <section className={styles.data} aria-labelledby="dojo-data">
      <div>
        <Title order={3} id="dojo-data">
          Your data
        </Title>
        <p>
          Everything of your dojo in one zip, as CSV and JSON: students, families, attendance,
          payments, texts and more. No passwords.
        </p>
      </div>
      <div className={kit.row}>
        <BusyButton
          variant="default"
          leftSection={<IconDownload size={20} aria-hidden />}
          busy={file.isPending}
          busyLabel="Downloading..."
          onClick={() => file.start()}
        >
          Take everything
        </BusyButton>
        <Button
          component={LayoutLink}
          to="/audit-log"
          variant="subtle"
          leftSection={<IconListDetails size={20} aria-hidden />}
          onClick={leave}
        >
          Audit log
        </Button>
      </div>
      <ErrorNotice>{file.error}</ErrorNotice>
      <div role="status">{file.isDone && 'It is among your downloads.'}</div>
    </section>
  )
}
