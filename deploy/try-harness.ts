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

export function check(subject: string, isRight: boolean, actual: unknown) {
  if (!isRight) process.exitCode = 1
  console.log(`${isRight ? '✓' : '✗'} ${subject}: ${String(actual)}`)
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
  const running = { output: '', stop: () => stop(child) }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (running.output += text))
  while (!running.output.includes(readyText)) {
    if (child.exitCode !== null) throw new Error(running.output)
    await sleep(100)
  }
  return running
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
