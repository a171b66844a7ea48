import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram } from '../scripts/programs.ts'

export const HOST = '127.0.0.1'
export const PORT = Number(process.env.TRY_PORT ?? 4950)
export const ROOT = join(import.meta.dirname, '..')
export const folder = mkdtempSync(join(tmpdir(), 'tatami-try-'))
// PostgreSQL may run as another user, who must be able to open the folder.
chmodSync(folder, 0o755)
const children = new Set<ChildProcess>()

export function reportCheck(subject: string, isPassed: boolean, actual: unknown) {
  if (!isPassed) process.exitCode = 1
  console.log(`${isPassed ? '✓' : '✗'} ${subject}: ${String(actual)}`)
}

export function run(name: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(findProgram(name) ?? name, args, {
    encoding: 'utf8',
  })
  return { status, output: `${stdout}${stderr}`.trim() }
}

export async function start(
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  readyText: string,
) {
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  const startedProcess = { output: '', stop: () => stop(child) }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (startedProcess.output += text))
  while (!startedProcess.output.includes(readyText)) {
    if (child.exitCode !== null) throw new Error(startedProcess.output)
    await sleep(100)
  }
  return startedProcess
}

async function stop(child: ChildProcess) {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await exit
  }
  children.delete(child)
}

export async function cleanUp() {
  for (const child of children) await stop(child)
  rmSync(folder, { recursive: true, force: true })
}
