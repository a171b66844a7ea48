import { useShell } from '../lib/shell.tsx'
import { WaitingBlock } from '../ui/waiting-block.tsx'
import { DashboardLoading } from './dashboard-loading.tsx'
import layout from './layout.module.css'
import tiles from './stat-tiles.module.css'

/** The instructor's dashboard in outline. */
export const InstructorLoading = () => (
  <div role="status" className={layout.page} data-shell={useShell()}>
    <div className={layout.row}>
      <DashboardLoading height="17rem" />
      <WaitingBlock height="17rem" />
    </div>
    <div className={tiles.tiles} data-shell={useShell()}>
      {Array.from({ length: 4 }, (_, tile) => (
        <WaitingBlock key={tile} height="5.5rem" />
      ))}
    </div>
    <div className={layout.row}>
      <WaitingBlock height="26rem" />
      <WaitingBlock height="26rem" />
    </div>
  </div>
)
