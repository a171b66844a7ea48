import type { ReactNode } from 'react'
import { useCan } from '../lib/current-user.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { PATHS } from '../lib/paths.ts'
import { Panel } from '../ui/panel.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { AttendanceChart } from './attendance-chart.tsx'
import styles from './key-charts.module.css'
import {
  describeAttendance,
  describeFees,
  describeGrowth,
  describeMovements,
} from './key-figures.ts'
import { MovementsChart, PaymentsChart } from './month-charts.tsx'
import { useAnalytics } from './use-analytics.ts'
import kit from '../ui/kit.module.css'

const MAX_CLASSES = 6

/** Shows three questions, each with an answer and a chart. If the data cannot be loaded, shows
 *  nothing (specification, section 8). The page Numbers has all charts. */
export function KeyCharts() {
  const can = useCan()
  const { data, isPending } = useAnalytics()
  if (isPending) return <SkeletonBlock height="28rem" />
  if (!data) return null
  return (
    <section aria-label="Analytics" className={kit.stackSmall}>
      <div className={styles.charts}>
        <Question title="Is your school growing?" answer={describeGrowth(data.movements)}>
          <p className={kit.muted}>{describeMovements(data.movements)}</p>
          <MovementsChart movements={data.movements} />
        </Question>
        {can('money.see') && (
          <Question title="Are the fees coming in?" answer={describeFees(data.payments)}>
            <PaymentsChart payments={data.payments} />
          </Question>
        )}
        <Question title="Do students come to class?" answer={describeAttendance(data.attendance)}>
          <AttendanceChart attendance={data.attendance} limit={MAX_CLASSES} />
        </Question>
      </div>
      <p>
        <LayoutLink to={PATHS.numbers}>All numbers</LayoutLink>
      </p>
    </section>
  )
}

type QuestionProps = { title: string; answer: string; children: ReactNode }

const Question = ({ title, answer, children }: QuestionProps) => (
  <Panel title={title}>
    <p className={`${kit.titleLarge} ${kit.strong}`}>{answer}</p>
    {children}
  </Panel>
)
