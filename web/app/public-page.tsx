import { PublicPageSettings } from '../public-page/public-page.tsx'
import { TrialOffers } from '../trials/trial-offers.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import kit from '../ui/kit.module.css'

export const PublicPage = () => (
  <div className={kit.stack}>
    <PageHeader title="Public page" subtitle="What people who are new to your school see" />
    <PublicPageSettings />
    <TrialOffers />
  </div>
)
