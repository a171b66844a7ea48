import { IconDownload } from '@tabler/icons-react'
import { exportsApi } from '@tatami/contract/exports'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { useDownload } from './use-download.ts'

/** For a student or a guardian: what the dojo has noted of a student, as far as they may see it. */
export function StudentData({ id, of }: { id: string; of?: string }) {
  const file = useDownload(exportsApi.ofMyStudent)
  return (
    <>
      <BusyButton
        variant="light"
        leftSection={<IconDownload size={20} aria-hidden />}
        busy={file.isPending}
        busyLabel="Downloading..."
        onClick={() => file.start({ params: { id } })}
      >
        Download data{of && <VisuallyHidden>{` of ${of}`}</VisuallyHidden>}
      </BusyButton>
      <ErrorNotice>{file.error}</ErrorNotice>
    </>
  )
}
