import { Skeleton } from '@mantine/core'
import { AuditLogButton } from './audit-log-button.tsx'
import { LimitForm } from './limit-form.tsx'
import classes from './system-config.module.css'

/** What the super admin sets for all dojos. `dailyLimit` is undefined until it is known. */
export const SystemConfig = ({ dailyLimit }: { dailyLimit: number | undefined }) => (
  <section className={classes.panel} aria-labelledby="system-configuration">
    <div className={classes.head}>
      <h2 id="system-configuration">System configuration</h2>
      <AuditLogButton />
    </div>
    {dailyLimit === undefined ? <Skeleton height="5.5rem" /> : <LimitForm current={dailyLimit} />}
  </section>
)
