/** Measures the processor time and the memory of processes, on Linux. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The unit of /proc/<pid>/stat (getconf CLK_TCK). */
const TICKS_PER_SECOND = 100

/** Returns the numbers after the process name and state, or undefined if the process has ended. */
function readStat(pid: number | string): number[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) \S /s, '')
      .split(' ')
      .map(Number)
  } catch {
    return undefined
  }
}
/** The indexes of these numbers in the result of `readStat`. */
const [PARENT, USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM] = [0, 10, 11, 12, 13] as const

const secondsOf = (pid: number, fields: readonly number[]) => {
  const stat = readStat(pid)
  return stat ? fields.reduce((sum, field) => sum + (stat[field] ?? 0), 0) / TICKS_PER_SECOND : 0
}

export const processSeconds = (pid: number) => secondsOf(pid, [USER, SYSTEM])

export const listChildProcesses = (pid: number) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readStat(name)?.[PARENT] === pid)
    .map(Number)

/** Returns the processor time of a process and its children, including those that have ended. */
export const treeSeconds = (pid: number) =>
  listChildProcesses(pid).reduce(
    (sum, child) => sum + processSeconds(child),
    secondsOf(pid, [USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM]),
  )

export const residentMegabytes = (pid: number) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Returns the memory of a process and its children. Memory that they share counts once. */
export const proportionalMegabytes = (pid: number) =>
  [pid, ...listChildProcesses(pid)].reduce(
    (sum, processId) =>
      sum +
      Number(
        /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${processId}/smaps_rollup`, 'utf8'))?.[1] ?? 0,
      ),
    0,
  ) / 1024

export const readPostmasterPid = (dataDir: string) =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
