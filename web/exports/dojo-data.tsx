import { Button, Title } from '@mantine/core'
import { IconDownload, IconListDetails } from '@tabler/icons-react'
import { exportsApi } from '@tatami/contract/exports/exports'
import { drafts } from '../lib/drafts.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { FILE_SAVED } from '../ui/download-sheet.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { useDownload } from '../ui/use-download.ts'
import kit from '../ui/kit.module.css'

export function DojoData({ onLeave }: { onLeave: () => void }) {
  const file = useDownload(exportsApi.everything)
  const openAuditLog = () => {
    drafts.storeOpenForms()
    onLeave()
  }
  return (
    <section className={kit.stack} aria-labelledby="dojo-data">
      <div>
        <Title order={3} id="dojo-data">
          Your data
        </Title>
        <p className={kit.muted}>
          Everything in one zip file, as CSV and JSON: students, families, attendance, payments,
          texts and more. No passwords.
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
          Download everything
        </BusyButton>
        <Button
          component={LayoutLink}
          to="/audit-log"
          variant="subtle"
          leftSection={<IconListDetails size={20} aria-hidden />}
          onClick={openAuditLog}
        >
          Audit log
        </Button>
      </div>
      <ErrorNotice>{file.error}</ErrorNotice>
      <div role="status">{file.isDone && FILE_SAVED}</div>
    </section>
  )
}
