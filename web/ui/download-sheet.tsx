import { Stack } from '@mantine/core'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import type { ReactNode } from 'react'
import type { Args } from '../lib/api.ts'
import { BusyButton } from './busy-button.tsx'
import { ErrorNotice } from './notices.tsx'
import { CancelButton, Sheet } from './sheet.tsx'
import { useDownload } from './use-download.ts'

export const FILE_SAVED = 'Saved to your downloads.'

type Props<CalledEndpoint extends Endpoint & { file: string }> = {
  title: string
  endpoint: CalledEndpoint
  input: NonNullable<Args<CalledEndpoint>[0]>
  onClose: () => void
  children: ReactNode
}

export function DownloadSheet<const CalledEndpoint extends Endpoint & { file: string }>(
  props: Props<CalledEndpoint>,
) {
  const { title, endpoint, input, onClose, children } = props
  const download = useDownload(endpoint)
  return (
    <Sheet
      opened
      onClose={onClose}
      title={title}
      size="small"
      onSubmit={(event) => {
        event.preventDefault()
        download.start(input)
      }}
      actions={
        <>
          <CancelButton>Close</CancelButton>
          <BusyButton type="submit" busy={download.isPending} busyLabel="Downloading...">
            Download
          </BusyButton>
        </>
      }
    >
      <Stack gap="md">
        {children}
        <ErrorNotice>{download.error}</ErrorNotice>
        <div role="status">{download.isDone && FILE_SAVED}</div>
      </Stack>
    </Sheet>
  )
}
