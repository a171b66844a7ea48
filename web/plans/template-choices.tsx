import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import type { PlanForm } from '@tatami/contract/plans/plans'
import { describePlanPrice } from '@tatami/contract/plans/plan-words'
import styles from './plans.module.css'
import kit from '../ui/kit.module.css'

type Props = { onChoose: (template: PlanForm | null) => void }

/** Each template opens the form filled in. Nothing is saved before that. */
export const TemplateChoices = ({ onChoose }: Props) => (
  <ul aria-label="Templates" className={styles.templates}>
    {PLAN_TEMPLATES.map((template) => (
      <li key={template.name}>
        <button
          type="button"
          className={`${kit.bareButton} ${styles.template}`}
          onClick={() => onChoose(template)}
        >
          <span className={kit.strong}>{template.name}</span>
          <span className={kit.note}>{template.description}</span>
          <span className={kit.note}>For example {describePlanPrice(template)}</span>
        </button>
      </li>
    ))}
    <li>
      <button
        type="button"
        className={`${kit.bareButton} ${styles.template}`}
        onClick={() => onChoose(null)}
      >
        <span className={kit.strong}>Something else</span>
        <span className={kit.note}>Start from an empty form</span>
      </button>
    </li>
  </ul>
)
