import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import { Button, Stack } from '@mantine/core'
import { chargeName, methodName } from '@tatami/contract/ledger/charge-words'
import {
  type Statement,
  type StatementLine,
  statementsApi,
} from '@tatami/contract/bookkeeping/statements'
import { useParams } from 'react-router'
import { beltTest } from '../lib/belt-test.ts'
import { ApiError } from '../lib/api.ts'
import { formatDate, formatMonthOfDate } from '../lib/dates.ts'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { familyStatementPath, studentStatementPath } from '../lib/paths.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import styles from './paper.module.css'
import { useYear, YearSelect } from './year-select.tsx'
import kit from '../ui/kit.module.css'
import { Loading } from '../ui/loading.tsx'
import { PrintButton } from '../ui/print-button.tsx'

/** A year of an account, to print: a student's, or that of all for whom somebody pays. */
export function StatementPage() {
  const { of, id = '' } = useParams()
  const [year, setYear] = useYear()
  const whose = of === 'family' ? { payer_id: id } : { student_id: id }
  const statement = useRetryingQuery(
    endpointQuery(statementsApi.show, { query: { year, ...whose } }),
  )
  const isGone = statement.error instanceof ApiError && statement.error.status === 404
  if (isGone) return <EmptyState>There is nobody in your dojo whose statement this is.</EmptyState>
  return (
    <Stack gap="md">
      <PageHeader
        title="Statement"
        subtitle={statement.data ? `${statement.data.name}, ${year}` : `${year}`}
      />
      <div className={`${kit.wrap} ${styles.acts}`}>
        <YearSelect value={year} onChange={setYear} />
        <PrintButton />
        {statement.data && <OtherStatements statement={statement.data} year={year} />}
      </div>
      <Loading of={statement} failed="The statement could not be loaded.">
        <SkeletonBlock height="32rem">Loading the statement...</SkeletonBlock>
      </Loading>
      {statement.data && <Paper statement={statement.data} />}
    </Stack>
  )
}

type OtherStatementsProps = { statement: Statement; year: number }

/** From a student's to the family's, and back to each student's. */
const OtherStatements = ({ statement: { payer, students }, year }: OtherStatementsProps) => (
  <>
    {payer && (
      <Button
        component={LayoutLink}
        to={`${familyStatementPath(payer.id)}?year=${year}`}
        variant="default"
      >
        All that {payer.name} pays
      </Button>
    )}
    {students.map(
      ({ id, name }) =>
        !payer &&
        students.length > 1 && (
          <Button
            key={id}
            component={LayoutLink}
            to={`${studentStatementPath(id)}?year=${year}`}
            variant="default"
          >
            {name} alone
          </Button>
        ),
    )}
  </>
)

function Paper({ statement }: { statement: Statement }) {
  const { dojo_name, name, year, students, opening, lines, paid, owed, credit } = statement
  const nameOf = new Map(students.map((student) => [student.id, student.name]))
  return (
    <article
      className={`${kit.card} ${styles.paper}`}
      data-layout={useLayout()}
      aria-label="Statement"
    >
      <div className={`${kit.wrap} ${styles.top}`}>
        <h2>{dojo_name}</h2>
        <p className={styles.number}>Statement {year}</p>
      </div>
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
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col" className={styles.date}>
              Date
            </th>
            <th scope="col">What</th>
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
            <td>Carried over</td>
            <td className={styles.money} colSpan={2}>
              {formatMoney(opening)}
            </td>
          </tr>
          {lines.map((line, place) => (
            <Line
              key={place}
              line={line}
              student={students.length > 1 ? nameOf.get(line.student_id) : undefined}
            />
          ))}
        </tbody>
        <tfoot>
          {(owed > 0 || credit === 0) && <Total label="Owed" amount={owed} />}
          {credit > 0 && <Total label="Credit" amount={credit} />}
        </tfoot>
      </table>
      {paid.length > 0 && <Paid paid={paid} />}
      <p className={kit.muted}>
        Amounts that are owed add to the balance, payments take from it; a balance below zero is
        credit.
      </p>
    </article>
  )
}

const Total = ({ label, amount }: { label: string; amount: number }) => (
  <tr>
    <th scope="row" colSpan={3}>
      {label}
    </th>
    <td className={styles.money}>{formatMoney(amount)}</td>
  </tr>
)

function Line({ line, student }: { line: StatementLine; student: string | undefined }) {
  const about = [student, line.method && methodName(line.method)].filter(Boolean).join(', ')
  return (
    <tr>
      <td className={styles.date}>{formatDate(line.date)}</td>
      <td>
        {wordsOf(line)}
        <span className={`${kit.note} ${styles.inlineDate}`}>{formatDate(line.date)}</span>
        {about && <span className={styles.about}>{about}</span>}
      </td>
      <td className={styles.money}>{formatMoney(line.amount)}</td>
      <td className={styles.money}>{formatMoney(line.balance)}</td>
    </tr>
  )
}

const BEFORE = {
  charge: '',
  payment: 'Payment: ',
  refund: 'Given back: ',
  write_off: 'Forgiven: ',
  credit: '',
}

/** "March 2026", "Payment: March 2026", "Taken back: payment: March 2026" */
function wordsOf({ line, takes_back, in_progress, ...about }: StatementLine): string {
  const words = takes_back ? `Taken back: ${BEFORE[line].toLowerCase()}` : BEFORE[line]
  return `${words}${chargeName(about, beltTest())}${in_progress ? ', in progress' : ''}`
}

const Paid = ({ paid }: { paid: Statement['paid'] }) => (
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
      <tr>
        <th scope="row">Paid in all</th>
        <td className={styles.money}>
          {formatMoney(sumDollars(paid.map(({ amount }) => amount)))}
        </td>
      </tr>
    </tfoot>
  </table>
)
