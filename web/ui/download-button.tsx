import type { ComponentProps } from 'react'
import type { Args } from '../lib/api.ts'
import { BusyButton } from './busy-button.tsx'
import { ErrorNotice } from './notices.tsx'
import type { FileEndpoint } from './download-csv-sheet.tsx'
import { useDownload } from './use-download.ts'

type Props<E extends FileEndpoint> = Omit<ComponentProps<typeof BusyButton>, 'busy' | 'onClick'> & {
  endpoint: E
  input: NonNullable<Args<E>[0]>
}

export function DownloadButton<const E extends FileEndpoint>(props: Props<E>) {
  const { endpoint, input, ...button } = props
  const { start, isPending, error } = useDownload(endpoint)
  return (
    <>
      <BusyButton {...button} busy={isPending} onClick={() => start(input)} />
      <ErrorNotice>{error}</ErrorNotice>
    </>
  )
}
