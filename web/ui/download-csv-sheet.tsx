import { Stack } from '@mantine/core'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { BusyButton } from './busy-button.tsx'
import { FILE_SAVED } from './download-sheet.tsx'
import { ErrorNotice } from './notices.tsx'
import { Sheet } from './sheet.tsx'
import { useDownload } from './use-download.ts'

export type FileEndpoint = Endpoint & { file: string }
export type Choice = { label: string; input: unknown }
type Props = { endpoint: FileEndpoint; choices: readonly Choice[]; onClose: () => void }

export function DownloadCsvSheet({ endpoint, choices, onClose }: Props) {
  const download = useDownload(endpoint)
  return (
    <Sheet opened onClose={onClose} title="Download CSV" size="small">
      <Stack gap="md">
        <p>
          A file for Excel, Numbers or Google Sheets. It contains names and personal details: keep
          it private.
        </p>
        <Stack gap="sm">
          {choices.map(({ label, input }, index) => (
            <BusyButton
              key={label}
              variant={index === 0 ? 'filled' : 'default'}
              busy={download.isPending}
              busyLabel="Downloading..."
              onClick={() => download.start(input as never)}
            >
              {label}
            </BusyButton>
          ))}
        </Stack>
        <ErrorNotice>{download.error}</ErrorNotice>
        <div role="status">{download.isDone && FILE_SAVED}</div>
      </Stack>
    </Sheet>
  )
}
