import { Button } from '@mantine/core'
import { refusalWithout, type Right } from '@tatami/contract/rights'
import { homePath, useCurrentUser } from '../lib/current-user.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import kit from '../ui/kit.module.css'

/** Shown to staff who open a screen without the right for it. */
export function NotAllowed({ right }: { right: Right }) {
  const user = useCurrentUser()
  return (
    <div className={kit.stack}>
      <PageHeader title="You don’t have access" />
      <p>{refusalWithout(right)}</p>
      <div>
        <Button component={LayoutLink} to={homePath(user)}>
          Go to the dashboard
        </Button>
      </div>
    </div>
  )
}
