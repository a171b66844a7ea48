import { lastDayOf, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { type BookkeepingFormat, exportsApi } from '@tatami/contract/exports/exports'
import { type SubmitEventHandler, useState } from 'react'
import { useDownload } from '../ui/use-download.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'

const FORMATS: { value: BookkeepingFormat; label: string }[] = [
  { value: 'quickbooks', label: 'QuickBooks Online' },
  { value: 'xero', label: 'Xero' },
]

type Props = {
  /** The months shown, with which the days begin. */
  months: { from: string; to: string }
  onClose: () => void
}

/** Saves what was received and given back as the file of a bank statement. */
export function BookkeepingSheet({ months, onClose }: Props) {
  const [format, setFormat] = useState<BookkeepingFormat>('quickbooks')
  const [from, setFrom] = useState(`${months.from}-01`)
  const [to, setTo] = useState(lastDayOf(monthOfDate(`${months.to}-01`)))
  const file = useDownload(exportsApi.bookkeeping)
  const start: SubmitEventHandler<HTMLFormElement> = (event) => {
    event.preventDefault()
    file.start({ body: { format, from, to } })
  }
  return (
    <Sheet
      opened
      onClose={onClose}
      title="For your bookkeeper"
      size="small"
      onSubmit={start}
      actions={
        <>
          <CancelButton>Close</CancelButton>
          <BusyButton type="submit" busy={file.isPending} busyLabel="Downloading...">
            Download
          </BusyButton>
        </>
      }
    >
      <Stack gap="md">
        <p>
          Every payment, refund and correction of these days, as your bookkeeper’s program imports a
          bank statement. It has names: keep it as you keep your papers.
        </p>
        <NativeSelect
          label="Program"
          value={format}
          onChange={(event) => setFormat(event.currentTarget.value as BookkeepingFormat)}
          data={FORMATS}
        />
        <TextInput
          type="date"
          label="First day"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label="Last day"
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <ErrorNotice>{file.error}</ErrorNotice>
        <div role="status">{file.isDone && 'It is among your downloads.'}</div>
      </Stack>
    </Sheet>
  )
}
