import { Skeletons } from '../ui/skeletons.tsx'

export const DashboardLoading = (size: { count: number; height: number }) => <Skeletons label="Loading dashboard..." {...size} />
