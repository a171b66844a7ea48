import { lastDayOf, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { NativeSelect, TextInput } from '@mantine/core'
import { type BookkeepingFormat, exportsApi } from '@tatami/contract/exports/exports'
import { useState } from 'react'
import { DownloadSheet } from '../ui/download-sheet.tsx'

const FORMATS: { value: BookkeepingFormat; label: string }[] = [
  { value: 'quickbooks', label: 'QuickBooks Online' },
  { value: 'xero', label: 'Xero' },
]

type Props = {
  months: { from: string; to: string }
  onClose: () => void
}

export function BookkeepingSheet({ months, onClose }: Props) {
  const [format, setFormat] = useState<BookkeepingFormat>('quickbooks')
  const [firstDay, setFirstDay] = useState(`${months.from}-01`)
  const [lastDay, setLastDay] = useState(lastDayOf(monthOfDate(`${months.to}-01`)))
  return (
    <DownloadSheet
      title="For your bookkeeper"
      endpoint={exportsApi.bookkeeping}
      input={{ body: { format, from: firstDay, to: lastDay } }}
      onClose={onClose}
    >
      <p>
        All payments, refunds and corrections from these days, in a format that bookkeeping programs
        can import. The file contains names, so keep it private.
      </p>
      <NativeSelect
        label="Program"
        value={format}
        onChange={({ currentTarget }) => {
          const newFormat = FORMATS.find(({ value }) => value === currentTarget.value)
          if (newFormat) setFormat(newFormat.value)
        }}
        data={FORMATS}
      />
      <TextInput
        type="date"
        label="First day"
        value={firstDay}
        onChange={(event) => setFirstDay(event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label="Last day"
        value={lastDay}
        onChange={(event) => setLastDay(event.currentTarget.value)}
      />
    </DownloadSheet>
  )
}
