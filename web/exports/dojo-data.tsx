import { Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { exportsApi } from '@tatami/contract/exports/exports'
import { BusyButton } from '../ui/busy-button.tsx'
import { FILE_SAVED } from '../ui/download-sheet.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { useDownload } from '../ui/use-download.ts'

export function DojoDataSheet({ onClose }: { onClose: () => void }) {
  const file = useDownload(exportsApi.everything)
  return (
    <Sheet opened onClose={onClose} title="Your data" size="small">
      <Stack gap="md">
        <p>
          Everything in one zip file, as CSV and JSON: students, families, attendance, payments,
          texts and more. No passwords.
        </p>
        <BusyButton
          leftSection={<IconDownload size={20} aria-hidden />}
          busy={file.isPending}
          busyLabel="Downloading..."
          onClick={() => file.start()}
        >
          Download everything
        </BusyButton>
        <ErrorNotice>{file.error}</ErrorNotice>
        <div role="status">{file.isDone && FILE_SAVED}</div>
      </Stack>
    </Sheet>
  )
}
