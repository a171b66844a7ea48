import { WaitingBlock } from '../ui/waiting-block.tsx'

/** The first of what comes, with the words for the wait. */
export const DashboardLoading = ({ height }: { height: string }) => <WaitingBlock height={height}>Loading dashboard...</WaitingBlock>
