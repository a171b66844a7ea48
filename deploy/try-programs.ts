import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { reportCheck, folder, ROOT, run } from './try-harness.ts'

/** systemd rates services from 0 (best protected) to 10. */
const MAX_EXPOSURE = 1.2
const deployFile = (name: string) => join(import.meta.dirname, name)

export function tryUnit() {
  const unit = readFileSync(deployFile('tatami.service'), 'utf8').replaceAll('/opt/tatami', ROOT)
  for (const name of ['tatami.service', 'tatami@.service']) writeFileSync(join(folder, name), unit)
  for (const name of ['tatami.service', 'tatami@3001.service']) {
    const { status, output } = run('systemd-analyze', 'verify', join(folder, name))
    reportCheck(`systemd-analyze verify ${name}`, status === 0 && output === '', output || 'clean')
  }
  const { output } = run(
    'systemd-analyze',
    'security',
    '--offline=true',
    '--no-pager',
    join(folder, 'tatami.service'),
  )
  const exposure = Number(/exposure level for .*: ([\d.]+)/.exec(output)?.[1])
  reportCheck(
    `systemd-analyze security, at most ${MAX_EXPOSURE}`,
    exposure <= MAX_EXPOSURE,
    exposure,
  )
}

export function tryRules() {
  for (const args of [
    ['check', 'rules', deployFile('alerts.yml')],
    ['check', 'config', deployFile('prometheus.yml')],
    ['test', 'rules', deployFile('alerts.test.yml')],
  ]) {
    const { status, output } = run('promtool', ...args)
    reportCheck(
      `promtool ${args.slice(0, 2).join(' ')}`,
      status === 0,
      status === 0 ? 'good' : output,
    )
  }
}

export async function tryRotation() {
  const logFolder = join(folder, 'log')
  const logFile = join(logFolder, 'tatami.log')
  const config = join(folder, 'logrotate.conf')
  mkdirSync(logFolder, { mode: 0o755 })
  writeFileSync(
    config,
    readFileSync(deployFile('logrotate.conf'), 'utf8').replaceAll('/var/log/tatami', logFolder),
  )
  const state = ['--state', join(folder, 'logrotate.state')]
  const dryRun = run('logrotate', '--debug', ...state, config)
  reportCheck(
    'logrotate --debug',
    dryRun.status === 0 && !/error/i.test(dryRun.output),
    dryRun.status,
  )
  for (let line = 1; line <= 3; line += 1) {
    appendFileSync(logFile, `{"line":${line}}\n`)
    const { output } = line < 3 ? run('logrotate', '--force', ...state, config) : { output: '' }
    if (output) console.log(output)
    // The names of rotated files contain the second, so each needs another one.
    await sleep(1_100)
  }
  const files = readdirSync(logFolder).toSorted()
  const lines = files.map((name) =>
    name.endsWith('.gz')
      ? run('zcat', join(logFolder, name)).output
      : readFileSync(join(logFolder, name), 'utf8').trim(),
  )
  reportCheck(
    'logrotate --force, twice',
    lines.toSorted().join() === '{"line":1},{"line":2},{"line":3}',
    `${files.length} files: ${lines.join(' ')}`,
  )
}
