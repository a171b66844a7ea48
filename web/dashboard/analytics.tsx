import { lazyComponent } from '../ui/lazy-component.tsx'
import { WaitingBlock } from '../ui/waiting-block.tsx'
import { NearViewport } from './near-viewport.tsx'

const HEIGHT = '40rem'
const Charts = lazyComponent(() => import('./analytics-charts.tsx').then((part) => part.AnalyticsCharts), <WaitingBlock height={HEIGHT} />)

/** The dojo in figures (product.md, section 8). */
export const Analytics = () => (
  <NearViewport height={HEIGHT}>
    <Charts />
  </NearViewport>
)
