import { useLayout } from '../lib/layout-link.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'

/** In the size of what comes: three lines of words and a button on a phone, two elsewhere. */
export const FeedLoading = () => (
  <SkeletonBlock height={useLayout() === 'desktop' ? '6.5rem' : '9.5rem'} />
)
