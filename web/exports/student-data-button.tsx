import { IconDownload } from '@tabler/icons-react'
import { exportsApi } from '@tatami/contract/exports/exports'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { DownloadButton } from '../ui/download-button.tsx'

export const StudentDataButton = ({ id, name }: { id: string; name?: string }) => (
  <DownloadButton
    endpoint={exportsApi.ofMyStudent}
    input={{ params: { id } }}
    variant="light"
    leftSection={<IconDownload size={20} aria-hidden />}
    busyLabel="Downloading..."
  >
    Download data{name && <VisuallyHidden>{` of ${name}`}</VisuallyHidden>}
  </DownloadButton>
)
