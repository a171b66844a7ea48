import { lazyPart } from '../ui/lazy-part.tsx'
import { WaitingBlock } from '../ui/waiting-block.tsx'
import { NearViewport } from './near-viewport.tsx'

const HEIGHT = '40rem'
const Charts = lazyPart(() => import('./analytics-charts.tsx').then((part) => part.AnalyticsCharts), <WaitingBlock height={HEIGHT} />)

/** The dojo in figures (product.md, section 8). */
export const Analytics = () => (
  <NearViewport height={HEIGHT}>
    <Charts />
  </NearViewport>
)
