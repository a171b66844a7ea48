import { Button } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import { ReadyScreen } from '../belts/ready.tsx'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'

const PlanWithDialog = lazyComponent(
  () => import('../gradings/plan-with-dialog.tsx'),
  'PlanWithDialog',
)

type GradingPlan = Parameters<ComponentProps<typeof ReadyScreen>['onPlan']>[0]

export function Ready() {
  const [plan, setPlan] = useState<GradingPlan | null>(null)
  const size = useLayout() === 'desktop' ? 'md' : 'sm'
  return (
    <>
      <ReadyScreen
        links={
          <>
            <Button variant="default" size={size} component={LayoutLink} to="/gradings">
              {schoolBeltTestName().capitalizedPlural}
            </Button>
            <Button variant="default" size={size} component={LayoutLink} to="/belts">
              Belts
            </Button>
          </>
        }
        onPlan={setPlan}
        planPreload={PlanWithDialog.preloadOnHover}
      />
      {plan && <PlanWithDialog {...plan} onClose={() => setPlan(null)} />}
    </>
  )
}
