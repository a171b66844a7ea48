import type { ImportPlan, UnusedEmail } from '@tatami/contract/import/import-plan'
import { useState } from 'react'
import { formatMonthAndDay } from '../lib/dates.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { joinNonEmpty, pluralize } from '../lib/text.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { Warning } from '../ui/notices.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Panel } from '../ui/panel.tsx'
import { ColumnChoices } from './column-choices.tsx'
import { BeltChoices } from './belt-choices.tsx'
import { ClassChoices } from './class-choices.tsx'
import { Duplicates } from './duplicates.tsx'
import { FamilyQuestions } from './family-questions.tsx'
import { FormerStudents } from './former-students.tsx'
import { FoldedList } from './folded-list.tsx'
import { GuardianLinks } from './guardian-links.tsx'
import { LeftOutRows } from './left-out-rows.tsx'
import { MoneyQuestions } from './money-questions.tsx'
import { StatusChoices } from './status-choices.tsx'
import styles from './import-students.module.css'
import { RowCards } from './row-cards.tsx'
import { SheetGrid } from './sheet-grid.tsx'
import {
  findAmbiguousDate,
  countMergedRows,
  getRowName,
  listNewStudentRows,
  type ReviewProps,
} from './review.ts'
import type { ImportState } from './import-state.ts'
import kit from '../ui/kit.module.css'

const MembershipChoices = lazyComponent(
  () => import('./membership-choices.tsx'),
  'MembershipChoices',
)

type Props = ReviewProps & { isCurrent: boolean }

export function ReviewSheet({ sheet, state, plan, isCurrent }: Props) {
  const isDesktop = useLayout() === 'desktop'
  // Rows that need fixing come first. They stay there after they are fixed.
  const [hadProblems] = useState(plan.problems.length > 0)
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
      {state.warnings.map((warning) => (
        <Warning key={warning}>{warning}</Warning>
      ))}
      <Panel title="What will happen" aside={isCurrent ? undefined : 'Checking again...'}>
        <PlanSummary plan={plan} state={state} />
        {!isDesktop && (
          <FoldedList items={listNewStudentRows(plan, state)} className={styles.names}>
            {(row) => <li key={row}>{getRowName(row, state)}</li>}
          </FoldedList>
        )}
        <DateOrderChoice sheet={sheet} state={state} />
        <Families plan={plan} state={state} />
      </Panel>
      <MoneyQuestions sheet={sheet} state={state} plan={plan} />
      <StatusChoices sheet={sheet} state={state} plan={plan} />
      <BeltChoices sheet={sheet} state={state} plan={plan} />
      {hadProblems && rows}
      <FormerStudents sheet={sheet} state={state} plan={plan} />
      <LeftOutRows sheet={sheet} state={state} plan={plan} />
      <FamilyQuestions sheet={sheet} state={state} plan={plan} />
      <GuardianLinks sheet={sheet} plan={plan} />
      <Duplicates sheet={sheet} state={state} plan={plan} />
      {plan.memberships_in_sheet.length > 0 && (
        <MembershipChoices sheet={sheet} state={state} plan={plan} />
      )}
      <ClassChoices sheet={sheet} state={state} plan={plan} />
      {!hadProblems && rows}
    </>
  )
}

type SummaryLine = { text: string; kind?: 'problem' | 'new' }
type PlanProps = Pick<ReviewProps, 'plan' | 'state'>

const PlanSummary = ({ plan, state }: PlanProps) => (
  <div role="status">
    <ul className={styles.summary}>
      {summarizePlan(plan, state).map(({ text, kind }) => (
        <li key={text} data-kind={kind}>
          {text}
        </li>
      ))}
    </ul>
  </div>
)

const Families = ({ plan, state }: PlanProps) =>
  plan.guardians_in_sheet.length > 0 && (
    <Disclosure summary="Families">
      <ul className={styles.names}>
        {plan.guardians_in_sheet.map((guardian) => (
          <li key={`${guardian.name} ${guardian.rows[0]}`}>
            {guardian.name}
            {!guardian.is_new && ' (already in your school)'}: {listNames(guardian.rows, state)}
            {guardian.pays && ' (pays)'}
          </li>
        ))}
      </ul>
    </Disclosure>
  )

const listNames = (rows: number[], state: ImportState) =>
  new Intl.ListFormat('en').format(rows.map((row) => getRowName(row, state)))

function formatChangedNames(names: string[]): SummaryLine | false {
  const [firstName] = names
  if (firstName === undefined) return false
  const change = 'written without special characters'
  return {
    text:
      names.length === 1
        ? `1 name was ${change}: “${firstName}”`
        : `${names.length} names were ${change}, such as “${firstName}”`,
  }
}

