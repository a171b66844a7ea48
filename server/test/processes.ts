import { readFileSync, readdirSync, readlinkSync } from 'node:fs'

export const canSeeProcesses = process.platform === 'linux'

type Process = { pid: number; command: string }

/** Returns the processes that run in the folder or have it in their command. */
export const findProcessesUsing = (folder: string): Process[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) || command.includes(folder)
          ? [{ pid: Number(pid), command }]
          : []
      } catch {
        return [] // The process has ended in the meantime.
      }
    })

export const findDatabaseServersUsing = (folder: string): Process[] =>
  findProcessesUsing(folder).filter(({ command }) => /^\S*\/postgres /.test(command))

export function killAll(processes: Process[], signal: NodeJS.Signals = 'SIGKILL'): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has ended in the meantime.
    }
  }
}
