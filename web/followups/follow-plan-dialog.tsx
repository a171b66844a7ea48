import { Button, NativeSelect, Switch, Textarea, TextInput } from '@mantine/core'
import { type FollowPlan, followupsApi } from '@tatami/contract/followups/followups'
import {
  followPlanForm,
  type PlanStep,
  STEP_CONDITIONS,
  STEP_KINDS,
} from '@tatami/contract/followups/steps'
import { progressProps } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { CONDITION_NAMES, KIND_NAMES } from './followup-words.ts'
import styles from './followups.module.css'
import { FOLLOWUP_QUERIES } from './use-set-state.tsx'
import kit from '../ui/kit.module.css'

export const FOLLOW_PLAN_DRAFT = 'follow-plan'

type StepValues = Omit<PlanStep, 'day'> & { day: string }
type FormValues = { is_on: boolean; steps: StepValues[] }

const NEW_STEP: StepValues = { day: '', kind: 'look', words: '', condition: 'always' }

const toValues = ({ is_on, version, steps }: FollowPlan): FormValues => ({
  // Whoever sets up the plan wants to turn it on.
  is_on: is_on || version === 0,
  steps: steps.map((step) => ({ ...step, day: String(step.day) })),
})

const toBody = ({ is_on, steps }: FormValues) => ({
  is_on,
  steps: steps.map((step) => ({ ...step, day: Number(step.day) })),
})

const KIND_OPTIONS = STEP_KINDS.map((kind) => ({ value: kind, label: KIND_NAMES[kind] }))
const CONDITION_OPTIONS = STEP_CONDITIONS.map((condition) => ({
  value: condition,
  label: CONDITION_NAMES[condition],
}))

type Props = { plan: FollowPlan; onClose: () => void }

const usePlanForm = (plan: FollowPlan) => useSchemaForm(followPlanForm, toValues(plan), toBody)
type PlanForm = ReturnType<typeof usePlanForm>

export function FollowPlanDialog({ plan, onClose }: Props) {
  const form = usePlanForm(plan)
  useDraft(FOLLOW_PLAN_DRAFT, form, String(plan.version))
  const change = useEndpointMutation(followupsApi.changePlan, {
    refreshes: [followupsApi.plan, followupsApi.firstWeek, ...FOLLOWUP_QUERIES],
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title="First 90 days"
      onClose={onClose}
      isDirty={form.isDirty()}
      onSubmit={form.send((body) => change.isPending || change.mutate({ body }))}
      {...progressProps(change, 'The plan could not be saved. Please try again.')}
      submitLabel="Save"
      busyLabel="Saving..."
    >
      <Switch
        size="md"
        label="The plan is on"
        {...form.getInputProps('is_on', { type: 'checkbox' })}
      />
      <p className={kit.note}>
        Texts are sent automatically at 10 AM to phones that may get texts. They should be about
        training. Ask for friends and reviews in person. Students who started keep their steps.
      </p>
      {form.values.steps.map((_, index) => (
        <StepFields key={index} form={form} index={index} />
      ))}
      <Button variant="default" mr="auto" onClick={() => form.insertListItem('steps', NEW_STEP)}>
        Add step
      </Button>
    </FormDialog>
  )
}

const StepFields = ({ form, index }: { form: PlanForm; index: number }) => (
  <fieldset className={`${kit.fieldset} ${kit.stackTight}`}>
    <legend className={kit.legend}>Step {index + 1}</legend>
    <div className={styles.fields}>
      <TextInput
        label="Day"
        required
        inputMode="numeric"
        {...form.getInputProps(`steps.${index}.day`)}
      />
      <NativeSelect
        label="How"
        data={KIND_OPTIONS}
        {...form.getInputProps(`steps.${index}.kind`)}
      />
    </div>
    <Textarea
      label={form.values.steps[index]?.kind === 'text' ? 'Text' : 'What to do'}
      required
      autosize
      {...form.getInputProps(`steps.${index}.words`)}
    />
    <NativeSelect
      label="When"
      data={CONDITION_OPTIONS}
      {...form.getInputProps(`steps.${index}.condition`)}
    />
    <Button variant="subtle" mr="auto" onClick={() => form.removeListItem('steps', index)}>
      Remove step {index + 1}
    </Button>
  </fieldset>
)
