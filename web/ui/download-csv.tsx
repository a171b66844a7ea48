import { ActionIcon, Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useCan } from '../lib/current-user.ts'
import type { Args } from '../lib/api.ts'
import { useLayout } from '../lib/layout-link.tsx'
import type { FileEndpoint } from './download-csv-sheet.tsx'
import { lazyComponent } from './lazy-component.tsx'
import { useIsInSheet } from './sheet.tsx'

const DownloadCsvSheet = lazyComponent(() => import('./download-csv-sheet.tsx'), 'DownloadCsvSheet')

type Choice<CalledEndpoint extends FileEndpoint> = {
  label: string
  input: NonNullable<Args<CalledEndpoint>[0]>
}
type Props<CalledEndpoint extends FileEndpoint> = {
  endpoint: CalledEndpoint
  allRows: Choice<CalledEndpoint>
  visibleRows?: Choice<CalledEndpoint>
}

export function DownloadCsv<const CalledEndpoint extends FileEndpoint>({
  endpoint,
  allRows,
  visibleRows,
}: Props<CalledEndpoint>) {
  const can = useCan()
  const [isOpen, setIsOpen] = useState(false)
  const open = () => setIsOpen(true)
  const isDesktop = useLayout() === 'desktop'
  const isInSheet = useIsInSheet()
  if (!can(endpoint.right ?? 'any')) return null
  return (
    <>
      {isDesktop || isInSheet ? (
        <Button
          {...(isInSheet
            ? { variant: 'default' }
            : { variant: 'subtle', size: 'sm', mr: '-1.125rem' })}
          aria-haspopup="dialog"
          leftSection={<IconDownload size={20} aria-hidden />}
          onClick={open}
        >
          Download CSV
        </Button>
      ) : (
        <ActionIcon
          variant="subtle"
          size="lg"
          aria-label="Download CSV"
          aria-haspopup="dialog"
          onClick={open}
        >
          <IconDownload size={20} />
        </ActionIcon>
      )}
      {isOpen && (
        <DownloadCsvSheet
          endpoint={endpoint}
          choices={visibleRows ? [visibleRows, allRows] : [allRows]}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}
