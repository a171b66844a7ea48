import type { ComponentProps } from 'react'
import type { Args } from '../lib/api.ts'
import { BusyButton } from './busy-button.tsx'
import { ErrorNotice } from './notices.tsx'
import type { FileEndpoint } from './download-csv-sheet.tsx'
import { useDownload } from './use-download.ts'

type Props<CalledEndpoint extends FileEndpoint> = Omit<
  ComponentProps<typeof BusyButton>,
  'busy' | 'onClick'
> & {
  endpoint: CalledEndpoint
  input: NonNullable<Args<CalledEndpoint>[0]>
}

export function DownloadButton<const CalledEndpoint extends FileEndpoint>(
  props: Props<CalledEndpoint>,
) {
  const { endpoint, input, ...button } = props
  const { start, isPending, error } = useDownload(endpoint)
  return (
    <>
      <BusyButton {...button} busy={isPending} onClick={() => start(input)} />
      <ErrorNotice>{error}</ErrorNotice>
    </>
  )
}
