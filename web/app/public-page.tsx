import { PublicPageSettings } from '../public-page/public-page.tsx'
import { TrialOffers } from '../trials/trial-offers.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import kit from '../ui/kit.module.css'

export const PublicPage = () => (
  <div className={kit.stack}>
    <PageHeader title="Public page" subtitle="What people see who do not know your school yet" />
    <PublicPageSettings />
    <TrialOffers />
  </div>
)
