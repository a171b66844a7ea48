import { Button } from '@mantine/core'
import { type ShiftReply, type Worker, workPinsApi } from '@tatami/contract/staff/work-pins'
import { useState } from 'react'
import { call, errorMessage } from '../lib/api.ts'
import { formatClock, formatDuration } from '../lib/work-time.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import kit from '../ui/kit.module.css'
import { ErrorNotice } from '../ui/notices.tsx'
import styles from './kiosk.module.css'
import { NumberPad } from './number-pad.tsx'

const NEEDS_NETWORK =
  'There’s no network, and nothing was recorded. Please enter your hours later, under Hours.'

type IdentifiedWorker = Worker & { pin: string }

/** Lets staff start and end their work. */
export function WorkStep({ onLeave }: { onLeave: () => void }) {
  const { worker, shift, busy, problem, lookUp, record } = useWork()
  if (shift) return <ShiftResult shift={shift} onLeave={onLeave} />
  if (worker)
    return (
      <div className={styles.step}>
        <h2 className={styles.title}>
          {worker.first_name},{' '}
          {worker.started === null
            ? 'are you starting work now?'
            : `you started work at ${formatClock(worker.started)}.`}
        </h2>
        <ErrorNotice>{problem}</ErrorNotice>
        <div className={styles.actions}>
          <Button variant="default" onClick={onLeave}>
            Back
          </Button>
          <BusyButton busy={busy} busyLabel="Saving..." onClick={() => void record(worker)}>
            {worker.started === null ? 'Start work' : 'End work'}
          </BusyButton>
        </div>
      </div>
    )
  return <WorkPinStep busy={busy} problem={problem} onEnter={lookUp} onLeave={onLeave} />
}

function useWork() {
  const [worker, setWorker] = useState<IdentifiedWorker | null>(null)
  const [shift, setShift] = useState<ShiftReply | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  async function runOnce(task: () => Promise<void>) {
    if (busy) return
    setBusy(true)
    setProblem(null)
    try {
      await task()
    } catch (error) {
      setProblem(errorMessage(error, NEEDS_NETWORK))
    } finally {
      setBusy(false)
    }
  }
  const lookUp = (pin: string) =>
    runOnce(async () => setWorker({ ...(await call(workPinsApi.lookUp, { body: { pin } })), pin }))
  const record = ({ pin, started }: IdentifiedWorker) =>
    runOnce(async () => {
      const action = started === null ? 'start' : 'end'
      setShift(await call(workPinsApi.record, { body: { pin, action } }))
    })
  return { worker, shift, busy, problem, lookUp, record }
}

type PinStepProps = {
  busy: boolean
  problem: string | null
  onEnter: (pin: string) => Promise<void>
  onLeave: () => void
}

function WorkPinStep({ busy, problem, onEnter, onLeave }: PinStepProps) {
  const [pin, setPin] = useState('')
  const enter = (enteredPin: string) => {
    setPin('')
    void onEnter(enteredPin)
  }
  return (
    <div className={`${styles.step} ${styles.pin}`}>
      <h2 className={styles.title}>Staff, please enter your PIN</h2>
      <NumberPad pin={pin} onChange={setPin} busy={busy} problem={problem} onEnter={enter} />
      <div className={styles.actions}>
        <Button variant="default" onClick={onLeave}>
          Back
        </Button>
      </div>
    </div>
  )
}

function ShiftResult({ shift, onLeave }: { shift: ShiftReply; onLeave: () => void }) {
  return (
    <div className={styles.step}>
      <h2 className={styles.title} role="status">
        {describeResult(shift)}
      </h2>
      {shift.outcome === 'check' && (
        <p className={kit.title}>
          It overlaps hours that you entered. Please check it under Hours.
        </p>
      )}
      <div className={styles.actions}>
        <Button onClick={onLeave}>Done</Button>
      </div>
    </div>
  )
}

function describeResult({ outcome, first_name: name, minutes }: ShiftReply): string {
  if (outcome === 'started') return `Hi ${name}, you’re clocked in.`
  return `Thank you, ${name}. You worked ${formatDuration(minutes ?? 0)}.`
}
