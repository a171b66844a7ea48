import { IconCheck, IconX } from '@tabler/icons-react'
import { Badge } from '../ui/badge.tsx'

export const Presence = ({ present }: { present: boolean }) => (
  <Badge tone={present ? 'green' : 'red'}>
    {present ? (
      <IconCheck size={16} stroke={2.5} aria-hidden />
    ) : (
      <IconX size={16} stroke={2.5} aria-hidden />
    )}
    {present ? 'Present' : 'Absent'}
  </Badge>
)
