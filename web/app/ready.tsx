import { type ComponentProps, useState } from 'react'
import { ReadyScreen } from '../belts/ready.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'

const PlanWithDialog = lazyComponent(
  () => import('../gradings/plan-with-dialog.tsx'),
  'PlanWithDialog',
)

type GradingPlan = Parameters<ComponentProps<typeof ReadyScreen>['onPlan']>[0]

export function ReadyForTestPage() {
  const [plan, setPlan] = useState<GradingPlan | null>(null)
  return (
    <>
      <ReadyScreen onPlan={setPlan} planPreload={PlanWithDialog.preloadOnHover} />
      {plan && <PlanWithDialog {...plan} onClose={() => setPlan(null)} />}
    </>
  )
}