const UNUSED_EMAIL_REASONS: Record<UnusedEmail['reason'], string> = {
  placeholder: 'skipped: placeholder address',
  staff: 'skipped: instructor’s address',
  office: 'saved in notes: looks like an office address',
  crowd: 'saved in notes: shared by too many families',
  shared: 'saved in notes: is this one family? See below',
}
const MAX_LISTED_EMAILS = 3
function listUnusedEmailLines(unusedEmails: readonly UnusedEmail[]): SummaryLine[] {
  const emailLines = unusedEmails.slice(0, MAX_LISTED_EMAILS).map(({ email, reason, rows }) => ({
    text: `${email} (${pluralize(rows, 'row')}) ${UNUSED_EMAIL_REASONS[reason]}`,
  }))
  const hiddenCount = unusedEmails.length - MAX_LISTED_EMAILS
  return hiddenCount > 0
    ? [...emailLines, { text: `${hiddenCount} more email addresses not used` }]
    : emailLines
}

function listRemarkLines({ notices }: ImportPlan): (SummaryLine | false)[] {
  const birthdayCount = notices.filter(({ kind }) => kind === 'no_birthday').length
  const phoneCount = notices.filter(({ kind }) => kind === 'no_texts').length
  return [
    birthdayCount > 0 && {
      text: `${pluralize(birthdayCount, 'birthday')} left empty: a placeholder such as 1/1/1900`,
    },
    phoneCount > 0 && { text: `${pluralize(phoneCount, 'phone number')} can’t get texts` },
  ]
}

function listLeftOutLines({
  left_out,
  left_out_rows,
  duplicates,
}: ImportPlan): (SummaryLine | false)[] {
  const omittedRows = left_out_rows.filter(
    ({ is_included, is_former }) => !is_included && !is_former,
  )
  const leftCount = omittedRows.filter(({ kind }) => kind === 'left').length
  const leadCount = omittedRows.filter(({ kind }) => kind === 'never').length
  const nonStudentCount = omittedRows.filter(({ kind }) => kind === 'other').length
  const headingCount = omittedRows.length - leftCount - leadCount - nonStudentCount
  const formerCount = duplicates.filter(({ choice }) => choice === 'skip').length
  const userSkippedCount = left_out - omittedRows.length - formerCount
  return [
    leftCount > 0 && {
      text: `${pluralize(leftCount, 'person', 'people')} skipped: your sheet says they left`,
    },
    leadCount > 0 && { text: `${pluralize(leadCount, 'person', 'people')} skipped: never trained` },
    nonStudentCount > 0 && {
      text: `${pluralize(nonStudentCount, 'person', 'people')} skipped: not students`,
    },
    headingCount > 0 && {
      text: `${pluralize(headingCount, 'row')} skipped: a heading or a total`,
    },
    formerCount > 0 && {
      text: `${pluralize(formerCount, 'row')} skipped: already in your school as a former student`,
    },
    userSkippedCount > 0 && { text: `${pluralize(userSkippedCount, 'row')} skipped by you` },
  ]
}

function summarizePlan(plan: ImportPlan, { sheet }: ImportState): SummaryLine[] {
  const { students, families, guardians, classes, invitations, rows_with_problems, can_invite } =
    plan
  const { existingCount, repeatedCount } = countMergedRows(plan)
  const lines: (SummaryLine | false)[] = [
    { text: pluralize(students, 'new student'), kind: 'new' },
    plan.former > 0 && { text: `${plan.former} of them left: kept as former students` },
    existingCount > 0 && {
      text:
        `${pluralize(existingCount, 'row')} about someone you already have: ` +
        'empty fields are filled in',
    },
    repeatedCount > 0 && {
      text: `${pluralize(repeatedCount, 'row')} about someone earlier in this list: combined`,
    },
    families > 0 && {
      text: joinNonEmpty(
        [
          pluralize(families, 'family', 'families'),
          guardians > 0 && pluralize(guardians, 'new guardian'),
        ],
        ', with ',
      ),
    },
    classes > 0 && { text: pluralize(classes, 'new class', 'new classes') },
    ...listUnusedEmailLines(plan.unused_emails),
    invitations > 0 && { text: `${pluralize(invitations, 'invitation')} to log in, by email` },
    !can_invite &&
      sheet.fields.some((field) => field?.endsWith('email')) && {
        text: 'No invitations: no mail server is set up. Emails go to the private notes',
      },
    formatChangedNames(plan.notices.flatMap(({ becomes }) => becomes ?? [])),
    ...listRemarkLines(plan),
    plan.phones_without_texts > 0 && {
      text: `${pluralize(plan.phones_without_texts, 'phone')} won’t get texts, as your sheet says`,
    },
    ...listLeftOutLines(plan),
    rows_with_problems > 0 && {
      text: `${pluralize(rows_with_problems, 'row')} skipped until fixed`,
      kind: 'problem' as const,
    },
  ]
  return lines.filter((line) => line !== false)
}

function DateOrderChoice({ sheet, state: { sheet: data } }: Omit<ReviewProps, 'plan'>) {
  if (data.isDateOrderCertain) return null
  const date = findAmbiguousDate(data)
  if (date === null) return null
  return (
    <div className={`${kit.spread} ${styles.choiceRow}`}>
      <span>{`${date.cell} in the sheet is`}</span>
      <ChoiceBar
        label="Date format"
        choices={[
          { value: 'month-first', label: formatMonthAndDay(date.monthFirst) },
          { value: 'day-first', label: formatMonthAndDay(date.dayFirst) },
        ]}
        value={data.dateOrder}
        onChange={sheet.setDateOrder}
      />
    </div>
  )
}
