import { Sheet } from '../ui/sheet.tsx'
import type { PlanForm } from '@tatami/contract/plans/plans'
import { TemplateChoices } from './template-choices.tsx'

type Props = { onClose: () => void; onChoose: (template: PlanForm | null) => void }

export const NewPlanSheet = ({ onClose, onChoose }: Props) => (
  <Sheet opened onClose={onClose} title="New plan">
    <TemplateChoices onChoose={onChoose} />
  </Sheet>
)
