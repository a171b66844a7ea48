import { yearOf } from '@tatami/contract/lib/calendar-day'
import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import { Button, Stack } from '@mantine/core'
import { chargeName, methodName } from '@tatami/contract/ledger/charge-words'
import {
  type Statement,
  type StatementLine,
  statementsApi,
} from '@tatami/contract/bookkeeping/statements'
import { taxWords } from '@tatami/contract/ledger/tax-words'
import { useParams } from 'react-router'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { ApiError } from '../lib/api.ts'
import { formatDate, formatMonthOfDate, today } from '../lib/dates.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { familyStatementPath, studentStatementPath } from '../lib/paths.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { Paper, TotalRow } from './paper.tsx'
import { StatementPayLink } from './statement-pay-link.tsx'
import styles from './paper.module.css'
import { useYear, YearSelect } from './year-select.tsx'
import kit from '../ui/kit.module.css'
import { Loading } from '../ui/loading.tsx'
import { PrintButton } from '../ui/print-button.tsx'

export function StatementPage() {
  // `of` in the path is "family" or "student".
  const { of: accountType, id = '' } = useParams()
  const [year, setYear] = useYear()
  const accountQuery = accountType === 'family' ? { payer_id: id } : { student_id: id }
  const statement = useRetryingQuery(
    endpointQuery(statementsApi.show, { query: { year, ...accountQuery } }),
  )
  const isNotFound = statement.error instanceof ApiError && statement.error.status === 404
  if (isNotFound) return <EmptyState>Statement not found</EmptyState>
  return (
    <Stack gap="md">
      <PageHeader
        title="Statement"
        subtitle={statement.data ? `${statement.data.name}, ${year}` : `${year}`}
      />
      <div className={`${kit.wrap} ${styles.actions}`}>
        <YearSelect value={year} onChange={setYear} />
        <PrintButton variant="default" />
        {statement.data && <OtherStatements statement={statement.data} year={year} />}
      </div>
      <Loading query={statement} error="The statement could not be loaded.">
        <div className={styles.loading}>
          <SkeletonBlock height="32rem">Loading the statement...</SkeletonBlock>
        </div>
      </Loading>
      {statement.data && <StatementPaper statement={statement.data} />}
    </Stack>
  )
}

type Props = { statement: Statement }

const OtherStatements = ({ statement: { payer, students }, year }: Props & { year: number }) => (
  <>
    {payer && (
      <Button
        component={LayoutLink}
        to={`${familyStatementPath(payer.id)}?year=${year}`}
        variant="default"
      >
        {payer.name}’s family
      </Button>
    )}
    {!payer &&
      students.length > 1 &&
      students.map(({ id, name }) => (
        <Button
          key={id}
          component={LayoutLink}
          to={`${studentStatementPath(id)}?year=${year}`}
          variant="subtle"
          px="sm"
        >
          Only {name}
        </Button>
      ))}
  </>
)

function StatementPaper({ statement }: Props) {
  const { dojo_name, name, year, students, paid, owed } = statement
  const [firstStudent] = students
  return (
    <Paper dojoName={dojo_name} label="Statement" heading={`Statement ${year}`}>
      <dl className={styles.facts}>
        <dt>For</dt>
        <dd>{name}</dd>
        {students.length > 1 && (
          <>
            <dt>Students</dt>
            <dd>{students.map((student) => student.name).join(', ')}</dd>
          </>
        )}
      </dl>
      <Lines statement={statement} />
      {paid.length > 0 && <PaidByMonth paid={paid} />}
      {firstStudent && owed > 0 && year === yearOf(today()) && (
        <StatementPayLink studentId={firstStudent.id} />
      )}
      <p className={kit.muted}>
        Charges add to the balance, and payments reduce it. A balance below zero is credit.
      </p>
    </Paper>
  )
}

function Lines({ statement }: Props) {
  const { year, students, opening, lines, owed, credit, on_its_way } = statement
  const names = new Map(students.map((student) => [student.id, student.name]))
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col" className={styles.date}>
            Date
          </th>
          <th scope="col">Description</th>
          <th scope="col" className={styles.money}>
            Amount
          </th>
          <th scope="col" className={styles.money}>
            Balance
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td className={styles.date}>{formatDate(`${year}-01-01`)}</td>
          <td>Opening balance</td>
          <td className={styles.money} colSpan={2}>
            {formatMoney(opening)}
          </td>
        </tr>
        {lines.map((line, index) => (
          <Line
            key={index}
            line={line}
            student={students.length > 1 ? names.get(line.student_id) : undefined}
          />
        ))}
      </tbody>
      <tfoot>
        {(owed > 0 || credit === 0) && (
          <TotalRow label="Owed" columns={2} amount={formatMoney(owed)} hasDate />
        )}
        {credit > 0 && <TotalRow label="Credit" columns={2} amount={formatMoney(credit)} hasDate />}
        {on_its_way > 0 && (
          <TotalRow
            label="On its way from the bank"
            columns={2}
            amount={formatMoney(on_its_way)}
            hasDate
          />
        )}
      </tfoot>
    </table>
  )
}

function Line({ line, student }: { line: StatementLine; student: string | undefined }) {
  const details = joinNonEmpty([student, line.method && methodName(line.method)])
  return (
    <tr>
      <td className={styles.date}>{formatDate(line.date)}</td>
      <td>
        {describeLine(line)}
        <span className={`${kit.note} ${styles.inlineDate}`}>{formatDate(line.date)}</span>
        {details && <span className={styles.detail}>{details}</span>}
        {taxWords(line) && <span className={styles.detail}>{taxWords(line)}</span>}
      </td>
      <td className={styles.money}>{formatMoney(line.amount)}</td>
      <td className={styles.money}>{formatMoney(line.balance)}</td>
    </tr>
  )
}

const LINE_PREFIXES = {
  charge: '',
  payment: 'Payment: ',
  refund: 'Refund: ',
  write_off: 'Written off: ',
  credit: '',
}

/** Returns for example "March 2026", "Payment: March 2026" or "Undone: payment: March 2026". */
function describeLine({ line, takes_back, in_progress, ...charge }: StatementLine): string {
  const prefix = takes_back ? `Undone: ${LINE_PREFIXES[line].toLowerCase()}` : LINE_PREFIXES[line]
  return `${prefix}${chargeName(charge, schoolBeltTestName())}${in_progress ? ', so far' : ''}`
}

const PaidByMonth = ({ paid }: { paid: Statement['paid'] }) => (
  <table className={styles.table}>
    <thead>
      <tr>
        <th scope="col">Paid in</th>
        <th scope="col" className={styles.money}>
          Amount
        </th>
      </tr>
    </thead>
    <tbody>
      {paid.map(({ month, amount }) => (
        <tr key={month}>
          <td>{formatMonthOfDate(month)}</td>
          <td className={styles.money}>{formatMoney(amount)}</td>
        </tr>
      ))}
    </tbody>
    <tfoot>
      <TotalRow
        label="Total paid"
        columns={1}
        amount={formatMoney(sumDollars(paid.map(({ amount }) => amount)))}
      />
    </tfoot>
  </table>
)
