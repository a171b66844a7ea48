import { NativeSelect } from '@mantine/core'
import { classesApi } from '@tatami/contract/classes'
import type { ImportPlan } from '@tatami/contract/import'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { classOptions } from '../classes/class-options.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { endpointQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { Panel } from '../ui/panel.tsx'
import { SwitchRow } from '../ui/switch-row.tsx'
import { ColumnChoices } from './column-choices.tsx'
import { Duplicates } from './duplicates.tsx'
import styles from './import-students.module.css'
import { RowCards } from './row-cards.tsx'
import { SheetGrid } from './sheet-grid.tsx'
import { nameOfRow, type ReviewProps } from './review.ts'
import type { ImportState } from './use-import-sheet.ts'

/** What will happen, what is to be decided, and the sheet itself with every problem beside its cell. */
export function ReviewSheet({
  sheet,
  state,
  plan,
  isCurrent,
}: ReviewProps & { isCurrent: boolean }) {
  const isDesktop = useLayout() === 'desktop'
  // What is to be mended comes first, and stays there once it is.
  const [isToMend] = useState(plan.problems.length > 0)
  const rows = isDesktop ? (
    <SheetGrid key={state.origin} sheet={sheet} state={state} plan={plan} />
  ) : (
    <>
      <ColumnChoices sheet={sheet} state={state} />
      <RowCards key={state.origin} sheet={sheet} state={state} plan={plan} />
    </>
  )
  return (
    <>
      <Panel title="What will happen" aside={isCurrent ? undefined : 'Looking again...'}>
        <div role="status">
          <ul className={styles.figures}>
            {figuresOf(plan, state).map(({ what, kind }) => (
              <li key={what} data-kind={kind}>
                {what}
              </li>
            ))}
          </ul>
        </div>
        <DateOrderChoice sheet={sheet} state={state} />
        {plan.guardians_in_sheet.length > 0 && (
          <Disclosure summary="The families">
            <ul className={styles.kept}>
              {plan.guardians_in_sheet.map((guardian) => (
                <li key={`${guardian.name} ${guardian.rows[0]}`}>
                  {`${guardian.name}${guardian.is_new ? '' : ', here already'}: ${namesOf(guardian.rows, state)}${guardian.pays ? ' (pays)' : ''}`}
                </li>
              ))}
            </ul>
          </Disclosure>
        )}
      </Panel>
      {isToMend && rows}
      <Duplicates sheet={sheet} state={state} plan={plan} />
      <ClassChoices sheet={sheet} state={state} plan={plan} />
      {!isToMend && rows}
    </>
  )
}

const namesOf = (rows: number[], state: ImportState) =>
  new Intl.ListFormat('en').format(rows.map((row) => nameOfRow(row, state)))

/** How many names are written otherwise than they stand there, with one of them. */
function namesChanged(names: string[]): Figure | false {
  const [first] = names
  if (first === undefined) return false
  const how = 'written without other signs'
  return {
    what:
      names.length === 1
        ? `1 name is ${how}: “${first}”`
        : `${names.length} names are ${how}, such as “${first}”`,
  }
}

type Figure = { what: string; kind?: 'problem' | 'new' }

function figuresOf(plan: ImportPlan, { sheet }: ImportState): Figure[] {
  const {
    students,
    merged,
    families,
    guardians,
    classes,
    invitations,
    left_out,
    rows_with_problems,
    can_invite,
  } = plan
  const figures: (Figure | false)[] = [
    { what: pluralize(students, 'new student'), kind: 'new' },
    merged > 0 && {
      what: `${pluralize(merged, 'row')} about somebody who is there already: what is empty is filled in`,
    },
    families > 0 && {
      what: `${families === 1 ? '1 family' : `${families} families`}, with ${pluralize(guardians, 'new guardian')}`,
    },
    classes > 0 && { what: classes === 1 ? '1 new class' : `${classes} new classes` },
    invitations > 0 && { what: `${pluralize(invitations, 'invitation')} to log in, by email` },
    !can_invite &&
      sheet.fields.some((field) => field?.endsWith('email')) && {
        what: 'Nobody is invited to log in, because no mail server is set up: emails are kept',
      },
    namesChanged(plan.notices.flatMap(({ becomes }) => becomes ?? [])),
    left_out > 0 && { what: `${pluralize(left_out, 'row')} left out: they left, or you said so` },
    rows_with_problems > 0 && {
      what: `${pluralize(rows_with_problems, 'row')} left out until mended`,
      kind: 'problem' as const,
    },
  ]
  return figures.filter((figure) => figure !== false)
}

/** Asked only where the column itself does not tell. */
function DateOrderChoice({ sheet, state: { sheet: data } }: Omit<ReviewProps, 'plan'>) {
  if (data.isDateOrderCertain || !data.fields.includes('date_of_birth')) return null
  return (
    <div className={styles.choiceRow}>
      <span>3/4/2015 in the sheet is</span>
      <ChoiceBar
        label="How dates are meant"
        choices={[
          { value: 'month-first', label: 'March 4' },
          { value: 'day-first', label: 'April 3' },
        ]}
        value={data.dateOrder}
        onChange={sheet.setDateOrder}
      />
    </div>
  )
}

const NEW = 'new',
  NONE = 'none'

/** Which class each name in the sheet means, where the dojo has none of that name; and where whoever is in none goes. */
function ClassChoices({ sheet, state, plan }: ReviewProps) {
  const { data: classes = [] } = useQuery(endpointQuery(classesApi.list))
  const options = classOptions(classes)
  const asked = plan.classes_in_sheet.filter(
    ({ name, class_id }) => class_id === null || name in state.classes,
  )
  const hasDefault = options.length > 0
  if (asked.length === 0 && !hasDefault && !plan.can_invite) return null
  return (
    <Panel title="Classes and invitations">
      {asked.length > 0 && (
        <ul className={styles.fields}>
          {asked.map(({ name, class_name, students }) => (
            <li key={name}>
              <NativeSelect
                label={`“${name}” (${pluralize(students, 'student')})`}
                value={name in state.classes ? (state.classes[name] ?? NONE) : NEW}
                onChange={({ currentTarget: { value } }) =>
                  sheet.setClass(name, value === NEW ? undefined : value === NONE ? null : value)
                }
                data={[
                  {
                    value: NEW,
                    label:
                      class_name === null || name in state.classes
                        ? 'A new class'
                        : `A new class: ${class_name}`,
                  },
                  ...options,
                  { value: NONE, label: 'No class' },
                ]}
              />
            </li>
          ))}
        </ul>
      )}
      {hasDefault && (
        <div className={styles.fields}>
          <NativeSelect
            label="Who has no class in the sheet"
            value={state.defaultClass}
            onChange={({ currentTarget: { value } }) => sheet.setDefaultClass(value)}
            data={[{ value: '', label: 'Is in no class yet' }, ...options]}
          />
        </div>
      )}
      {plan.can_invite && (
        <SwitchRow
          label="Invite by email to log in"
          description="Guardians, and students from 13 years on, each get a link that works for 7 days."
          checked={state.invites}
          onChange={sheet.setInvites}
        />
      )}
    </Panel>
  )
}
