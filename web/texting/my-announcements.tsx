import { Stack, Title } from '@mantine/core'
import { announcementsApi } from '@tatami/contract/announcements'
import { usePages } from '../lib/pages.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { AnnouncementEntry, AnnouncementList } from './announcement-entry.tsx'

const ROWS = 20

/** A student's announcements, each in full, newest first. */
export function MyAnnouncements() {
  const announcements = usePages(announcementsApi.list, { limit: ROWS })
  const { rows, isError } = announcements
  return (
    <Stack component="section" gap="md" aria-labelledby="my-announcements">
      <Title order={2} id="my-announcements">
        Announcements
      </Title>
      {!rows && !isError && <Skeletons count={3} height={104} label="Loading the announcements..." />}
      {rows?.length === 0 && <EmptyState>Nothing here yet. Your instructor’s announcements appear here.</EmptyState>}
      {rows && rows.length > 0 && (
        <AnnouncementList>
          {rows.map((one) => (
            <AnnouncementEntry key={one.id} announcement={one} />
          ))}
        </AnnouncementList>
      )}
      <MoreRows of={announcements} failed="The announcements could not be loaded." />
    </Stack>
  )
}
