import { ActionIcon, Button, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { Endpoint } from '@tatami/contract/endpoint'
import { useState } from 'react'
import type { Args } from '../lib/api.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { useDownload } from './use-download.ts'

type FileEndpoint = Endpoint & { file: string }
type Choice<E extends FileEndpoint> = { label: string; input: NonNullable<Args<E>[0]> }
type Props<E extends FileEndpoint> = {
  endpoint: E
  all: Choice<E>
  /** What the list's filter shows, where that is not all. */
  shown?: Choice<E>
}

/** Beside a list: saves it as a spreadsheet reads it, what is shown or all. */
export function DownloadCsv<const E extends FileEndpoint>(props: Props<E>) {
  const [isOpen, setIsOpen] = useState(false)
  const open = () => setIsOpen(true)
  const isDesktop = useLayout() === 'desktop'
  return (
    <>
      {isDesktop ? (
        <Button variant="subtle" size="sm" aria-haspopup="dialog" leftSection={<IconDownload size={20} aria-hidden />} onClick={open}>
          Download CSV
        </Button>
      ) : (
        <ActionIcon variant="subtle" size="lg" aria-label="Download CSV" aria-haspopup="dialog" onClick={open}>
          <IconDownload size={20} />
        </ActionIcon>
      )}
      {isOpen && <DownloadCsvSheet {...props} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function DownloadCsvSheet<const E extends FileEndpoint>({ endpoint, all, shown, onClose }: Props<E> & { onClose: () => void }) {
  const file = useDownload(endpoint)
  const choices = shown ? [shown, all] : [all]
  return (
    <Sheet opened onClose={onClose} title="Download CSV" size="small">
      <Stack gap="md">
        <p>A file for Excel, Numbers or Google Sheets. It has names and more of people: keep it as you keep your papers.</p>
        <Stack gap="sm">
          {choices.map(({ label, input }, place) => (
            <BusyButton
              key={label}
              variant={place === 0 ? 'filled' : 'default'}
              busy={file.isPending}
              busyLabel="Downloading..."
              onClick={() => file.start(input)}
            >
              {label}
            </BusyButton>
          ))}
        </Stack>
        <ErrorNotice>{file.error}</ErrorNotice>
        <div role="status">{file.isDone && 'It is among your downloads.'}</div>
      </Stack>
    </Sheet>
  )
}
