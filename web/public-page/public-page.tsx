import { publicPageApi } from '@tatami/contract/public-page/public-page'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Loading } from '../ui/loading.tsx'
import { Panel } from '../ui/panel.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { PagePhotos } from './page-photos.tsx'
import { ShareSection } from './share-section.tsx'

const skeleton = <SkeletonBlock height="30rem">Loading the public page...</SkeletonBlock>
const PublicPageForm = lazyComponent(
  () => import('./public-page-form.tsx'),
  'PublicPageForm',
  skeleton,
)

export function PublicPageSettings() {
  const page = useRetryingQuery(endpointQuery(publicPageApi.read))
  return (
    <>
      {page.data && (
        <Panel title="Page">
          <PublicPageForm page={page.data} />
        </Panel>
      )}
      {page.data && <PagePhotos photos={page.data.photos} />}
      {page.data?.is_on && <ShareSection page={page.data} />}
      <Loading query={page} error="The public page could not be loaded.">
        {skeleton}
      </Loading>
    </>
  )
}
