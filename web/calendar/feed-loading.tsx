import { useLayout } from '../lib/layout-link.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'

export const FeedLoading = () => (
  <SkeletonBlock height={useLayout() === 'desktop' ? '6.5rem' : '9.5rem'} />
)
