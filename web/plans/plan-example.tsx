import { TextInput } from '@mantine/core'
import { pricesApi } from '@tatami/contract/dues/prices'
import { isDay } from '@tatami/contract/lib/calendar-day'
import { type ExampleRules, exampleSentences } from '@tatami/contract/plans/example'
import { planForm, plansApi } from '@tatami/contract/plans/plans'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { today } from '../lib/dates.ts'
import { endpointQuery } from '../lib/query.ts'
import styles from './plan-dialog.module.css'
import { type PlanValues, toPlanBody } from './plan-form.ts'
import kit from '../ui/kit.module.css'

/** What a new member would pay with what is typed so far, and when it would end. */
export function PlanExample({ values }: { values: PlanValues }) {
  const heading = useId()
  const [startsOn, setStartsOn] = useState(today)
  const { data: rules } = useQuery(endpointQuery(plansApi.rules))
  const { data: siblingRule } = useQuery(endpointQuery(pricesApi.rule))
  const has_family_prices = siblingRule !== undefined && siblingRule.prices.length > 0
  const { sentences, mistake } = rules
    ? exampleOf(values, { ...rules, has_family_prices }, startsOn)
    : NO_EXAMPLE
  return (
    <section aria-labelledby={heading} className={styles.example}>
      <h3 id={heading} className={`${kit.strong} ${kit.titleSmall}`}>
        Example
      </h3>
      <TextInput
        type="date"
        label="A student starts on"
        value={startsOn}
        onChange={({ currentTarget }) => setStartsOn(currentTarget.value)}
      />
      <div aria-live="polite" className={kit.stackTight}>
        {mistake !== null && <p className={kit.muted}>{mistake}</p>}
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </section>
  )
}

type Example = { sentences: string[]; mistake: string | null }
const NO_EXAMPLE: Example = { sentences: [], mistake: null }

/** No sentences until the form has a price and no mistake. A name is not needed yet. */
function exampleOf(values: PlanValues, rules: ExampleRules, startsOn: string): Example {
  const withMistake = (mistake: string) => ({ sentences: [], mistake })
  if (values.price === '') return withMistake('Enter a price to see what a new student pays.')
  if (!isDay(startsOn)) return withMistake('Enter the day on which a student starts.')
  const form = planForm.safeParse({ ...toPlanBody(values), name: 'Plan' })
  if (!form.success) return withMistake(`${form.error.issues[0]?.message ?? 'Not valid'}.`)
  return { sentences: exampleSentences(form.data, rules, startsOn), mistake: null }
}
