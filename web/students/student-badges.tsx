import { IconDoorExit, IconPlaneDeparture, IconSeedling } from '@tabler/icons-react'
import { Badge } from '../ui/badge.tsx'

export const TrialBadge = () => (
  <Badge tone="blue">
    <IconSeedling size={16} aria-hidden />
    Trial
  </Badge>
)

export const VacationBadge = ({ children }: { children: string }) => (
  <Badge tone="blue">
    <IconPlaneDeparture size={16} aria-hidden />
    {children}
  </Badge>
)

export const FormerBadge = () => (
  <Badge>
    <IconDoorExit size={16} aria-hidden />
    Former student
  </Badge>
)
