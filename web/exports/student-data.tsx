import { IconDownload } from '@tabler/icons-react'
import { exportsApi } from '@tatami/contract/exports/exports'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { DownloadButton } from '../ui/download-button.tsx'

/** For a student or a guardian: what the dojo has noted of a student, as far as they may see it. */
export const StudentData = ({ id, of }: { id: string; of?: string }) => (
  <DownloadButton
    endpoint={exportsApi.ofMyStudent}
    input={{ params: { id } }}
    variant="light"
    leftSection={<IconDownload size={20} aria-hidden />}
    busyLabel="Downloading..."
  >
    Download data{of && <VisuallyHidden>{` of ${of}`}</VisuallyHidden>}
  </DownloadButton>
)
